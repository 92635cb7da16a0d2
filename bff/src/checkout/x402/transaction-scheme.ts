import { setTimeout as sleep } from 'node:timers/promises'
import { z } from '@hono/zod-openapi'
import type { Sponsor } from '../../chain/authorization.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import type { SignedAuthorization } from '../../payment/authorization.ts'
import type { DepositPayment } from '../../payment/payment.ts'
import { findAuthorization, openAuthorizationOf } from '../../payment/store/authorization-store.ts'
import type { Authorizations } from '../authorization/authorize.ts'
import type { ExactScheme } from './exact-scheme.ts'

/** A transaction has 1,232 bytes. */
const payload = z.object({ transaction: z.base64('transaction must be base64').min(1).max(1_700) })

/** Clients never make the deposit's token account; the service makes it within a second or two of the create. */
const readyWithinMs = 20_000
const pauseMs = 500

/** Requests that wait for a token account at once: each asks a node twice a second. */
const waitsMax = 50

const reasons = {
  INVALID_SIGNATURE: 'invalid_exact_svm_payload_transaction',
  EXPIRES_TOO_SOON: 'invalid_exact_svm_payload_transaction',
  AUTHORIZATION_USED: 'duplicate_settlement',
  WRONG_VALUE: 'invalid_exact_svm_payload_amount_mismatch',
  WRONG_RECIPIENT: 'invalid_exact_svm_payload_recipient_mismatch',
  TRANSFER_REFUSED: 'invalid_exact_svm_transaction_simulation_failed',
}

class NotReadyError extends PaymentError {
  constructor() {
    const message = "The payment's token account is being made; try again in a moment."
    super('NOT_READY', message, { status: 503, error: 'Not ready', headers: { 'Retry-After': '2' } })
  }
}

type Deps = { db: Db; authorizations: Authorizations; stopping: AbortSignal }

/** Scheme `exact` by a transaction that the client signs, beside a fee payer of the service. */
export function createTransactionScheme(
  { db, authorizations, stopping }: Deps,
  network: Network,
  sponsor: Sponsor,
): ExactScheme {
  let waiting = 0

  return {
    reasons,
    signers: [sponsor.feePayer],
    extraOf({ id, currency, tokenAddress }) {
      const token = network.tokens.find(({ symbol }) => symbol === currency)
      return token?.address === tokenAddress ? { feePayer: sponsor.feePayer, memo: id } : undefined
    },

    async prepare(payment) {
      if (waiting >= waitsMax) throw new NotReadyError()
      waiting += 1
      try {
        const lastMs = performance.now() + readyWithinMs
        while (!(await sponsor.isReady(payment).catch(() => false))) {
          if (performance.now() > lastMs || stopping.aborted) throw new NotReadyError()
          await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
        }
      } finally {
        waiting -= 1
      }
    },

    underWay: ({ id }) => db.read((tx) => openAuthorizationOf(tx, id)),

    parse(payment, proof) {
      const parsed = payload.safeParse(proof.payload)
      if (!parsed.success) {
        const rule = parsed.error.issues[0]?.message
        throw new ValidationError(`payload: ${rule}`, 'INVALID_PAYMENT_SIGNATURE')
      }
      const signed = sponsor.signedOf(payment, parsed.data.transaction)
      return {
        payer: signed.from,
        isKnown: () => isKnown(payment, signed),
        async verify() {
          await authorizations.verify(payment, signed)
        },
        async settle(options) {
          const { state, txId } = await authorizations.authorize(payment, signed, options)
          return { isIn: state === 'accepted', txId }
        },
      }
    },
  }

  async function isKnown({ id, network, tokenAddress }: DepositPayment, { from, nonce }: SignedAuthorization) {
    const key = { network, token: tokenAddress.toLowerCase(), payer: from.toLowerCase(), nonce }
    const known = await db.read((tx) => findAuthorization(tx, key))
    return known?.paymentId === id && known.state !== 'failed'
  }
}
