import { type AgentFields, agentOwnerOf, boundToAgent } from '../../access/callers/agent-key.ts'
import { type Caller, visitorOf } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { currencyOf, limitCurrency, type Networks } from '../../core/families.ts'
import { numberText, parseAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isFreeNetwork, refuseFreeNetwork } from '../../network/free-network.ts'
import { supportedNetwork } from '../../network/supported-token.ts'
import type { Attachments } from '../../payment/payment.ts'
import type { ReadRates } from '../../rates/read-rates.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import { idempotencyScope } from '../idempotency-store.ts'
import { moneyOfLink } from '../money-fields.ts'
import type { VerifyCallbackUrl } from '../payment-maker.ts'
import { type AskedPrice, askedPriceOf, createPriceConversion, type MoneyAsked } from '../price.ts'
import { allowsToken, type Link, type LinkId, type LinkMoney, type LinkToken, linkStateOf } from './link.ts'
import { findLinkAnswer, saveLinkAnswer } from './link-key-store.ts'
import { countOpening, endLink, insertLink, type LinkSearch, listLinks, loadLink } from './link-store.ts'

export const linkPrefix = 'pl_'
/** 144 bits: not guessable, and short enough for a small QR code. */
const idBytes = 18

export type LinkTerms = MoneyAsked & {
  [Name in 'orderId' | 'callbackUrl' | 'returnUrl' | 'metadata']?: Attachments[Name] | undefined
} & {
  network?: string | undefined
  currency?: string | undefined
  choices?: readonly LinkToken[] | undefined
  toleranceBps?: number | undefined
  description?: string | undefined
  maxPayments: number
  /** ISO 8601. */
  expiresAt?: string | undefined
  /** Default: the caller's mode. */
  isTest?: boolean | undefined
}

/** The customer's choices for a payment of a link. */
export type LinkChoice = { network: string; currency: string; customerEmail?: string | undefined }

const notFound = (id: string) => new PaymentError('LINK_NOT_FOUND', `There is no payment link ${id}.`)

const closed = (why: string) =>
  new PaymentError('LINK_CLOSED', `This payment link ${why}; ask the shop for a new one. Nothing was charged.`)

const whyClosed = { ended: 'was ended by the shop', paid: 'was paid already', expired: 'has expired' } as const

/** @throws {PaymentError} LINK_CLOSED. */
function verifyOpen(link: Link, nowMs: number): void {
  const state = linkStateOf(link, nowMs)
  if (state !== 'open') throw closed(whyClosed[state])
  if (link.paid + link.underWay >= link.paymentsMax) throw closed('is being paid by another customer')
}

type Deps = {
  db: Db
  networks: Networks
  runtime: Runtime
  readRates: ReadRates
  createDeposit: ReturnType<typeof createDeposits>
  verifyCallbackUrl: VerifyCallbackUrl
}

export type Links = ReturnType<typeof createLinks>

/** Manages payment links, and creates their customers' payments. */
export function createLinks({ db, networks, runtime, readRates, createDeposit, verifyCallbackUrl }: Deps) {
  const convertPrice = createPriceConversion({ readRates, runtime })

  /** Tokens that can pay a link with these terms. @throws {ValidationError} when there is none. */
  function choicesOf({ wallets, isTest }: Caller, terms: LinkTerms) {
    const { network, currency } = terms
    const link = {
      network: null,
      currency: currency?.toUpperCase() ?? null,
      choices: terms.choices ?? null,
      amount: terms.price === undefined ? '' : null,
    }
    if (network !== undefined) {
      const named = supportedNetwork(networks, network)
      if (!isTest) refuseFreeNetwork(networks, named, wallets)
    }
    const owned = [...networks.values()]
      .filter(({ shortName }) => wallets.has(shortName) && (network?.toLowerCase() ?? shortName) === shortName)
      .filter(({ shortName }) => isTest || !isFreeNetwork(networks, shortName, wallets))
      .flatMap(({ shortName, tokens }) =>
        tokens.map(({ symbol, currency, decimals }) => ({ shortName, symbol, peg: currency, decimals })),
      )
      .filter(({ symbol }) => (currency?.toUpperCase() ?? symbol) === symbol)
    const choices = owned.filter(({ shortName, symbol, peg }) =>
      allowsToken(link, { network: shortName, currency: symbol }, peg),
    )
    if (choices.length > 0) return choices
    if (owned.length > 0 && link.amount !== null && link.currency === null) {
      throw new ValidationError(
        'currency is required with amount: without a token the amount is in dollars, and no token of the dollar is accepted; or send price with priceCurrency',
      )
    }
    const asked = [currency && ` for ${currency}`, network && ` on ${network}`].filter(Boolean).join('')
    throw new ValidationError(`No settlement wallet is configured${asked}.`, 'WALLET_MISSING')
  }

  function moneyOf(terms: LinkTerms, choices: ReturnType<typeof choicesOf>): LinkMoney {
    const price = askedPriceOf(terms)
    if (price !== null) return { amount: null, price }
    const amount = typeof terms.amount === 'number' ? numberText(terms.amount) : String(terms.amount)
    for (const { decimals } of choices) parseAmount(amount, decimals)
    return { amount, price: null }
  }

  /**
   * Customers choose among the tokens that have a rate: one of another currency than the price may have none.
   * @throws {PaymentError} NO_RATE (400) when no token has a rate in the price's currency.
   */
  async function verifyRates(price: AskedPrice, choices: ReturnType<typeof choicesOf>): Promise<void> {
    const tokens = new Map(choices.map(({ symbol, peg }) => [symbol, { symbol, currency: peg }]))
    let refusal: unknown
    let payable = 0
    for (const token of tokens.values()) {
      const isPayable = await convertPrice(price, token).then(
        () => true,
        (error: unknown) => {
          // A rate that is only outdated now will be current when a customer pays.
          if (error instanceof PaymentError && error.status === 503) return true
          refusal ??= error
          return false
        },
      )
      if (isPayable) payable += 1
    }
    if (payable === 0) throw refusal
  }

  /** The caller's own link. A test-mode caller can access only test links. @throws {PaymentError} LINK_NOT_FOUND. */
  async function own(caller: Caller, id: LinkId): Promise<Link> {
    const link = await db.read((tx) => loadLink(tx, id))
    if (link?.merchantId !== caller.merchantId || (caller.isTest && !link.isTest)) throw notFound(id)
    return link
  }

  const newLinkId = (): LinkId =>
    `${linkPrefix}${Buffer.from(runtime.randomBytes(idBytes)).toString('base64url')}` as LinkId

  const find = (id: LinkId): Promise<Link | undefined> => db.read((tx) => loadLink(tx, id))

  async function readIn(tx: Tx, id: LinkId): Promise<Link> {
    const link = await loadLink(tx, id)
    if (!link) throw notFound(id)
    return link
  }

  /** Any merchant's link, because the id is the right to pay it. @throws {PaymentError} LINK_NOT_FOUND. */
  const read = (id: LinkId): Promise<Link> => db.read((tx) => readIn(tx, id))

  return {
    own,
    find,
    read,
    /** For a link whose terms name its own id. */
    newId: newLinkId,
    visitor: (link: Link, address: string): Promise<Caller> => visitorOf(db, link, address),

    /**
     * Creates a link. A repeat returns the stored response, even if a rate is unavailable now. `id`: the new link's id, from `newId`.
     * `within` runs in the commit that stores it.
     */
    async create<Response extends object>(
      { key, ...by }: { caller: Caller; key: IdempotencyKey | undefined },
      terms: LinkTerms,
      responseOf: (created: Link) => Response,
      { id = newLinkId(), within }: { id?: LinkId; within?: (tx: Tx, created: Link) => Promise<void> } = {},
    ): Promise<{ response: Response; isReplay: boolean }> {
      const { agentId = null } = boundToAgent<AgentFields>(by.caller, {
        callbackUrl: terms.callbackUrl,
        returnUrl: terms.returnUrl,
      })
      const caller = { ...by.caller, isTest: terms.isTest ?? by.caller.isTest }
      const choices = choicesOf(caller, terms)
      const money = moneyOf(terms, choices)
      const nowMs = runtime.nowMs()
      const link = {
        ...money,
        id,
        merchantId: caller.merchantId,
        isTest: caller.isTest,
        network: terms.network?.toLowerCase() ?? null,
        currency: terms.currency?.toUpperCase() ?? null,
        choices: terms.choices ?? null,
        toleranceBps: terms.toleranceBps ?? null,
        description: terms.description ?? null,
        paymentsMax: terms.maxPayments,
        expiresAtMs: terms.expiresAt === undefined ? null : Date.parse(terms.expiresAt),
        orderId: terms.orderId ?? null,
        callbackUrl: terms.callbackUrl ?? null,
        returnUrl: terms.returnUrl ?? null,
        metadata: terms.metadata ?? null,
        agentId,
        isSale: caller.till !== undefined,
        createdAtMs: nowMs,
      }
      const request = key && {
        scope: idempotencyScope(caller, scopeOfMaker(caller, agentId), key),
        kind: key.kind,
        ...moneyOfLink(money, link),
        nowMs,
      }
      const replayed = (answer: string) => ({ response: JSON.parse(answer) as Response, isReplay: true })
      const before = request && (await db.read((tx) => findLinkAnswer(tx, request)))
      if (before !== undefined) return replayed(before)
      verifyCallbackUrl(terms.callbackUrl)
      if (link.expiresAtMs !== null && link.expiresAtMs <= nowMs) {
        throw new ValidationError('expiresAt must be in the future')
      }
      if (money.price) await verifyRates(money.price, choices)
      return await db.write(async (tx) => {
        // A concurrent request may have created the link since the first check.
        const stored = request && (await findLinkAnswer(tx, request))
        if (stored !== undefined) return replayed(stored)
        await insertLink(tx, link)
        const created = await loadLink(tx, link.id)
        if (!created) throw new Error(`The payment link ${link.id} was not stored.`)
        await within?.(tx, created)
        const response = responseOf(created)
        if (request) saveLinkAnswer(tx, { ...request, linkId: link.id, answer: JSON.stringify(response) })
        return { response, isReplay: false }
      })
    },

    /** Newest first, at most `limit`. */
    list: (search: LinkSearch) => db.read((tx) => listLinks(tx, search)),

    /** Ends the link: no new payments; open payments can still be paid. A repeat changes nothing. */
    async end(caller: Caller, id: LinkId): Promise<Link> {
      await own(caller, id)
      await db.write((tx) => endLink(tx, id, runtime.nowMs()))
      return await own(caller, id)
    },

    /** Counts a page view. */
    opened: (id: LinkId) => db.write((tx) => countOpening(tx, id)),

    /**
     * Creates a deposit with the link's terms and the customer's choices.
     * @param endpoint - The endpoint that scopes the key. A key that no client chose can be guessed, and a repeat receives the client
     * secret.
     * @throws {PaymentError} LINK_CLOSED.
     */
    async pay(
      link: Link,
      visitor: Caller,
      request: RequestInfo,
      choice: LinkChoice,
      key: IdempotencyKey | undefined,
      endpoint: 'till/sales' | `links/${string}/create` = `links/${link.id}/create`,
    ) {
      verifyOpen(link, runtime.nowMs())
      const { amount, price, orderId, callbackUrl, returnUrl, metadata, agentId } = link
      const money = price ? { price: price.amount, priceCurrency: price.currency } : { amount }
      const isOther = (fixed: string | null, chosen: string) => fixed !== null && fixed !== chosen
      if (isOther(link.network, choice.network.toLowerCase())) {
        throw new ValidationError(`network must be ${link.network}, as the payment link says`)
      }
      if (isOther(link.currency, choice.currency.toUpperCase())) {
        throw new ValidationError(`currency must be ${link.currency}, as the payment link says`)
      }
      const chosen = { network: choice.network.toLowerCase(), currency: choice.currency.toUpperCase() }
      const standsFor = currencyOf(networks, chosen.currency) ?? limitCurrency
      if (!allowsToken(link, chosen, standsFor)) {
        throw new ValidationError('network and currency must be a pair that the payment link allows')
      }
      const agentOwner = agentId === null ? null : agentOwnerOf(link)
      const attached = { orderId, callbackUrl, returnUrl, metadata, agentId, agentOwner, linkId: link.id }
      const body = { ...choice, ...(money as MoneyAsked), ...attached }
      // Until here nodes and rates were waited for, and the shop may have ended the link.
      const within = async (tx: Tx) => verifyOpen(await readIn(tx, link.id), runtime.nowMs())
      return await createDeposit(withTolerance(visitor, link), request, body, key, endpoint, within)
    },
  }
}

/** Separate scopes, because agents, tills and people may choose the same keys and order ids as the merchant's server or each other. */
function scopeOfMaker({ till, session }: Caller, agentId: string | null): string {
  if (till) return `till ${till.id} links`
  if (session) return `person ${session.personId} links`
  return agentId === null ? 'links' : `agent ${agentId} links`
}

/** The cap protects the merchant's default tolerance on large orders. A link that sets its own tolerance has no cap. */
const noCapMicros = 10n ** 18n

/** The visitor with the link's tolerance, if any, in place of the merchant's setting. */
function withTolerance(visitor: Caller, { toleranceBps }: Link): Caller {
  if (toleranceBps === null) return visitor
  return { ...visitor, settings: { ...visitor.settings, tolerance: { bps: toleranceBps, maxMicros: noCapMicros } } }
}
