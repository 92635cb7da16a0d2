import { checkAgentPair, isAgentOfStranger, verifyKeyless } from '../access/callers/agent-key.ts'
import type { ClientSecrets } from '../access/callers/client-secret.ts'
import { verifyReturnUrl } from '../access/callers/key-origins.ts'
import type { Caller } from '../access/context/caller.ts'
import { digestWithNetwork } from '../access/http/client-address.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { IdempotencyKey } from '../access/operation/idempotency-key.ts'
import { highValueConfirmations, type Network, type Networks, type Token } from '../core/families.ts'
import { parseAmount } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import { leastOf, takesSignatures } from '../merchant/merchant-settings.ts'
import { payableWallet, verifyWallet, walletMissing } from '../merchant/wallets.ts'
import { refuseFreeNetwork } from '../network/free-network.ts'
import type { Heads } from '../network/heads.ts'
import { supportedToken } from '../network/supported-token.ts'
import { initialProgress } from '../payment/initial-state.ts'
import type { Ledger } from '../payment/ledger.ts'
import { type Attachments, type CommonFields, lateWindowMs, type Payment, type PaymentId } from '../payment/payment.ts'
import { loadPayment } from '../payment/store/payment-store.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import { isOfCaller, mayFail } from './access.ts'
import type { AgentGuard } from './agent-guard.ts'
import {
  findResponse,
  type IdempotentRequest,
  idempotencyScope,
  requestDigest,
  type StoredResponse,
  saveResponse,
} from './idempotency-store.ts'
import { type MoneyFields, moneyOfPayment, moneyOfPrice } from './money-fields.ts'
import { linkOpenMax, makeRoom, saveOpener } from './open-payments-store.ts'
import { askedPriceOf, createPricing, type MoneyAsked, type PricedMoney } from './price.ts'

export type NewPayment = { [Name in keyof Attachments]?: Attachments[Name] | undefined } & MoneyAsked & {
    currency: string
    network: string
    autonomous?: boolean | undefined
    /** The payment that this one replaces when the customer chooses again within one checkout. */
    existingPaymentId?: string | undefined
  }

/** A request after conversion of its price, if it has one. */
export type PricedPayment = NewPayment & PricedMoney

/**
 * `response` is stored with the payment and returned to repeats. `clientSecret` is undefined when a repeat may come
 * from someone other than the payment's creator.
 */
export type CreatedPayment<Response> = {
  id: PaymentId
  response: Response
  isReplay: boolean
  clientSecret: string | undefined
}

/** A payment that is being created: its network, token and wallet, and the fields of every mode. */
type Draft = { network: Network; token: Token; merchantWallet: string; common: CommonFields }

type CreateRequest<Body extends NewPayment = NewPayment> = {
  caller: Caller
  endpoint: string
  key: IdempotencyKey | undefined
  body: Body
  /** Throws when a new live payment cannot be paid now. Not called for a repeat. */
  verifyNew: (payment: Payment) => void
  /** The money fields of the request, if they differ from those of the payment. */
  money?: MoneyFields
  /** Sets the fields of a new payment that only its commit can decide, such as a deposit address. */
  complete?: (tx: Tx, payment: Payment) => Promise<Payment>
  /** Runs in the commit that stores a new payment. An error rolls the payment back. */
  within?: Within | undefined
}

export type Within = (tx: Tx, created: Payment) => Promise<void>

/** A request with its idempotency key, before a payment is created for it. */
type Repeatable = {
  caller: Caller
  endpoint: string
  key: IdempotencyKey | undefined
  money: MoneyFields
  body: Parameters<typeof requestDigest>[1]
}

/** @throws {ValidationError} for a URL that webhooks are never delivered to. */
export type VerifyCallbackUrl = (url: string | null | undefined) => void

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  heads: Heads
  runtime: Runtime
  limits: RateLimits
  agents: AgentGuard
  clientSecrets: ClientSecrets
  /** Digest of the address of a client with a public key. */
  clientDigest: (address: string) => string
  verifyCallbackUrl: VerifyCallbackUrl
  readRates: ReadRates
}

export type PaymentMaker = ReturnType<typeof createPaymentMaker>

/** The part of creating a payment that all modes share: checks the fields and stores the payment once. */
export function createPaymentMaker({
  db,
  ledger,
  networks,
  heads,
  runtime,
  limits,
  agents,
  clientSecrets,
  clientDigest,
  verifyCallbackUrl,
  readRates,
}: Deps) {
  const price = createPricing({ networks, readRates, runtime })

  /**
   * Stores the payment that `draftOf` makes, or returns the stored response to a repeat. Repeats are found before the
   * price is converted, so a repeat keeps its rate even if none is available now.
   */
  async function create<Response extends object, Body extends NewPayment>(
    request: CreateRequest<Body> & { mode: Payment['mode'] },
    draftOf: (body: Body & PricedMoney) => Payment,
    responseOf: (created: Payment) => Response,
  ): Promise<CreatedPayment<Response>> {
    const { body, mode } = request
    const asked = askedPriceOf(body)
    if (asked === null) return await store(request, draftOf(await price(body)), responseOf)
    const money = moneyOfPrice(asked, body, mode)
    const before = await replay<Response>({ ...request, money })
    return before ?? (await store({ ...request, money }, draftOf(await price(body)), responseOf))
  }

  /** @throws {ValidationError} naming the field and the rule. */
  function draft(caller: Caller, body: PricedPayment, windowMs: number): Draft {
    checkAgentPair(body)
    verifyCallbackUrl(body.callbackUrl)
    verifyReturnUrl(caller, body)
    const { network, token } = supportedToken(networks, body.network, body.currency)
    // With a public key the customer chooses the network, which must not be one with free tokens.
    if (caller.kind === 'public' && !caller.isTest) refuseFreeNetwork(networks, network, caller.wallets)
    const merchantWallet = caller.isTest ? caller.wallets.get(network.shortName) : payableWallet(caller, network)
    if (merchantWallet === undefined) throw walletMissing(network)
    const due = parseAmount(body.amount, token.decimals)
    const createdAtMs = runtime.nowMs()
    const expiresAtMs = createdAtMs + windowMs
    // A transfer's block time decides whether it is in the window: a slow host clock must not shorten the window.
    const chainTimeMs = caller.isTest ? 0 : (heads.get(network.shortName)?.timeMs ?? 0)
    const windowEndsAtMs = Math.max(expiresAtMs, chainTimeMs + windowMs)
    // Otherwise anyone with the public key or a link could reserve an agent's budget for the week in which late money is accepted.
    const isOpenToAnyone = caller.kind === 'public' && body.agentId != null
    const acceptsLate = caller.settings.latePayments === 'accept' && !isOpenToAnyone
    const common: CommonFields = {
      id: runtime.newUuid() as PaymentId,
      merchantId: caller.merchantId,
      merchantName: caller.merchantName,
      takesSignatures: takesSignatures(caller.settings),
      isTest: caller.isTest,
      madeWith: caller.keyKind,
      network: network.shortName,
      currency: token.symbol,
      tokenAddress: token.address,
      tokenDecimals: token.decimals,
      due,
      least: leastOf(due, token.decimals, caller.settings.tolerance),
      price: body.converted,
      dollarRate: body.dollarRate,
      confirmations: highValueConfirmations(network, due, {
        tokenDecimals: token.decimals,
        dollarRate: body.dollarRate,
      }),
      ...initialProgress,
      acceptedUntilMs: acceptsLate ? windowEndsAtMs + lateWindowMs : null,
      sequence: 0,
      createdAtMs,
      expiresAtMs,
      windowEndsAtMs,
      orderId: body.orderId ?? null,
      customerEmail: body.customerEmail ?? null,
      callbackUrl: body.callbackUrl ?? null,
      returnUrl: body.returnUrl ?? null,
      linkId: body.linkId ?? null,
      metadata: body.metadata ?? null,
      agentId: body.agentId ?? null,
      agentOwner: body.agentOwner ?? null,
    }
    return { network, token, merchantWallet, common }
  }

  /** Stores the payment, or returns the stored response to a repeat. */
  async function store<Response extends object>(
    { caller, endpoint, key, body, verifyNew, money, complete, within }: CreateRequest,
    payment: Payment,
    responseOf: (created: Payment) => Response,
  ): Promise<CreatedPayment<Response>> {
    const isByLink = payment.linkId !== null
    const client = caller.kind === 'public' ? digestWithNetwork(clientDigest, caller.address) : ''
    const opener = { kind: caller.kind, id: caller.id, client, isByLink }
    const openMax = isByLink ? linkOpenMax(limits.openPayments) : limits.openPayments
    const request =
      key &&
      repeatOf({ caller, endpoint, key, body, money: money ?? moneyOfPayment(payment, body) }, key, clientOf(caller))
    const storing = db.write(async (tx) => {
      const [stored, receivers] = await Promise.all([
        request && findResponse(tx, request),
        ledger.createdReceivers(tx, payment),
      ])
      if (stored !== undefined) return replayed<Response>(caller, key, stored)
      if (!payment.isTest) verifyNew(payment)
      if (body.existingPaymentId !== undefined) await cancelExisting(tx, caller, body.existingPaymentId as PaymentId)
      if (isAgentOfStranger(caller, payment)) await verifyKeyless(tx, payment)
      const logDecision = await agents.checkCreate(tx, payment, body.autonomous === true)
      await makeRoom(tx, opener, openMax, expireEarly)
      const whole = complete === undefined ? payment : await complete(tx, payment)
      if (!payment.isTest) await verifyWallet(tx, caller, payment.network)
      const created = await ledger.createIn(tx, whole, receivers)
      await logDecision(created)
      await saveOpener(tx, created.id, opener, openMax)
      await within?.(tx, created)
      const response = responseOf(created)
      if (request) await saveResponse(tx, { ...request, payment: created, answer: JSON.stringify(response) })
      return { id: created.id, response, isReplay: false, clientSecret: clientSecrets.of(created.id) }
    })
    return await storing.catch(async (error: unknown) => {
      await agents.logRefusal(payment, error)
      throw error
    })
  }

  /** Returns the stored response to a repeat. For modes in which a new payment costs a call to another service. */
  async function replay<Response>(repeatable: Repeatable): Promise<CreatedPayment<Response> | undefined> {
    const { caller, key } = repeatable
    if (key === undefined) return undefined
    const stored = await db.read((tx) => findResponse(tx, repeatOf(repeatable, key, clientOf(caller))))
    return stored && replayed<Response>(caller, key, stored)
  }

  /**
   * Anyone may hold the public key, and order ids, bodies and non-random header keys can be guessed. Only a header key
   * from the same address proves that the repeat comes from the payment's creator.
   */
  function replayed<Response>(
    caller: Caller,
    key: IdempotencyKey | undefined,
    { paymentId, json, isSameClient }: StoredResponse,
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

  /**
   * Empty for the merchant's server. An agent and a signed-in person repeat only their own requests, because the response holds the
   * client secret.
   */
  function clientOf({ kind, scope, session, id, address }: Caller): string {
    if (kind === 'public') return clientDigest(address)
    return scope === 'agent' || session ? id : ''
  }

  function repeatOf(
    { caller, endpoint, body, money }: Repeatable,
    key: IdempotencyKey,
    client: string,
  ): IdempotentRequest {
    return {
      scope: idempotencyScope(caller, endpoint, key),
      kind: key.kind,
      credential: caller.kind,
      client,
      ...money,
      digest: requestDigest(money.terms, body),
      nowMs: runtime.nowMs(),
    }
  }

  /** @returns whether the payment ended; false when money was detected for it. */
  async function expireEarly(tx: Tx, id: PaymentId): Promise<boolean> {
    const ended = await ledger.applyIn(tx, id, { type: 'payment.closed', as: 'expired', atMs: runtime.nowMs() })
    return ended?.status === 'expired'
  }

  /** Cancels the replaced payment unless money was detected for it. Skips a payment that the caller may not end. */
  async function cancelExisting(tx: Tx, caller: Caller, id: PaymentId): Promise<void> {
    const existing = await loadPayment(tx, id)
    if (caller.scope === 'agent' || !isOfCaller(caller, existing)) return
    if (!mayFail({ caller, hasClientSecret: false }, existing)) return
    await ledger.applyIn(tx, id, { type: 'payment.closed', as: 'cancelled', atMs: runtime.nowMs() })
  }

  return { draft, price, create, store, replay }
}
