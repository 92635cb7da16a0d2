import { ownConnection } from './bff.ts'
import { signInto } from './dashboard.ts'
import type { Story } from './story.ts'

type Answered = { status: number; headers: Headers; body: Record<string, unknown> }

/**
 * Signs a person in and calls the service like the dashboard's pages, without a browser. The session outlives the service, which
 * may listen elsewhere after a restart.
 */
export async function openSignedIn({ bff, files }: Pick<Story, 'bff' | 'files'>) {
  const url = () => bff.url().replace('127.0.0.1', 'localhost')
  const { name, value, passkey } = await signInto(url(), files)

  async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answered> {
    const response = await fetch(`${url()}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url(),
        cookie: `${name}=${value}`,
        ...ownConnection,
        ...headers,
      },
      body,
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answered['body'] }
  }

  return {
    /** Confirms the operation with the passkey, then sends it. @param path - After `/api/v1`. */
    async postConfirmed(path: string, body: object, headers: Record<string, string> = {}): Promise<Answered> {
      const text = JSON.stringify(body)
      const asked = await post('/dashboard/confirmations', JSON.stringify({ method: 'POST', path, body: text }))
      if (asked.status !== 200)
        throw new Error(`The confirmation answered ${asked.status}: ${JSON.stringify(asked.body)}`)
      const signed = passkey.sign(asked.body['options'] as { challenge: string }, url())
      const confirmation = Buffer.from(JSON.stringify(signed)).toString('base64url')
      return await post(path, text, { 'x-confirmation': confirmation, ...headers })
    },
  }
}
