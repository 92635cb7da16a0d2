import { createHash } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import { loadPasskey, type Passkey, savePasskeyUse } from './people-store.ts'
import { challengeMs, challengeOf, createRegistrations, type Purpose, passkeyRefused } from './registrations.ts'
import { useChallenge } from './session-store.ts'

type Deps = { db: Db; vault: Vault; runtime: Runtime }

export type Passkeys = ReturnType<typeof createPasskeys>

/**
 * Passkeys (WebAuthn). A challenge contains its own expiry and a MAC over its purpose and binding, so that strangers who request
 * challenges write nothing to the database; only a signed one is stored, as used.
 */
export function createPasskeys({ db, vault, runtime }: Deps) {
  const registrations = createRegistrations(vault.derive('challenges of the dashboard'), runtime)
  const { newChallenge, isOurs, registrationOptions, verifyRegistration } = registrations

  return {
    registrationOptions,
    verifyRegistration,
    /** A nonce for a text that a wallet signs; like a challenge, valid once. */
    newNonce: (binding: string): string => Buffer.from(newChallenge('wallet', binding)).toString('base64url'),
    isNonce: (nonce: string, binding: string): boolean => isOurs('wallet', binding)(nonce),
    /** @returns whether this was its first use. */
    useNonce: (tx: Tx, nonce: string): Promise<boolean> =>
      useChallenge(tx, sha256(nonce), runtime.nowMs() + challengeMs),

    signInOptions: (page: PageOrigin, purpose: Purpose, binding: string, allowed: readonly Passkey[] = []) =>
      generateAuthenticationOptions({
        rpID: page.rpId,
        challenge: newChallenge(purpose, binding),
        userVerification: 'required',
        timeout: challengeMs,
        ...(allowed.length > 0 && { allowCredentials: allowed.map(({ id }) => ({ id })) }),
      }),

    /** @throws {PaymentError} PASSKEY_REFUSED */
    async verifyAssertion(page: PageOrigin, purpose: Purpose, binding: string, response: AuthenticationResponseJSON) {
      const passkey = await db.read((tx) => loadPasskey(tx, response.id))
      if (!passkey) throw passkeyRefused()
      const { authenticationInfo, verified } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: isOurs(purpose, binding),
        expectedOrigin: page.origin,
        expectedRPID: page.rpId,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }).catch(() => {
        throw passkeyRefused()
      })
      if (!verified) throw passkeyRefused()
      return { passkey, counter: authenticationInfo.newCounter, challenge: challengeOf(response) }
    },

    /**
     * Call in the commit of the signed action.
     * @throws {PaymentError} PASSKEY_REFUSED if the signature was already used, or the passkey was removed meanwhile.
     */
    async use(tx: Tx, { passkey, counter, challenge }: Assertion): Promise<void> {
      const nowMs = runtime.nowMs()
      const isFirst = await useChallenge(tx, sha256(challenge), nowMs + challengeMs)
      if (!isFirst) throw passkeyRefused()
      if (!(await savePasskeyUse(tx, passkey, counter, nowMs))) throw passkeyRefused()
    },
  }
}

export type Assertion = { passkey: Passkey; counter: number; challenge: string }

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
