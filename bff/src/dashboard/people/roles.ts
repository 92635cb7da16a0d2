import { type GuardedField, guardedFields, type Role } from '../../merchant/caller.ts'

/** What a route asks of a session. */
export type Rule = {
  /** The least role that may call it. */
  role: Role
  /**
   * The person must sign this very request with the passkey: an open session alone moves no money and sends its news nowhere else.
   * `ifAny`: unless the person has none yet. `ifCallback`: where the body names a `callbackUrl`.
   */
  passkey?: 'always' | 'ifAny' | 'ifCallback'
  /** The name of the change in the audit log, where the handler writes no entry in the commit of the change: it notes what it changes. */
  audit?: string
}

const viewer: Rule = { role: 'viewer' }
const staff: Rule = { role: 'staff' }
/** Customers pay the merchant's own wallet, whoever makes the payment: only a receiver of its news is asked for. */
const staffMakes: Rule = { role: 'staff', passkey: 'ifCallback' }
const staffByPasskey: Rule = { role: 'staff', passkey: 'always' }
const owner: Rule = { role: 'owner' }
const ownerByPasskey: Rule = { role: 'owner', passkey: 'always' }

/**
 * What a session may call, by the operations of the OpenAPI document. Keys and secrets are not bound by it. What is not in the table
 * no session may call; `role-matrix.test.ts` compares it with the document.
 */
const rules: Readonly<Record<string, Rule>> = {
  'get /dashboard/session': viewer,
  'delete /dashboard/session': viewer,
  'post /dashboard/confirmations': viewer,
  'post /dashboard/passkeys/options': viewer,
  'post /dashboard/passkeys': { role: 'viewer', passkey: 'ifAny' },
  'get /dashboard/sessions': viewer,
  'delete /dashboard/sessions/{sessionId}': viewer,
  'get /dashboard/people': owner,
  'get /dashboard/people/invitations': owner,
  'post /dashboard/people/invitations': ownerByPasskey,
  'delete /dashboard/people/invitations/{invitationId}': owner,
  'patch /dashboard/people/{personId}': ownerByPasskey,
  'delete /dashboard/people/{personId}': ownerByPasskey,
  'get /dashboard/audit': owner,
  'get /dashboard/keys': owner,
  'post /dashboard/keys': ownerByPasskey,
  'post /dashboard/keys/{key}/rotate': ownerByPasskey,
  'delete /dashboard/keys/{key}': ownerByPasskey,
  'get /dashboard/settings': viewer,
  'patch /dashboard/settings': ownerByPasskey,
  'get /dashboard/wallets': viewer,
  'post /dashboard/wallets/proofs': owner,
  'put /dashboard/wallets/{network}': ownerByPasskey,

  'get /links': viewer,
  // Who names the id holds the link.
  'get /links/{linkId}': staff,
  'get /payments': viewer,
  'get /payments/events': viewer,
  'get /payments/{paymentId}': viewer,
  'get /payments/{paymentId}/history': viewer,
  'get /deposits/status/{paymentId}': viewer,
  'get /payments/{paymentId}/status': viewer,
  'get /payments/status/{paymentId}': viewer,
  'get /deposits/balance/{paymentId}': viewer,
  'get /payments/cross-chain/status/{paymentId}': viewer,
  'get /payments/merchant/list': viewer,
  'get /payments/merchant/stats': viewer,
  'get /reports/summary': viewer,
  'get /reports/attention': viewer,
  'get /reports/month': viewer,
  'get /reports/month.csv': viewer,
  'get /reports/errors': viewer,
  'get /system': owner,
  'post /system/doctor': owner,
  'get /networks': viewer,
  'get /networks/stablecoins': viewer,
  'get /networks/payable': viewer,
  'get /networks/payable/stablecoins': viewer,
  'get /networks/{networkId}/tokens': viewer,
  'get /events': viewer,
  'get /merchants/agent-policies': viewer,
  'get /merchants/agent-policies/{agentId}': viewer,
  'get /merchants/agent-policies/{agentId}/decisions': viewer,
  'get /webhooks/endpoints': viewer,
  'get /webhooks/endpoints/{endpointId}': viewer,
  'get /webhooks/deliveries': viewer,
  'get /webhooks/deliveries/{deliveryId}/request': viewer,

  'post /deposits/create': staffMakes,
  'post /payments/create': staffMakes,
  'post /payments/cross-chain/create': staffMakes,
  'post /sandbox/payments/create': staffMakes,
  'post /sandbox/payments/{paymentId}/simulate': staff,
  'post /links': { ...staffMakes, audit: 'link.made' },
  'post /links/{linkId}/end': { ...staff, audit: 'link.ended' },
  'post /payments/fail': { ...staff, audit: 'payment.ended' },
  'post /deposits/refund-request/{paymentId}': { ...staffByPasskey, audit: 'refund.requested' },
  'post /payments/{paymentId}/accept-late': { ...staffByPasskey, audit: 'payment.lateAccepted' },
  'post /webhooks/endpoints/{endpointId}/test': staff,
  'post /webhooks/deliveries/{deliveryId}/redeliver': staff,
  'post /webhooks/replay': staff,

  'get /merchants/key-origins': viewer,
  'put /merchants/key-origins': { ...ownerByPasskey, audit: 'keyOrigins.changed' },
  'put /merchants/agent-policies/{agentId}': { ...ownerByPasskey, audit: 'agentPolicy.changed' },
  'delete /merchants/agent-policies/{agentId}': { ...ownerByPasskey, audit: 'agentPolicy.removed' },
  'post /webhooks/endpoints': { ...ownerByPasskey, audit: 'webhookEndpoint.created' },
  'patch /webhooks/endpoints/{endpointId}': { ...ownerByPasskey, audit: 'webhookEndpoint.changed' },
  'delete /webhooks/endpoints/{endpointId}': { ...ownerByPasskey, audit: 'webhookEndpoint.removed' },
  'post /webhooks/endpoints/{endpointId}/rotate-secret': { ...ownerByPasskey, audit: 'webhookSecret.rotated' },
  'post /webhooks/rotate-secret': { ...ownerByPasskey, audit: 'webhookSecret.rotated' },
}

/**
 * The least role that is shown a field, in whatever answer it stands. With a client secret somebody names the address of a refund and
 * ends the payment: a viewer does neither.
 */
const fieldRoles: Readonly<Record<GuardedField, Role>> = {
  'payment.clientSecret': 'staff',
  'payment.paymentLink': 'staff',
  'link.url': 'staff',
}

/** Undefined where no session may call. @param operation - Such as `get /payments/{paymentId}`. */
export const ruleOf = (operation: string): Rule | undefined =>
  Object.hasOwn(rules, operation) ? rules[operation] : undefined

const ranks: Readonly<Record<Role, number>> = { viewer: 0, staff: 1, owner: 2 }

export const allows = (rule: Rule, role: Role): boolean => ranks[role] >= ranks[rule.role]

export const hiddenFrom = (role: Role): ReadonlySet<GuardedField> =>
  new Set(guardedFields.filter((field) => ranks[role] < ranks[fieldRoles[field]]))

/** Every operation that the role may call: the page hides the buttons of the others. */
export const operationsOf = (role: Role): string[] =>
  Object.entries(rules).flatMap(([operation, rule]) => (allows(rule, role) ? [operation] : []))
