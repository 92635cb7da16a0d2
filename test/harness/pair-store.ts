import { ownConnection } from './bff.ts'
import { signInto } from './dashboard.ts'
import type { Story } from './story.ts'

/** Pairs a shop as its owner does in the dashboard, with the passkey. @returns the key. */
export async function pairStore({ bff, files }: Pick<Story, 'bff' | 'files'>, permissions: readonly string[]) {
  const url = bff.url().replace('127.0.0.1', 'localhost')
  const { name, value, passkey } = await signInto(url, files)
  async function post(path: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url,
        cookie: `${name}=${value}`,
        ...ownConnection,
        ...headers,
      },
      body,
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  const body = JSON.stringify({ permissions, applicationName: 'Shop' })
  const asked = await post(
    '/dashboard/confirmations',
    JSON.stringify({ method: 'POST', path: '/dashboard/stores', body }),
  )
  const signed = passkey.sign(asked['options'] as { challenge: string }, url)
  const header = Buffer.from(JSON.stringify(signed)).toString('base64url')
  return String((await post('/dashboard/stores', body, { 'x-confirmation': header }))['apiKey'])
}
