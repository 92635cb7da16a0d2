import { newPasskey, type SoftwarePasskey } from '@stablecoin-checkout/rig/software-passkey'
import type { Page } from 'playwright-core'
import { ownConnection, type Program, runBeside } from './bff.ts'
import type { Site } from './browser.ts'
import type { Story } from './story.ts'

type Role = 'owner' | 'staff' | 'viewer'

/** How the service's commands are started. */
type Commands = { env: Record<string, string>; program?: Program | undefined }

/** Accepts an invitation, as the page does. @returns the session's cookie. */
export async function signInto(url: string, { env, program }: Commands, role: Role = 'owner') {
  const run = await runBeside(['dashboard', 'invite', '--role', role, '--json'], env, program)
  if (run.exitCode !== 0) throw new Error(`Nobody could be invited:\n${run.stderr}`)
  const { hash } = new URL((JSON.parse(run.stdout) as { link: string }).link)
  const token = /[\w-]{20,}/.exec(hash)?.[0] ?? ''
  const passkey = newPasskey()

  async function post(path: string, body: object): Promise<{ cookie: string; body: Record<string, unknown> }> {
    const answer = await fetch(`${url}/api/v1/dashboard${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...ownConnection },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return { cookie: answer.headers.getSetCookie()[0] ?? '', body: JSON.parse(text) as Record<string, unknown> }
  }

  const { body } = await post('/invitation/options', { token })
  const response = passkey.register(body['options'] as { challenge: string }, url)
  const { cookie } = await post('/invitation/accept', { token, response })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  return { name, value, passkey }
}

/**
 * A person of the dashboard who has accepted an invitation, with the pages as that person's browser opens them. Other stories
 * cover signing in on the page.
 */
export async function openDashboard({ bff, files }: Pick<Story, 'bff' | 'files'>, role: Role = 'owner') {
  const url = bff.url().replace('127.0.0.1', 'localhost')
  const { name, value, passkey } = await signInto(url, files, role)

  return {
    url,
    /** @param path - After `/dashboard/`. */
    site: (path = '', prepare?: (page: Page) => Promise<unknown>): Site => ({
      url: `${url}/dashboard/${path}`,
      origins: [url],
      async prepare(page) {
        await page.context().addCookies([{ name, value, url }])
        await holdPasskey(page, passkey)
        await prepare?.(page)
      },
    }),
  }
}

/** Signature counter of the next browser with a passkey: far above any count that an earlier one has signed. */
let signCount = 1_000

/** Gives the browser a device that can create passkeys, and that the person always confirms. */
export async function holdAuthenticator(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { browser, authenticatorId }
}

/** Makes the browser respond with the passkey, as if the person had confirmed. */
export async function holdPasskey(page: Page, passkey: Pick<SoftwarePasskey, 'id' | 'exportKey'>): Promise<void> {
  const { browser, authenticatorId } = await holdAuthenticator(page)
  const credentialId = Buffer.from(passkey.id, 'base64url').toString('base64')
  signCount += 1_000
  const credential = { credentialId, isResidentCredential: false, rpId: 'localhost', signCount }
  await browser.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential, privateKey: passkey.exportKey() },
  })
}
