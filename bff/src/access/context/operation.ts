import type { RouteConfig } from '@hono/zod-openapi'
import type { AuditAction } from '../../core/record-codes.ts'
import type { Role } from './caller.ts'

/** What a session of the dashboard needs to call the operation. Keys are not bound by it. */
type BySession = {
  /** The least role that may call it; `none`: no session may. */
  role: Role | 'none'
  /**
   * The person must sign this very request with the passkey: an open session alone neither moves money nor redirects its events.
   * `ifAny`: unless the person has no passkey yet. `ifCallback`: where the body names a `callbackUrl`.
   */
  passkey?: 'always' | 'ifAny' | 'ifCallback'
  /** The name of the change in the audit log, where the handler serves keys too and writes no entry in the commit of the change. */
  audit?: AuditAction
}

type ByKey = BySession & {
  /** `agent`: a key with the scope `agent` may call it too. Money, the address of its events and limits are not for agents. */
  scope?: 'agent'
}

type WithoutCaller = { role?: never; passkey?: never; audit?: never; scope?: never }

/** Whether the PIN is needed, beside the device. */
export type TillNeeded = 'paired' | 'open'

/**
 * Who may call an operation.
 * - `open`: anybody. A key that is sent is not checked.
 * - `page`: anybody, by a request of the dashboard's own page.
 * - `key`: a key of any kind, or a session.
 * - `lenientKey`: the same, and with the setting `lenientClients` anybody who sends no key.
 * - `clientSecret`: a key, a session, or anybody who sends the payment's client secret, which the handler verifies.
 * - `secret`: API key and secret, or a session. `secretFor` begins the sentence of the refusal, such as `Webhooks are`.
 * - `session`: a person who is signed in to the dashboard.
 * - `till`: a device that was paired as a till. `open`: while its PIN was entered not long ago.
 */
export type Access =
  | ({ access: 'open' | 'page' } & WithoutCaller)
  | ({ access: 'key' | 'lenientKey' | 'clientSecret' } & ByKey)
  | ({ access: 'secret'; secretFor: string } & ByKey)
  | ({ access: 'session'; role: Role; scope?: never } & Omit<BySession, 'role'>)
  | ({ access: 'till'; till: TillNeeded } & WithoutCaller)

/** What an operation declares, whoever may call it. */
export type Declared = Pick<Partial<ByKey>, 'role' | 'passkey' | 'audit' | 'scope'> & {
  rate?: Rate
  idempotency?: Idempotency
}

/**
 * Which of the limits of `RateLimits` a call counts for. `creates`: that of payments, in place of that of other calls.
 * `simulations`: the same, with a live public key alone.
 * `signatures`, `signIns`: one of their own, beside that of calls without a key.
 */
export type Rate = 'creates' | 'simulations' | 'signatures' | 'signIns'

/**
 * How a repeat is recognized, which gets the first response. `key`: by the header Idempotency-Key alone;
 * `orderId`: without the header, by the order id of the body; `body`: without both, by the whole body.
 */
type Idempotency = 'key' | 'orderId' | 'body'

/** What operations are grouped by in the OpenAPI document. */
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

/** A verb and a noun, unique in the document; hidden operations are not in it. */
type Named = { operationId: string } & (
  | { hide: true }
  | { hide?: false; tags: [(typeof tags)[number]['name']]; summary: string }
)

type Behaviour = Named & { rate?: Rate; idempotency?: Idempotency }

/** One operation of the API: its request, its responses and who may call it. */
export type Operation = RouteConfig & Access & Behaviour

/**
 * Describes an operation. `Operations.serve` takes nothing else: the routes, their guards, the OpenAPI document, the operations of
 * a role and those of an agent's key all follow from the description.
 */
export const defineOperation = <
  Path extends string,
  Description extends Omit<RouteConfig, 'path'> & { path: Path } & Access & Behaviour,
>(
  description: Description,
): Description => description

/** Whether anybody may call it, without a key. */
export const isOpen = ({ access }: Operation): boolean => access === 'open' || access === 'page'

/** Such as `get /payments/{paymentId}`, as the OpenAPI document names it. */
export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`
