import type { ContractCall } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { outcomeOf, type Payment } from '../../payment/payment.ts'

/** What a wallet is asked to send or to sign. @param network - Undefined where it is no longer configured. */
export function walletRequestsOf(network: Network | undefined, payment: Payment) {
  // Where the merchant takes no payments by signature, no wallet is asked for one: it would be refused.
  const signing = payment.takesSignatures ? network : undefined
  return {
    contractCall: contractCall(network, payment) as never,
    authorization: authorization(signing, payment),
    sponsored: isSponsored(signing, payment),
  }
}

/** What the customer's wallet sends; undefined once there is nothing to send, and for other payments. */
function contractCall(network: Network | undefined, payment: Payment): ContractCall | undefined {
  if (payment.mode !== 'contract' || outcomeOf(payment) !== 'pending') return undefined
  return network && familyOf(network).contractCall(network, payment)
}

/** What the customer's wallet signs in place of a transaction; undefined where that is not offered, or nothing is open any more. */
function authorization(network: Network | undefined, payment: Payment) {
  const typedData = network && familyOf(network).paymentTypedData(network, payment)
  return typedData && { typedData }
}

const isSponsored = (network: Network | undefined, payment: Payment): true | undefined =>
  (network && familyOf(network).isSponsored(network, payment)) || undefined
