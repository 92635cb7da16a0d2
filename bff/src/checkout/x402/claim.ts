import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Runtime } from '../../core/runtime.ts'
import type { Vault } from '../../db/vault.ts'
import type { PaymentId } from '../../payment/payment.ts'

const randomByteCount = 16

/** The subject of a claim: a payment for one resource. */
type Claimed = { id: PaymentId; resource: string }

export type Claims = ReturnType<typeof createClaims>

/**
 * The claim on a charge: the 402 gives it to one client, which returns it with its proof. Once a proof is sent, anyone
 * can read it on chain, but not the claim. A claim is a random value with its HMAC over the payment and the resource,
 * so it is not stored, and it stays valid when the payment is offered to another client for another resource.
 */
export function createClaims({ vault, runtime }: { vault: Vault; runtime: Runtime }) {
  const key = vault.derive('claims on x402 charges')
  const signatureOf = ({ id, resource }: Claimed, random: string) =>
    createHmac('sha256', key).update(`${id} ${random} ${resource}`).digest('base64url')
  return {
    of(claimed: Claimed): string {
      const random = Buffer.from(runtime.randomBytes(randomByteCount)).toString('base64url')
      return `${random}.${signatureOf(claimed, random)}`
    },

    /** @returns a digest of the claim; undefined if not for this payment and resource. Compares in constant time. */
    digestOf(claimed: Claimed, claim: unknown): string | undefined {
      if (typeof claim !== 'string' || claim.length > 200) return undefined
      const [random = '', signature = ''] = claim.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(claimed, random))]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return createHash('sha256').update(claim).digest('base64url')
    },
  }
}
