import { isDirect, type Outcome, outcomeOf, type Payment } from '../../payment/payment.ts'

/** Whether the merchant's money has arrived. Empty for an unpaid payment, which settles nothing. */
export const settlementStates = ['', 'pending', 'settling', 'delayed', 'settled', 'failed'] as const

type Settlement = { state: (typeof settlementStates)[number]; message: string }

const nothingPaid: Settlement = { state: '', message: 'Nothing was paid, so there is nothing to pay out.' }
const settled: Settlement = { state: 'settled', message: "The money is in the merchant's wallet." }

/** The settlement state with a message for a person. */
export function settlementOf(payment: Payment): Settlement {
  const outcome = outcomeOf(payment)
  if (outcome === 'pending') return { state: 'pending', message: 'Waiting for the customer to pay.' }
  if (payment.mode === 'contract' || isDirect(payment)) return directSettlement(payment, outcome)
  if (outcome === 'failed') return nothingPaid
  switch (payment.sweep) {
    case 'confirmed':
      return settled
    case 'failing':
      return { state: 'delayed', message: 'The payout is taking longer than usual and is being retried.' }
    case 'failed':
      return { state: 'failed', message: 'The payout could not be completed yet. The merchant is being contacted.' }
    case 'none':
    case 'queued':
      if (payment.sweepWaits) return { state: 'delayed', message: sweepWaits }
      return { state: 'settling', message: 'The payment was received and the payout is on its way.' }
    default:
      return payment.sweep satisfies never
  }
}

const sweepWaits =
  "The payment was received. Its payout waits for others to share the network's fee, which is high for the amount now."

/** The customer's transfer pays the merchant, even when it comes too late to pay the payment. */
function directSettlement({ received, late }: Payment, outcome: Outcome): Settlement {
  if (outcome === 'paid') return settled
  if (received === 0n && late === 0n) return nothingPaid
  return { state: '', message: "What was paid is in the merchant's wallet, who owes it back." }
}
