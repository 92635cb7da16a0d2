import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { request } from './client.ts'

type Confirmed = { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: object; idempotencyKey?: string }

/**
 * Asks for the passkey, then sends the request with its assertion: operations that move money or change access require
 * the person's confirmation.
 * @param path - Below `/api/v1/`.
 * @throws {Fault} or, when the person declines, the browser's error.
 */
export async function requestConfirmed<Body>(path: string, { method, body, idempotencyKey }: Confirmed): Promise<Body> {
  const asked = { method, path: `/${path}`, body: body ? JSON.stringify(body) : '' }
  const { options } = await request<{ options: PublicKeyCredentialRequestOptionsJSON }>('dashboard/confirmations', {
    body: asked,
  })
  const signed = JSON.stringify(await startAuthentication({ optionsJSON: options }))
  return await request<Body>(path, {
    method,
    ...(body && { body }),
    ...(idempotencyKey && { idempotencyKey }),
    confirmation: base64Url(signed),
  })
}

/** Whether the signed-in person has a passkey. A person signed in by the demo's link has none. @throws {Fault} */
export async function hasPasskey(signal: AbortSignal): Promise<boolean> {
  return (await request<{ session: { hasPasskey: boolean } }>('dashboard/session', { signal })).session.hasPasskey
}

/**
 * Adds a passkey of this device for the signed-in person.
 * @param isFirst - The first passkey needs no confirmation, because there is none to confirm with.
 * @throws {Fault} or, when the person declines, the browser's error.
 */
export async function addPasskey(isFirst: boolean): Promise<void> {
  type Answer = { options: PublicKeyCredentialCreationOptionsJSON }
  const { options } = await request<Answer>('dashboard/passkeys/options', { method: 'POST' })
  const body = { response: await startRegistration({ optionsJSON: options }) }
  if (isFirst) await request('dashboard/passkeys', { body })
  else await requestConfirmed('dashboard/passkeys', { method: 'POST', body })
}

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
