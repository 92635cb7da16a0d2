import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import type { Passkey } from './people-store.ts'

/** Time for a person to find their security key or phone. */
export const challengeMs = 5 * 60_000
const randomBytes = 16
const timeBytes = 8
const macBytes = 32

/** The same error whatever is wrong, so that it does not reveal who has an account. */
export const passkeyRefused = () =>
  new PaymentError('PASSKEY_REFUSED', 'The passkey was not accepted. Try again, or ask an owner for a new invitation.')

/** The purpose of a challenge; a signature is valid only for its purpose. */
export type Purpose = 'sign-in' | 'invitation' | 'confirmation' | 'passkey' | 'wallet' | 'setup'

/**
 * Challenges, and the creation of passkeys (WebAuthn), without a database. A challenge contains its own expiry and a MAC over its
 * purpose and binding, so that nothing is stored for strangers who request challenges.
 * @param key - The MAC's key.
 */
export function createRegistrations(key: Uint8Array, runtime: Runtime) {
  const macOf = (head: Uint8Array, purpose: Purpose, binding: string) =>
    createHmac('sha256', key)
      .update(head)
      .update(JSON.stringify([purpose, binding]))
      .digest()

  function newChallenge(purpose: Purpose, binding: string): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(timeBytes + randomBytes)
    head.writeBigUInt64BE(BigInt(runtime.nowMs() + challengeMs))
    head.set(runtime.randomBytes(randomBytes), timeBytes)
    return Uint8Array.from(Buffer.concat([head, macOf(head, purpose, binding)]))
  }

  /** @returns a check of a returned challenge, in base64url. */
  const isOurs = (purpose: Purpose, binding: string) => (challenge: string) => {
    const bytes = Buffer.from(challenge, 'base64url')
    if (bytes.length !== timeBytes + randomBytes + macBytes) return false
    const head = bytes.subarray(0, timeBytes + randomBytes)
    const isSigned = timingSafeEqual(bytes.subarray(timeBytes + randomBytes), macOf(head, purpose, binding))
    return isSigned && Number(head.readBigUInt64BE()) > runtime.nowMs()
  }

  return {
    newChallenge,
    isOurs,

    registrationOptions: (
      page: PageOrigin,
      purpose: Purpose,
      binding: string,
      person: { name: string; merchantName: string; passkeys: readonly Passkey[] },
    ) =>
      generateRegistrationOptions({
        rpID: page.rpId,
        rpName: person.merchantName,
        userName: person.name,
        userDisplayName: `${person.name}, ${person.merchantName}`,
        userID: Uint8Array.from(runtime.randomBytes(randomBytes)),
        challenge: newChallenge(purpose, binding),
        timeout: challengeMs,
        attestationType: 'none',
        // Sign-in asks for no name, so that nobody can probe or lock an account by name.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: person.passkeys.map(({ id }) => ({ id })),
      }),

    /** @throws {PaymentError} PASSKEY_REFUSED */
    async verifyRegistration(page: PageOrigin, purpose: Purpose, binding: string, response: RegistrationResponseJSON) {
      verifyUncertified(response)
      const { registrationInfo, verified } = await verifyRegistrationResponse({
        response,
        expectedChallenge: isOurs(purpose, binding),
        expectedOrigin: page.origin,
        expectedRPID: page.rpId,
        requireUserVerification: true,
      }).catch(() => {
        throw passkeyRefused()
      })
      if (!verified) throw passkeyRefused()
      const { id, publicKey, counter } = registrationInfo.credential
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, challenge: challengeOf(response) }
    },
  }
}

/**
 * Accepts no attestation, or one by the passkey's own key (`packed` without `x5c`). The registering client chooses a certificate,
 * and verifying it would call the addresses in it to check revocation, so none is parsed.
 * @throws {PaymentError} PASSKEY_REFUSED
 */
function verifyUncertified({ response }: RegistrationResponseJSON): void {
  const [format, fields] = attestationOf(response.attestationObject)
  const isOfOwnKey = format === 'packed' && fields.every((name) => name === 'alg' || name === 'sig')
  if (!isOfOwnKey && !(format === 'none' && fields.length === 0)) throw passkeyRefused()
}

/** The attestation's format and field names, as the library will read them. */
function attestationOf(text: string): [format: unknown, fields: unknown[]] {
  try {
    const object = decodeAttestationObject(Uint8Array.from(Buffer.from(text, 'base64url')))
    return [object.get('fmt'), [...(object.get('attStmt') as unknown as Map<unknown, unknown>).keys()]]
  } catch {
    throw passkeyRefused()
  }
}

/** The challenge of a response that the library has already verified. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  const client = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as { challenge: string }
  return client.challenge
}
