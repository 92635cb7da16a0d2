import { createHmac, timingSafeEqual } from 'node:crypto'
import { PaymentError } from '../../core/errors.ts'
import type { Vault } from '../../db/vault.ts'
import type { PaymentId } from '../../payment/payment.ts'

const prefix = 'cs_'

export const clientSecretRequired = () =>
  new PaymentError(
    'CLIENT_SECRET_REQUIRED',
    "This requires the payment's clientSecret, which its create returned, or the merchant's API key and secret.",
  )

export type ClientSecrets = ReturnType<typeof createClientSecrets>

/**
 * The client secret of a payment proves that its holder created the payment or received its link. It is `cs_`
 * and the base64url text of HMAC-SHA256 over the payment's id, with a key derived from the vault's.
 * It is stored nowhere: a copy of the database does not contain it, and a restored database yields the same secrets.
 */
export function createClientSecrets(vault: Vault) {
  const key = vault.derive('client secrets of payments')
  const secretOf = (id: PaymentId) => prefix + createHmac('sha256', key).update(id).digest('base64url')
  return {
    of: secretOf,

    /** Compares in constant time. A missing secret counts as a wrong one. */
    isSecretOf(id: PaymentId, given: string | undefined): boolean {
      const expected = Buffer.from(secretOf(id))
      const bytes = Buffer.from(given ?? '')
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    },
  }
}

/** The URL of a payment's page, with the client secret in the fragment, which browsers never send to a server. */
export function paymentLink(publicUrl: string, id: PaymentId, clientSecret: string): string {
  return `${publicUrl}/pay/${id}#client_secret=${clientSecret}`
}
