/**
 * What the history of a payment and the audit log name by a code, so that a page can write the sentence in the reader's
 * language. Each code has a sentence in each language of `bff/dashboard/locales`.
 */

/** The codes of `sentence` in a payment's history. */
export const historyCodes = [
  'event.payment.created',
  'event.payment.detected',
  'event.payment.underpaid',
  'event.payment.completed',
  'event.payment.overpaid',
  'event.payment.late',
  'event.payment.reorged',
  'event.payment.expired',
  'event.payment.cancelled',
  'event.payment.failed',
  'event.deposit.swept',
  'event.deposit.sweep_failed',
  'event.deposit.refunded',
  'event.deposit.unmatched_received',
  'event.deposit.unmatched_refunded',
  'event.bridge.moved',
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
  'invitation.takenBack',
  'key.created',
  'key.revoked',
  'key.rotated',
  'keyOrigins.changed',
  'link.ended',
  'link.made',
  'passkey.added',
  'passkey.replaced',
  'payment.ended',
  'payment.lateAccepted',
  'person.changed',
  'person.invited',
  'person.joined',
  'person.removed',
  'refund.requested',
  'session.ended',
  'setting.changed',
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
