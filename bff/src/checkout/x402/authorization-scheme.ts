import { z } from '@hono/zod-openapi'
import { ValidationError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import { openAuthorizationOf } from '../../payment/store/authorization-store.ts'
import { AuthorizePayment, signedOf } from '../authorization/authorization-schemas.ts'
import type { Authorizations } from '../authorization/authorize.ts'
import type { ExactScheme } from './exact-scheme.ts'
import { parsedProof } from './parsed-proof.ts'
import type { Proof } from './x402-wire.ts'

const reasons = {
  INVALID_SIGNATURE: 'invalid_exact_evm_signature',
  AUTHORIZATION_USED: 'invalid_exact_evm_nonce_already_used',
  EXPIRES_TOO_SOON: 'invalid_exact_evm_payload_authorization_valid_before',
  NOT_YET_VALID: 'invalid_exact_evm_payload_authorization_valid_after',
  WRONG_VALUE: 'invalid_exact_evm_payload_authorization_value_mismatch',
  WRONG_RECIPIENT: 'invalid_exact_evm_recipient_mismatch',
  TRANSFER_REFUSED: 'invalid_exact_evm_transaction_simulation_failed',
}

/** The name and version of the token's EIP-712 domain, as given in the 402. */
const domainSchema = z.object({ name: z.string().max(200), version: z.string().max(200) })

const domainOf = ({ accepted }: Proof) => domainSchema.safeParse(accepted.extra).data

type Deps = { db: Db; authorizations: Authorizations; operator: string | null }

/** Scheme `exact` by ERC-3009: the client signs a transfer to the deposit address, and the operator sends it. */
export function createAuthorizationScheme({ db, authorizations, operator }: Deps, network: Network): ExactScheme {
  return {
    reasons,
    signers: operator === null ? [] : [operator],
    extraOf({ currency, tokenAddress }) {
      if (network.signatureGas === null) return undefined
      const token = network.tokens.find(({ symbol }) => symbol === currency)
      const isSame = token?.address.toLowerCase() === tokenAddress.toLowerCase()
      const domain = isSame ? token?.authorization : undefined
      return typeof domain === 'object' && domain !== null ? { ...domain } : undefined
    },
    formerExtraOf: (_, proof) => domainOf(proof),
    prepare: async () => undefined,
    underWay: ({ id }) => db.read((tx) => openAuthorizationOf(tx, id)),
    parse(payment, proof) {
      const parsed = AuthorizePayment.safeParse(proof.payload)
      if (!parsed.success) {
        const [issue] = parsed.error.issues
        throw new ValidationError(`payload: ${issue?.message}`, 'INVALID_PAYMENT_SIGNATURE')
      }
      const domain = domainOf(proof)
      const signed = signedOf(parsed.data)
      return parsedProof(authorizations, payment, domain === undefined ? signed : { ...signed, domain })
    },
  }
}
