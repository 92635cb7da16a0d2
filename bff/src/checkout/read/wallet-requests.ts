import type { ContractCall } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { outcomeOf, type Payment } from '../../payment/payment.ts'

/** The requests to the wallet: a call to send, or data to sign. @param network - Undefined if no longer configured. */
export function walletRequestsOf(network: Network | undefined, payment: Payment) {
  // Without the merchant's setting for payments by signature, a signature would be refused, so none is requested.
  const signing = payment.takesSignatures ? network : undefined
  return {
    contractCall: contractCall(network, payment) as never,
    authorization: authorization(signing, payment),
    sponsored: isSponsored(signing, payment),
  }
}

/** The call that the customer's wallet sends; undefined for other modes and once the payment is decided. */
function contractCall(network: Network | undefined, payment: Payment): ContractCall | undefined {
  if (payment.mode !== 'contract' || outcomeOf(payment) !== 'pending') return undefined
  return network && familyOf(network).contractCall(network, payment)
}

/**
 * The data that the customer's wallet signs instead of sending a transaction; undefined if unsupported or once nothing
 * is open.
 */
function authorization(network: Network | undefined, payment: Payment) {
  const typedData = network && familyOf(network).paymentTypedData(network, payment)
  return typedData && { typedData }
}

const isSponsored = (network: Network | undefined, payment: Payment): true | undefined =>
  (network && familyOf(network).isSponsored(network, payment)) || undefined
