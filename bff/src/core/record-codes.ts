/**
 * The codes in a payment's history and in the audit log, from which a page writes the sentence in the reader's language. Each
 * code has a sentence in every language of `bff/dashboard/locales`.
 */

/** The types of webhook events, which a payment's history also names. */
const webhookEventTypes = [
  'payment.created',
  'payment.detected',
  'payment.underpaid',
  'payment.completed',
  'payment.overpaid',
  'payment.late',
  'payment.reorged',
  'payment.expired',
  'payment.cancelled',
  'payment.failed',
  'deposit.swept',
  'deposit.sweep_failed',
  'deposit.refunded',
  'deposit.unmatched_received',
  'deposit.unmatched_refunded',
  'bridge.moved',
  'refund.requested',
  'refund.paid',
  'refund.failed',
] as const

export type WebhookEventType = (typeof webhookEventTypes)[number]

/** The codes of `sentence` in a payment's history. */
export const historyCodes = [
  ...webhookEventTypes.map((type) => `event.${type}` as const),
  'transfer.seen',
  'transfer.confirmed',
  'transfer.reverted',
  'lateTransfer.seen',
  'lateTransfer.confirmed',
  'lateTransfer.reverted',
  'webhook.answered',
  'webhook.failed',
  'webhook.unanswered',
  'sweep.stored',
  'sweep.replaced',
  'sweep.confirmed',
  'sweep.failed',
  'refund.stored',
  'refund.replaced',
  'refund.confirmed',
  'refund.failed',
  'refundAddress.merchant',
  'refundAddress.customer',
] as const

export type HistoryCode = (typeof historyCodes)[number]

/** The changes that the audit log records: `noun.pastTense`. */
export const auditActions = [
  'agentPolicy.changed',
  'agentPolicy.removed',
  'contracts.deployed',
  'invitation.takenBack',
  'key.created',
  'key.renamed',
  'key.revoked',
  'key.rotated',
  'keyOrigins.changed',
  'link.ended',
  'link.made',
  'merchantRefund.addressNamed',
  'merchantRefund.cancelled',
  'merchantRefund.linkShown',
  'merchantRefund.prompted',
  'merchantRefund.released',
  'merchantRefund.requested',
  'merchantRefund.verified',
  'noticeChannel.added',
  'noticeChannel.changed',
  'noticeChannel.removed',
  'passkey.added',
  'passkey.removed',
  'passkey.replaced',
  'payment.ended',
  'payment.lateAccepted',
  'payment.linkShown',
  'payouts.retried',
  'person.changed',
  'person.invited',
  'person.joined',
  'person.removed',
  'refund.requested',
  'session.ended',
  'setting.changed',
  'store.paired',
  'store.revoked',
  'till.blocked',
  'till.changed',
  'till.linked',
  'till.made',
  'till.paired',
  'till.removed',
  'till.unblocked',
  'wallet.changed',
  'webhookEndpoint.changed',
  'webhookEndpoint.created',
  'webhookEndpoint.removed',
  'webhookSecret.rotated',
] as const

export type AuditAction = (typeof auditActions)[number]

/** The filters of the audit log: the pages on which the changes are made. */
export const auditKinds = ['payments', 'people', 'developers', 'settings', 'tills'] as const
export type AuditKind = (typeof auditKinds)[number]

type AuditNoun = AuditAction extends `${infer Noun}.${string}` ? Noun : never

const kindOfNoun: Readonly<Record<AuditNoun, AuditKind>> = {
  agentPolicy: 'developers',
  contracts: 'settings',
  invitation: 'people',
  key: 'developers',
  keyOrigins: 'developers',
  link: 'payments',
  merchantRefund: 'payments',
  noticeChannel: 'people',
  passkey: 'people',
  payment: 'payments',
  payouts: 'payments',
  person: 'people',
  refund: 'payments',
  session: 'people',
  setting: 'settings',
  store: 'developers',
  till: 'tills',
  wallet: 'settings',
  webhookEndpoint: 'developers',
  webhookSecret: 'developers',
}

export const auditKindOf = (action: AuditAction): AuditKind => kindOfNoun[action.split('.')[0] as AuditNoun]
