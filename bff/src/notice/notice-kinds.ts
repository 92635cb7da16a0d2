/** The kinds of notices that people choose for each channel. `trouble`: a payout, a webhook, gas or a network fails. */
export const noticeKinds = ['paid', 'late', 'refund', 'trouble'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const channelKinds = ['email', 'push', 'telegram', 'slack'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** The payment, or one refund of it, that a notice is about. Amounts are decimal text. */
export type PaymentFacts = {
  about: 'payment'
  /**
   * A merchant refund's reason for the notice: `unpaid` when it has waited for days, `excess` when it was paid twice or after
   * its cancellation.
   */
  refund?: 'unpaid' | 'excess'
  /** The id of that refund. */
  refundId?: string
  paymentId: string
  orderId: string | null
  amount: string
  currency: string
  network: string
}

export type TroubleFacts = {
  about: 'webhook' | 'gas' | 'network'
  /** A host, or a network's name. */
  name: string
  isOver: boolean
}

export type Facts = PaymentFacts | TroubleFacts | { about: 'test' }
