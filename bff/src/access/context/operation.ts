import type { RouteConfig } from '@hono/zod-openapi'
import type { AuditAction } from '../../core/record-codes.ts'
import type { Role } from './caller.ts'

/** What a dashboard session needs to call the operation. Does not apply to keys. */
type BySession = {
  /** The lowest role that may call the operation; `none`: no session may. */
  role: Role | 'none'
  /**
   * The person must sign this very request with the passkey: an open session alone must neither move money nor redirect its events.
   * `ifAny`: unless the person has no passkey yet. `ifCallback`: only if the body names a `callbackUrl`.
   */
  passkey?: 'always' | 'ifAny' | 'ifCallback'
  /** The change's name in the audit log, if the handler also serves keys and writes no entry in the commit of the change. */
  audit?: AuditAction
}

type ByKey = BySession & {
  /** `agent`: keys with the scope `agent` may call it too. Never for money, the address of its events, or limits. */
  scope?: 'agent'
}

type WithoutCaller = { role?: never; passkey?: never; audit?: never; scope?: never }

/** What a till needs: pairing alone, or also its PIN. */
export type TillNeeded = 'paired' | 'open'

/**
 * Who may call an operation.
 * - `open`: anybody. A key that is sent is not checked.
 * - `page`: anybody, in a request of the dashboard's own page.
 * - `key`: a key of any kind, or a session.
 * - `lenientKey`: the same, and with the setting `lenientClients` anybody who sends no key.
 * - `clientSecret`: a key, a session, or anybody who sends the payment's client secret, which the handler verifies.
 * - `secret`: API key and secret, or a session. `secretFor` begins the sentence of the refusal, such as `Webhooks are`.
 * - `session`: a person who is signed in to the dashboard.
 * - `till`: a device that was paired as a till. `open`: only for a while after its PIN was entered.
 */
export type Access =
  | ({ access: 'open' | 'page' } & WithoutCaller)
  | ({ access: 'key' | 'lenientKey' | 'clientSecret' } & ByKey)
  | ({ access: 'secret'; secretFor: string } & ByKey)
  | ({ access: 'session'; role: Role; scope?: never } & Omit<BySession, 'role'>)
  | ({ access: 'till'; till: TillNeeded } & WithoutCaller)

/** What an operation declares, for any kind of caller. */
export type Declared = Pick<Partial<ByKey>, 'role' | 'passkey' | 'audit' | 'scope'> & {
  rate?: Rate
  idempotency?: Idempotency
}

/**
 * Which limit of `RateLimits` a call counts for. `creates`: the limit of payments instead of that of other calls.
 * `simulations`: the same, but only with a live public key.
 * `signatures`, `signIns`: a limit of their own, beside that of calls without a key.
 */
export type Rate = 'creates' | 'simulations' | 'signatures' | 'signIns'

/**
 * How a repeat is recognized, which gets the first response. `key`: by the header Idempotency-Key alone;
 * `orderId`: without the header, by the body's order id; `body`: without both, by the whole body.
 */
type Idempotency = 'key' | 'orderId' | 'body'

/** The groups of operations in the OpenAPI document. */
export const tags = [
  { name: 'payments', description: 'Read, follow and find payments.' },
  { name: 'refunds', description: 'Send money back, end payments, and accept late ones.' },
  { name: 'deposits', description: 'Payments to a deposit address of their own.' },
  { name: 'contract payments', description: "Payments by one call of the customer's wallet." },
  { name: 'signatures', description: 'Payments by a signature, whose gas the service pays.' },
  { name: 'cross-chain', description: 'Payments from another chain.' },
  { name: 'x402', description: 'Payments by HTTP 402.' },
  { name: 'links', description: 'Payment links.' },
  { name: 'till', description: 'A device on the counter: an owner pairs it, staff open it with a PIN.' },
  { name: 'sandbox', description: 'Payments that behave like real ones and settle nothing.' },
  { name: 'networks', description: 'Networks, tokens and exchange rates.' },
  { name: 'webhooks', description: 'Endpoints, deliveries, and the feed of events.' },
  { name: 'reports', description: "The merchant's numbers." },
  { name: 'merchant', description: "What the merchant's keys may do." },
  { name: 'agents', description: 'Spending policies of software agents.' },
  { name: 'dashboard', description: 'Sign-in, people, keys, settings and wallets, for people with a passkey.' },
  { name: 'system', description: 'The state of the service, and its versions.' },
] as const

/** A verb and a noun, unique in the document. Hidden operations are not in the document. */
type Named = { operationId: string } & (
  | { hide: true }
  | { hide?: false; tags: [(typeof tags)[number]['name']]; summary: string }
)

/** `endsForPublicKeys`: every response to a public key announces, by the header `Deprecation`, that none will be given for ever. */
type Behaviour = Named & { rate?: Rate; idempotency?: Idempotency; endsForPublicKeys?: true }

/** One operation of the API: its request, its responses and who may call it. */
export type Operation = RouteConfig & Access & Behaviour

/**
 * Describes an operation. `Operations.serve` accepts nothing else: the routes, their guards, the OpenAPI document, and the operations of
 * a role and of an agent's key all follow from the description.
 */
export const defineOperation = <
  Path extends string,
  Description extends Omit<RouteConfig, 'path'> & { path: Path } & Access & Behaviour,
>(
  description: Description,
): Description => description

/** Whether anybody may call the operation, without a key. */
export const isOpen = ({ access }: Operation): boolean => access === 'open' || access === 'page'

/** The operation's name in the OpenAPI document, such as `get /payments/{paymentId}`. */
export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`
