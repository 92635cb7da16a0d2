import { checkAgentPair, checkAgentPolicy } from '../agent/check.ts'
import type { Heads } from '../chain/adapter.ts'
import { formatDepositTerms } from '../chain/deposit-terms.ts'
import { depositAddress } from '../chain/evm-deposit-address.ts'
import type { NetworkHealth } from '../chain/network-health.ts'
import { findNetwork, type Network, type Networks, type Token } from '../chain/networks.ts'
import { simulatedChainId } from '../chain/simulated.ts'
import type { Db } from '../db/db.ts'
import { PaymentError, ValidationError } from '../errors.ts'
import type { Caller } from '../http/env.ts'
import { findAnswer, type IdempotencyKey, idempotencyScope, saveAnswer } from '../http/idempotency.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { parseAmount, zero } from '../money.ts'
import type { Ledger } from '../payment/apply.ts'
import { checkOpenPayments, saveOpener } from '../payment/open-payments-store.ts'
import type { Attachments, Payment, PaymentId } from '../payment/payment.ts'
import type { PaymentViewer } from '../payment/view.ts'
import type { Runtime } from '../runtime.ts'

/** The contract fixes the window of a deposit: fifteen minutes. */
const depositWindowMs = 900_000

const saltBytes = 32

export type NewDeposit = { [Name in keyof Attachments]?: Attachments[Name] | undefined } & {
  amount: string | number
  currency: string
  network: string
  autonomous?: boolean | undefined
}

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  health: NetworkHealth
  heads: Heads
  viewer: PaymentViewer
  runtime: Runtime
  feeBps: number
  /** Address that may refund what exceeds a payment; it can never take a covered payment's money. */
  operator: string | null
  limits: RateLimits
}

/** `json` is the stored text of `{success, requestId, payment}`; a repeat gets the same text. */
export type CreatedDeposit = { json: string; isReplay: boolean }

/** Creates a payment with an address of its own; nothing is sent to the chain for it. */
export function createDeposits({
  db,
  ledger,
  networks,
  health,
  heads,
  viewer,
  runtime,
  feeBps,
  operator,
  limits,
}: Deps) {
  return async function createDeposit(
    caller: Caller,
    requestId: string,
    body: NewDeposit,
    key: IdempotencyKey | undefined,
    endpoint: 'deposits/create' | 'sandbox/payments/create' = 'deposits/create',
  ): Promise<CreatedDeposit> {
    await limits.agentCalled(caller, body.agentId)
    const payment = newPayment(caller, body)
    const request = key && {
      scope: idempotencyScope(caller, endpoint, key),
      kind: key.kind,
      terms: `${payment.due} ${payment.currency} on ${payment.network} by deposit`,
      credential: caller.kind,
      nowMs: payment.createdAtMs,
    }
    return await db.write(async (tx) => {
      const answer = request && (await findAnswer(tx, request))
      if (answer !== undefined) return { json: answer, isReplay: true }
      if (!payment.isTest) refuseWhileOut(payment.network, health)
      await checkAgentPolicy(tx, payment, body.autonomous === true)
      await checkOpenPayments(tx, caller, limits.openPaymentsMax)
      const created = await ledger.createIn(tx, payment)
      await saveOpener(tx, created.id, caller, limits.openPaymentsMax)
      const json = JSON.stringify({ success: true, requestId, payment: viewer.public(created) })
      if (request) await saveAnswer(tx, { ...request, paymentId: created.id, answer: json })
      return { json, isReplay: false }
    })
  }

  function newPayment(caller: Caller, body: NewDeposit): Payment {
    checkAgentPair(body)
    const { network, token } = supported(networks, body.network, body.currency)
    const merchant = caller.wallets.get(network.shortName)
    if (merchant === undefined) {
      const message = `No settlement wallet is configured for ${network.name} (${network.shortName}).`
      throw new ValidationError(message, 'WALLET_MISSING')
    }
    if (operator === null) throw new Error('A network is configured without an operator')
    const due = parseAmount(body.amount, token.decimals)
    const createdAtMs = runtime.nowMs()
    const expiresAtMs = createdAtMs + depositWindowMs
    // A host whose clock is behind the chain's must not cut the customer's fifteen minutes short.
    const chainTimeMs = caller.isTest ? 0 : (heads.get(network.shortName)?.timeMs ?? 0)
    const windowEndsAtMs = Math.max(expiresAtMs, chainTimeMs + depositWindowMs)
    const terms = {
      chainId: caller.isTest ? simulatedChainId : network.chainId,
      token: token.address as `0x${string}`,
      amount: due,
      least: due,
      merchant: merchant as `0x${string}`,
      platform: network.platformWallet as `0x${string}`,
      feeBps,
      deadlineSeconds: Math.ceil(windowEndsAtMs / 1000),
      operator: operator as `0x${string}`,
      salt: `0x${Buffer.from(runtime.randomBytes(saltBytes)).toString('hex')}` as const,
    }
    const factory = network.factory as `0x${string}`
    // Written out in full: spreading a part of it made this the slowest step of a create.
    return {
      mode: 'deposit',
      id: runtime.newUuid() as PaymentId,
      merchantId: caller.merchantId,
      merchantName: caller.merchantName,
      isTest: caller.isTest,
      network: network.shortName,
      currency: token.symbol,
      tokenAddress: token.address,
      tokenDecimals: token.decimals,
      due,
      least: due,
      seen: zero,
      received: zero,
      late: zero,
      lastBlock: null,
      lastTxId: null,
      windowEnded: false,
      closedAs: null,
      status: 'pending',
      version: 1,
      sequence: 0,
      createdAtMs,
      expiresAtMs,
      windowEndsAtMs,
      detectedAtMs: null,
      confirmedAtMs: null,
      sweep: 'none',
      sweepTxId: null,
      sweptAtMs: null,
      orderId: body.orderId ?? null,
      customerEmail: body.customerEmail ?? null,
      callbackUrl: body.callbackUrl ?? null,
      metadata: body.metadata ?? null,
      agentId: body.agentId ?? null,
      agentOwner: body.agentOwner ?? null,
      depositAddress: depositAddress(terms, factory),
      depositTerms: formatDepositTerms({ ...terms, factory }),
    }
  }
}

function supported(networks: Networks, shortName: string, currency: string): { network: Network; token: Token } {
  const network = findNetwork(networks, shortName)
  if (!network) {
    const known = [...networks.keys()].join(', ') || 'none is configured'
    throw new ValidationError(`network "${shortName}" is not supported (supported: ${known})`, 'NETWORK_NOT_SUPPORTED')
  }
  const token = network.tokens.find(({ symbol }) => symbol === currency.toUpperCase())
  if (!token) {
    throw new ValidationError(`currency ${currency} is not supported on ${network.name}`, 'CURRENCY_NOT_SUPPORTED')
  }
  return { network, token }
}

/** Only new payments: a repeat gets its answer whatever the chain does. */
function refuseWhileOut(network: string, health: NetworkHealth): void {
  const { isPayable, reason } = health.get(network)
  if (isPayable) return
  const message = `${network} cannot be paid on now: ${reason}`
  throw new PaymentError('NETWORK_UNAVAILABLE', message, { status: 400, error: 'Network unavailable' })
}
