import { z } from '@hono/zod-openapi'
import type { Sponsor } from '../../chain/authorization.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import { openAuthorizationOf } from '../../payment/store/authorization-store.ts'
import type { Authorizations } from '../authorization/authorize.ts'
import { createTokenAccountWaits } from '../authorization/token-account-waits.ts'
import type { ExactScheme } from './exact-scheme.ts'
import { parsedProof } from './parsed-proof.ts'

/** A Solana transaction has at most 1,232 bytes. */
const payload = z.object({ transaction: z.base64('transaction must be base64').min(1).max(1_700) })

/** Clients never create the deposit's token account; the service does, a second or two after the create. */
const readyWithinMs = 20_000

const reasons = {
  INVALID_SIGNATURE: 'invalid_exact_svm_payload_transaction',
  EXPIRES_TOO_SOON: 'invalid_exact_svm_payload_transaction',
  AUTHORIZATION_USED: 'duplicate_settlement',
  WRONG_VALUE: 'invalid_exact_svm_payload_amount_mismatch',
  WRONG_RECIPIENT: 'invalid_exact_svm_payload_recipient_mismatch',
  TRANSFER_REFUSED: 'invalid_exact_svm_transaction_simulation_failed',
}

type Deps = { db: Db; authorizations: Authorizations; stopping: AbortSignal }

/** Scheme `exact` by a transaction that both the client and a fee payer of the service sign. */
export function createTransactionScheme(
  { db, authorizations, stopping }: Deps,
  network: Network,
  sponsor: Sponsor,
): ExactScheme {
  const waitForTokenAccount = createTokenAccountWaits(stopping, readyWithinMs)

  return {
    reasons,
    signers: [sponsor.feePayer],
    supportedExtra: { feePayer: sponsor.feePayer },
    extraOf({ id, currency, tokenAddress }) {
      if (network.signatureGas === null) return undefined
      const token = network.tokens.find(({ symbol }) => symbol === currency)
      return token?.address === tokenAddress ? { feePayer: sponsor.feePayer, memo: id } : undefined
    },
    formerExtraOf: ({ id }) => ({ feePayer: sponsor.feePayer, memo: id }),

    async prepare(payment, asker) {
      if (await waitForTokenAccount(sponsor, payment, asker)) return
      const message = "The payment's token account is being created; try again in a moment."
      throw new PaymentError('NOT_READY', message, { retryAfterSeconds: 2 })
    },

    underWay: ({ id }) => db.read((tx) => openAuthorizationOf(tx, id)),

    parse(payment, proof) {
      const parsed = payload.safeParse(proof.payload)
      if (!parsed.success) {
        const rule = parsed.error.issues[0]?.message
        throw new ValidationError(`payload: ${rule}`, 'INVALID_PAYMENT_SIGNATURE')
      }
      return parsedProof(authorizations, payment, sponsor.signedOf(payment, parsed.data.transaction))
    },
  }
}
