import { zero } from '../../core/money.ts'
import type { Caller } from '../../merchant/caller.ts'
import type { DepositPayment } from '../../payment/payment.ts'
import type { NewPayment, PaymentMaker } from '../payment-maker.ts'
import { createDepositPlaces, type PlaceDeps } from './deposit-address.ts'

/** Drafts a payment with an address of its own, which the customer or a relay pays. Nothing is stored. */
export type DraftDeposit = (caller: Caller, body: NewPayment, windowMs: number) => DepositPayment

export function createDepositDrafts({ maker, ...deps }: PlaceDeps & { maker: PaymentMaker }): DraftDeposit {
  const placeOf = createDepositPlaces(deps)
  return (caller, body, windowMs) => {
    const { network, common, ...drafted } = maker.draft(caller, body, windowMs)
    return Object.assign(common, {
      mode: 'deposit' as const,
      sweep: 'none' as const,
      sweepWaits: false,
      sweepTxId: null,
      sweptAtMs: null,
      refund: 'none' as const,
      refundAddress: null,
      refunded: zero,
      refunding: zero,
      lateReturned: false,
      refundTxId: null,
      strays: [],
      ...placeOf(network, { common, ...drafted }),
    })
  }
}
