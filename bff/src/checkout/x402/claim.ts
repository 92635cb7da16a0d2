import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Runtime } from '../../core/runtime.ts'
import type { Vault } from '../../db/vault.ts'
import type { PaymentId } from '../../payment/payment.ts'

const randomByteCount = 16

/** What is claimed: a payment, for one resource. */
type Claimed = { id: PaymentId; resource: string }

export type Claims = ReturnType<typeof createClaims>

/**
 * The claim on a charge: what a 402 gives to its client alone, and what the client sends back with its proof. The proof itself can be read on
 * the chain once it is sent; the claim cannot. It is a random word with its HMAC over the payment and the resource that it was asked for, so
 * that it is stored nowhere, and outlasts that the payment is offered to somebody else for another resource.
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

    /** @returns a digest of the claim; undefined when it is no claim on the payment for this resource. Compares in constant time. */
    digestOf(claimed: Claimed, claim: unknown): string | undefined {
      if (typeof claim !== 'string' || claim.length > 200) return undefined
      const [random = '', signature = ''] = claim.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(claimed, random))]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return createHash('sha256').update(claim).digest('base64url')
    },
  }
}
