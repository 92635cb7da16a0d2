import { checkAgentPair, checkAgentPolicy } from '../agent/check-spending.ts'
import type { Heads } from '../chain/chain-adapter.ts'
import { ValidationError } from '../core/errors.ts'
import { findNetwork, highValueConfirmations, type Network, type Networks, type Token } from '../core/families.ts'
import { parseAmount, zero } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { Caller } from '../merchant/caller.ts'
import { leastOf } from '../merchant/merchant-settings.ts'
import type { Ledger } from '../payment/ledger.ts'
import { type Attachments, type CommonFields, lateWindowMs, type Payment, type PaymentId } from '../payment/payment.ts'
import { loadPayment } from '../payment/payment-store.ts'
import { isOwn, mayFail } from './access.ts'
import type { ClientSecrets } from './client-secret.ts'
import {
  findAnswer,
  type IdempotencyKey,
  type IdempotentRequest,
  idempotencyScope,
  requestDigest,
  type StoredAnswer,
  saveAnswer,
} from './idempotency-store.ts'
import { makeRoom, saveOpener } from './open-payments-store.ts'

export type NewPayment = { [Name in keyof Attachments]?: Attachments[Name] | undefined } & {
  amount: string | number
  currency: string
  network: string
  autonomous?: boolean | undefined
  /** The payment that this one replaces, because the customer chose again within one checkout. */
  existingPaymentId?: string | undefined
}

/**
 * `response` is stored with the payment, and a repeat gets the same. `clientSecret` is undefined for a repeat by a caller who
 * may not be the one that created the payment.
 */
export type CreatedPayment<Response> = {
  id: PaymentId
  response: Response
  isReplay: boolean
  clientSecret: string | undefined
}

/** A payment that is being created: its network, token and wallet, and the fields of every mode. */
type Draft = { network: Network; token: Token; merchantWallet: string; common: CommonFields }

type CreateRequest = {
  caller: Caller
  endpoint: string
  key: IdempotencyKey | undefined
  body: NewPayment
  /** Throws when a new live payment cannot be paid now. Not called for a repeat. */
  verifyNew: (payment: Payment) => void
  /** The money fields of the request, where they differ from those of the payment. */
  money?: MoneyFields
}

/** The money fields of a request: `terms` as canonical text, `asked` as text for a person. */
export type MoneyFields = { terms: string; asked: string }

/** A request with its idempotency key, before a payment is created for it. */
type Repeatable = {
  caller: Caller
  endpoint: string
  key: IdempotencyKey | undefined
  money: MoneyFields
  body: Parameters<typeof requestDigest>[1]
}

/** Throws a `ValidationError` for a URL that no webhook would be delivered to. */
export type VerifyCallbackUrl = (url: string | null | undefined) => void

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  heads: Heads
  runtime: Runtime
  limits: RateLimits
  clientSecrets: ClientSecrets
  verifyCallbackUrl: VerifyCallbackUrl
}

export type PaymentMaker = ReturnType<typeof createPaymentMaker>

/** The part of creating that all modes of payment share: checks the fields, and stores the payment once. */
export function createPaymentMaker({
  db,
  ledger,
  networks,
  heads,
  runtime,
  limits,
  clientSecrets,
  verifyCallbackUrl,
}: Deps) {
  /** @throws {ValidationError} naming the field and the rule. */
  function draft(caller: Caller, body: NewPayment, windowMs: number): Draft {
    checkAgentPair(body)
    verifyCallbackUrl(body.callbackUrl)
    const { network, token } = supported(networks, body.network, body.currency)
    const merchantWallet = caller.wallets.get(network.shortName)
    if (merchantWallet === undefined) {
      const message = `No settlement wallet is configured for ${network.name} (${network.shortName}).`
      throw new ValidationError(message, 'WALLET_MISSING')
    }
    const due = parseAmount(body.amount, token.decimals)
    const createdAtMs = runtime.nowMs()
    const expiresAtMs = createdAtMs + windowMs
    // The window is judged by block times: a host clock behind the chain's must not shorten it.
    const chainTimeMs = caller.isTest ? 0 : (heads.get(network.shortName)?.timeMs ?? 0)
    const windowEndsAtMs = Math.max(expiresAtMs, chainTimeMs + windowMs)
    const common: CommonFields = {
      id: runtime.newUuid() as PaymentId,
      merchantId: caller.merchantId,
      merchantName: caller.merchantName,
      isTest: caller.isTest,
      madeWith: caller.keyKind,
      network: network.shortName,
      currency: token.symbol,
      tokenAddress: token.address,
      tokenDecimals: token.decimals,
      due,
      least: leastOf(due, token.decimals, caller.settings.tolerance),
      confirmations: highValueConfirmations(network, due, token),
      seen: zero,
      received: zero,
      late: zero,
      lastBlock: null,
      lastTxId: null,
      windowEnded: false,
      acceptedUntilMs: caller.settings.latePayments === 'accept' ? windowEndsAtMs + lateWindowMs : null,
      lateEnded: false,
      lateTaken: false,
      closedAs: null,
      status: 'pending',
      version: 1,
      sequence: 0,
      createdAtMs,
      expiresAtMs,
      windowEndsAtMs,
      detectedAtMs: null,
      confirmedAtMs: null,
      orderId: body.orderId ?? null,
      customerEmail: body.customerEmail ?? null,
      callbackUrl: body.callbackUrl ?? null,
      metadata: body.metadata ?? null,
      agentId: body.agentId ?? null,
      agentOwner: body.agentOwner ?? null,
    }
    return { network, token, merchantWallet, common }
  }

  /** Stores the payment, or finds the response that the same request got before. */
  async function store<Response extends object>(
    { caller, endpoint, key, body, verifyNew, money }: CreateRequest,
    payment: Payment,
    responseOf: (created: Payment) => Response,
  ): Promise<CreatedPayment<Response>> {
    const request = key && repeatOf({ caller, endpoint, key, body, money: money ?? moneyOf(payment, body) }, key)
    return await db.write(async (tx) => {
      const answer = request && (await findAnswer(tx, request))
      if (answer !== undefined) return replayed<Response>(caller, key, answer)
      if (!payment.isTest) verifyNew(payment)
      if (body.existingPaymentId !== undefined) await cancelExisting(tx, caller, body.existingPaymentId as PaymentId)
      await checkAgentPolicy(tx, payment, body.autonomous === true)
      await makeRoom(tx, caller, limits.openPayments, expireEarly)
      const created = await ledger.createIn(tx, payment)
      await saveOpener(tx, created.id, caller, limits.openPayments)
      const response = responseOf(created)
      if (request) await saveAnswer(tx, { ...request, paymentId: created.id, answer: JSON.stringify(response) })
      return { id: created.id, response, isReplay: false, clientSecret: clientSecrets.of(created.id) }
    })
  }

  /** The response that the same request got before: for modes in which a new payment costs a call to another service. */
  async function replay<Response>(repeatable: Repeatable): Promise<CreatedPayment<Response> | undefined> {
    const { caller, key } = repeatable
    if (key === undefined) return undefined
    const answer = await db.read((tx) => findAnswer(tx, repeatOf(repeatable, key)))
    return answer && replayed<Response>(caller, key, answer)
  }

  /**
   * Anybody may hold the public key, and an order id or a body can be guessed, as can a header key that is not random: only
   * a header key that comes from the same address proves that the repeat comes from the creator of the payment.
   */
  function replayed<Response>(
    caller: Caller,
    key: IdempotencyKey | undefined,
    { paymentId, json, isSameClient }: StoredAnswer,
  ): CreatedPayment<Response> {
    const isCreator = caller.kind === 'api' || (key?.kind === 'header' && isSameClient)
    const response = JSON.parse(json) as Response
    return {
      id: paymentId,
      response,
      isReplay: true,
      clientSecret: isCreator ? clientSecrets.of(paymentId) : undefined,
    }
  }

  function repeatOf({ caller, endpoint, body, money }: Repeatable, key: IdempotencyKey): IdempotentRequest {
    return {
      scope: idempotencyScope(caller, endpoint, key),
      kind: key.kind,
      credential: caller.kind,
      client: caller.client,
      ...money,
      digest: requestDigest(money.terms, body),
      nowMs: runtime.nowMs(),
    }
  }

  /** @returns whether the payment has ended; it does not when money was seen for it. */
  async function expireEarly(tx: Tx, id: PaymentId): Promise<boolean> {
    const ended = await ledger.applyIn(tx, id, { type: 'payment.closed', as: 'expired', atMs: runtime.nowMs() })
    return ended?.status === 'expired'
  }

  /** Cancels the replaced payment unless money was seen for it. A payment that the caller may not end is left without an error. */
  async function cancelExisting(tx: Tx, caller: Caller, id: PaymentId): Promise<void> {
    const existing = await loadPayment(tx, id)
    if (!isOwn(caller, existing) || !mayFail({ caller, hasClientSecret: false }, existing)) return
    await ledger.applyIn(tx, id, { type: 'payment.closed', as: 'cancelled', atMs: runtime.nowMs() })
  }

  return { draft, store, replay }
}

const moneyOf = ({ due, currency, network, mode }: Payment, { amount }: NewPayment): MoneyFields => ({
  terms: `${due} ${currency} on ${network} by ${mode}`,
  asked: `${amount} ${currency} on ${network}`,
})

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
