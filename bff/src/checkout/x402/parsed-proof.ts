import type { SignedAuthorization } from '../../payment/authorization.ts'
import type { DepositPayment } from '../../payment/payment.ts'
import type { Authorizations, Authorized } from '../authorization/authorize.ts'
import type { ParsedProof } from './exact-scheme.ts'

/** A proof of either chain family, settled like every other authorization. */
export function parsedProof(
  authorizations: Authorizations,
  payment: DepositPayment,
  signed: SignedAuthorization,
): ParsedProof {
  const sent = ({ state, txId }: Authorized) => ({ isIn: state === 'accepted', txId })
  return {
    payer: signed.from,
    value: BigInt(signed.value),
    isKnown: (presenter) => authorizations.isKnown(payment, signed, presenter),
    async verify(asking) {
      await authorizations.verify(payment, signed, asking)
    },
    async settle(options) {
      return sent(await authorizations.authorize(payment, signed, options))
    },
    async findExternalSettlement(options, refusal) {
      const found = await authorizations.findExternalSettlement(payment, signed, options, refusal)
      return found && sent(found)
    },
  }
}
