/** What people choose notices of, for each channel. `trouble`: a payout, a webhook, gas or a network fails. */
export const noticeKinds = ['paid', 'late', 'refund', 'trouble'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const channelKinds = ['email', 'push', 'telegram', 'slack'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** The payment, or one refund of it, that a notice is about. Amounts are decimal text. */
export type PaymentFacts = {
  about: 'payment'
  /**
   * Of a refund that the merchant's wallet pays: `unpaid` when it has waited for days, `excess` when it was paid twice,
   * or after it was cancelled.
   */
  refund?: 'unpaid' | 'excess'
  /** Of that refund. */
  refundId?: string
  paymentId: string
  orderId: string | null
  amount: string
  currency: string
  network: string
}

export type TroubleFacts = {
  about: 'webhook' | 'gas' | 'network'
  /** A host, or the name of a network. */
  name: string
  isOver: boolean
}

export type Facts = PaymentFacts | TroubleFacts | { about: 'test' }
