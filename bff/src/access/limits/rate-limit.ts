import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { PaymentError } from '../../core/errors.ts'
import type { Caller } from '../context/caller.ts'
import type { Env } from '../context/env.ts'
import { type ClientAddress, createClientAddress, networkOf } from '../http/client-address.ts'

/** Calls per window, and payments and streams that may be open at once. */
export const defaultLimits = {
  windowSeconds: 60,
  /** Creates with one public key from one address. A customer needs one, an office a few. */
  creates: 60,
  /**
   * Creates with one public key from one address in a day: each may store 75 kB, a part of it for good. More than a large shop sells whose
   * server or unlisted proxy is the address, because it would be refused for hours.
   */
  createsPerDay: 12_000,
  calls: 600,
  /** Creates of one agent with one key. */
  agentCalls: 60,
  /** Calls with one API key, from all addresses. */
  secretCalls: 6_000,
  /** Changes of one person that the audit log records, refused ones too: its entries are kept for good, and a flood would bury others'. */
  changes: 60,
  /** Calls from one address without a key, or to what anybody may read. */
  openCalls: 600,
  /** Authorizations from one address, whoever signed them. A customer sends one, and checking it asks a node. */
  signatures: 30,
  /** Bridge quotes for one address or IPv6 network. Each calls a hosted API with this service's key; a customer compares a few. */
  quotes: 20,
  /** Bridge quotes of one merchant, whoever asks, so that no shop uses up the bridge's limit for all. */
  merchantQuotes: 200,
  /** Dashboard sign-in attempts from one address, each of two requests. An office has some people. */
  signIns: 60,
  /** Attempts with one passkey from one address. Counted per address, so that a stranger cannot lock out the owner. */
  signInsPerPasskey: 10,
  /** Failed authentications from one address, to slow down broken clients. Keys of 144 bits need no protection against guessing. */
  failures: 60,
  /** Open payments without money created with one public key. At this number, the oldest one of the busiest address is ended. */
  openPayments: 1_000,
  /** Open payments from one address, with or without money: a customer pays one; an office or a street, some dozens at a time. */
  openPaymentsPerAddress: 100,
  /** Webhooks that the keys of a merchant's shops have sent again. Each stores a body of up to 32 kB. */
  redeliveries: 60,
  /** Event streams open to one address, at all replicas. A page holds one, an office has some pages. */
  streams: 30,
}

export type Limits = typeof defaultLimits

/** Creates from a whole IPv6 network (a /48), as a multiple of one address's: the network has 65,536 counted addresses. */
const networkFactor = 10

const daySeconds = 24 * 60 * 60

/** The cookie of the dashboard or of a till, valid or not. */
const sessionCookie = /(?:^|;\s*)(?:__Host-)?checkout-(?:session|till)=/

/**
 * Whether the request has a key or cookie, valid or not. A call with one counts as anonymous only if nothing
 * accepted it.
 */
function claimsCaller(c: Context<Env>): boolean {
  const hasKey = c.req.header('x-public-key') !== undefined || c.req.header('x-api-key') !== undefined
  const hasStoreKey = /^token\s/i.test(c.req.header('authorization') ?? '')
  return hasKey || hasStoreKey || sessionCookie.test(c.req.header('cookie') ?? '')
}

/** How many payments created with one public key may be open at once: without money in all, and from one address. */
export type OpenPaymentsMax = { perKey: number; perAddress: number }

/** Every method that counts throws `RATE_LIMITED` above its limit. */
export type RateLimits = {
  /** Wraps the routes, and counts calls without an authenticated caller. */
  anybody: MiddlewareHandler<Env>
  /** Call before a route does something for a request without a caller. Counts each request once. */
  open(c: Context<Env>): Promise<void>
  /** For open routes, where keys are not checked and do not matter. */
  unauthenticated: MiddlewareHandler<Env>
  /** Call after credentials were refused. */
  failed(c: Context<Env>): Promise<void>
  /** Call after credentials were accepted. Counts as the create of a payment if the operation declares that. */
  called(c: Context<Env>, caller: Caller): Promise<void>
  /** Call before an agent's payment is created. Counted per key, so that a public key's holder cannot use up a server's calls. */
  agentCalled(caller: Caller, agentId: string | null | undefined): Promise<void>
  /** Call before the bridge is asked for a quote. */
  quoted(caller: Caller): Promise<void>
  /** Call before a webhook of a shop is sent again. */
  redelivered(caller: Caller): Promise<void>
  /** Runs before an authorization is checked. */
  signed: MiddlewareHandler<Env>
  /** Runs before an attempt to sign in to the dashboard. */
  signIns: MiddlewareHandler<Env>
  /** Call before a passkey is verified. */
  signsInWith(c: Context<Env>, passkeyId: string): Promise<void>
  /** For one public key. Null: unlimited. */
  openPayments: OpenPaymentsMax | null
  /** At this replica. Null: unlimited. */
  streamsPerAddressMax: () => number | null
  addressOf: ClientAddress
}

/** For load tests, and for services whose proxy limits the rates. */
export const createNoRateLimits = (trustedProxies: readonly string[]): RateLimits => ({
  anybody: (_, next) => next(),
  open: async () => {},
  unauthenticated: (_, next) => next(),
  failed: async () => {},
  called: async () => {},
  agentCalled: async () => {},
  quoted: async () => {},
  redelivered: async () => {},
  signed: (_, next) => next(),
  signIns: (_, next) => next(),
  signsInWith: async () => {},
  openPayments: null,
  streamsPerAddressMax: () => null,
  addressOf: createClientAddress(trustedProxies),
})

/** Rejects with a `RateLimiterRes` when the name was counted more than `points` times within `duration` seconds. */
type Counter = { consume(name: string): Promise<unknown> }

/** Makes a store of counts: this process's memory, or one that several replicas share (`shared-counters.ts`). */
export type MakeCounter = (options: { keyPrefix: string; points: number; duration: number }) => Counter

type Options = {
  limits?: Limits
  trustedProxies: readonly string[]
  makeCounter?: MakeCounter
  /** Number of serving replicas, including this one. */
  replicas?: () => number
}

/** Fixed windows for each key and address. A count is deleted when its window ends. */
export function createRateLimits({
  limits = defaultLimits,
  trustedProxies,
  makeCounter = (options) => new RateLimiterMemory(options),
  replicas = () => 1,
}: Options): RateLimits {
  const { windowSeconds } = limits
  const addressOf = createClientAddress(trustedProxies)

  /** @returns a function that counts one call under a name. */
  function counter(keyPrefix: string, points: number, what: string, duration = windowSeconds, otherwise = '') {
    const counts = makeCounter({ keyPrefix, points, duration })
    return async (name: string): Promise<void> => {
      try {
        await counts.consume(name)
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000))
        const within = duration === daySeconds ? 'a day' : `${duration} seconds`
        const message = `At most ${points} ${what} in ${within}; try again in ${retryAfterSeconds} seconds${otherwise}.`
        throw new PaymentError('RATE_LIMITED', message, { retryAfterSeconds })
      }
    }
  }

  const creates = counter('create', limits.creates, 'payments can be created from one address')
  const networkCreates = counter(
    'create-network',
    networkFactor * limits.creates,
    'payments can be created from one network',
  )
  const withSecret = ', or create with API key and secret'
  const dayCreates = counter(
    'create-day',
    limits.createsPerDay,
    'payments can be created from one address',
    daySeconds,
    withSecret,
  )
  const networkDayCreates = counter(
    'create-network-day',
    networkFactor * limits.createsPerDay,
    'payments can be created from one network',
    daySeconds,
    withSecret,
  )
  const calls = counter('call', limits.calls, 'calls are answered to one address')
  const agentCalls = counter('agent', limits.agentCalls, 'payments can be created by one agent')
  const secretCalls = counter('secret', limits.secretCalls, 'calls are answered to one API key')
  const changes = counter('change', limits.changes, 'changes are made by one person')
  const openCalls = counter('open', limits.openCalls, 'calls without a key are answered to one address')
  const signatures = counter('signature', limits.signatures, 'authorizations are taken from one address')
  const quotes = counter('quote', limits.quotes, 'quotes of the bridge are given to one address')
  const merchantQuotes = counter(
    'merchant-quote',
    limits.merchantQuotes,
    'quotes of the bridge are given for one merchant',
  )
  const redeliveries = counter('redelivery', limits.redeliveries, 'webhooks of shops are sent again for one merchant')
  const signIns = counter('sign-in', limits.signIns, 'attempts to sign in are answered to one address')
  const passkeys = counter('passkey', limits.signInsPerPasskey, 'attempts with one passkey are answered to one address')
  const failures = counter('failure', limits.failures, 'calls with wrong credentials are answered to one address')

  async function open(c: Context<Env>): Promise<void> {
    if (c.get('isOpenCall')) return
    c.set('isOpenCall', true)
    await openCalls(addressOf(c))
  }

  return {
    async anybody(c, next) {
      // A preflight precedes a call that is itself counted.
      if (c.req.method === 'OPTIONS') return await next()
      if (!claimsCaller(c)) await open(c)
      await next()
      if (c.get('caller') === undefined) await open(c)
    },
    open,
    async unauthenticated(c, next) {
      await open(c)
      await next()
    },
    failed: (c) => failures(addressOf(c)),
    async called(c, caller) {
      const { session } = caller
      if (session !== undefined && c.get('operation').audit !== undefined) await changes(session.personId)
      if (caller.kind === 'api') return await secretCalls(caller.id)
      const address = addressOf(c)
      const name = `${caller.id} ${address}`
      const { rate } = c.get('operation')
      // Each simulation stores events as a create does, and anybody may hold a live public key.
      const isCreate = rate === 'creates' || (rate === 'simulations' && !caller.isTest)
      if (!isCreate) return await calls(name)
      await creates(name)
      const network = networkOf(address)
      // Of an IPv6 network a day's addresses are too many to count each.
      if (network === address) return await dayCreates(name)
      await networkCreates(`${caller.id} ${network}`)
      await networkDayCreates(`${caller.id} ${network}`)
    },
    async agentCalled(caller, agentId) {
      if (agentId != null) await agentCalls(`${caller.id} ${agentId}`)
    },
    async quoted({ kind, address, merchantId }) {
      if (kind !== 'api') await quotes(networkOf(address))
      await merchantQuotes(merchantId)
    },
    redelivered: ({ merchantId }) => redeliveries(merchantId),
    async signed(c, next) {
      await signatures(addressOf(c))
      await next()
    },
    async signIns(c, next) {
      await signIns(addressOf(c))
      await next()
    },
    signsInWith: (c, passkeyId) => passkeys(`${addressOf(c)} ${passkeyId}`),
    openPayments: { perKey: limits.openPayments, perAddress: limits.openPaymentsPerAddress },
    // An equal share per replica, so that all replicas together stay within the limit without coordination.
    streamsPerAddressMax: () => Math.max(1, Math.floor(limits.streams / replicas())),
    addressOf,
  }
}
