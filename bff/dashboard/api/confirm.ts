import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
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

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
