import { systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { createSetupAccess, createSetupApp } from '@stablecoin-checkout/bff/testing/setup'
import { newPasskey } from './software-passkey.ts'

/** Origin of the page, unless a request has another. */
export const localPage = 'http://localhost:8787'

export const setupShop = { name: 'Corner Coffee', language: 'en', currency: 'USD' }

type Sent = {
  method?: string
  body?: object
  headers?: Record<string, string>
  cookie?: string | undefined
  at?: string
}

type Answer = Record<string, unknown> & { code?: string; field?: string | null }

/** The set-up page's application in a folder, and a browser for it. For tests. */
export function openSetupStage(folder: string, nowMs: () => number = Date.now) {
  const runtime = { ...systemRuntime, nowMs }
  const access = createSetupAccess(runtime)
  const started: string[] = []
  const passkey = newPasskey()
  const setup = createSetupApp({
    access,
    place: { folder, port: 8787, trustedProxies: [], env: {} },
    files: new Map(),
    runtime,
    report(error) {
      throw error
    },
    start: (configuration) => started.push(configuration),
  })

  async function send(path: string, { method, body, headers = {}, cookie, at = localPage }: Sent = {}) {
    const asked = method ?? (body ? 'POST' : 'GET')
    const response = await setup.app.request(`/setup/api/${path}`, {
      method: asked,
      headers: {
        host: new URL(at).host,
        ...(asked === 'GET' ? {} : { origin: at }),
        ...(body && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Answer
    return { status: response.status, answer, cookie: response.headers.get('set-cookie') }
  }

  async function refusalOf(path: string, sent: Sent) {
    const { status, answer } = await send(path, sent)
    return [status, answer.code, answer.field]
  }

  async function signIn(at = localPage): Promise<string> {
    const { cookie } = await send('link', { body: { token: access.token }, at })
    return cookie?.split(';')[0] ?? ''
  }

  async function makeOwner(cookie: string, at = localPage) {
    const { answer } = await send('owner/options', { body: { name: 'Ada' }, cookie, at })
    const response = passkey.register(answer['options'] as Parameters<typeof passkey.register>[0], at)
    return await send('owner', { method: 'PUT', body: { name: 'Ada', response }, cookie, at })
  }

  async function put(path: string, body: object, cookie: string): Promise<void> {
    const { status, answer } = await send(path, { method: 'PUT', body, cookie })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  }

  return {
    ...setup,
    started,
    token: access.token,
    passkey,
    send,
    refusalOf,
    signIn,
    makeOwner,
    /** Completes every step for one network, Sepolia. */
    async answerAll(cookie: string, rpcUrl: string, wallet: string): Promise<void> {
      await makeOwner(cookie)
      await put('shop', setupShop, cookie)
      await put('networks', { networks: [{ network: 'sepolia', rpcUrls: [rpcUrl] }] }, cookie)
      await put('wallets', { family: 'evm', address: wallet, retyped: wallet.slice(-6) }, cookie)
    },
  }
}
