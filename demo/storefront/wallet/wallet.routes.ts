import type { Context, Hono } from 'hono'
import type { SendBehaviour } from './send.ts'
import type { TestWallet, WalletRequest } from './test-wallet.ts'
import { accountNames } from './wallet-account.ts'
import { WalletError } from './wallet-error.ts'

/** Each holds a socket to the node; a page needs only a few at once. */
const waitingMax = 200

const behaviours: readonly SendBehaviour[] = ['honest', 'slow', 'drop', 'replace']

/** The page's access to the keys. `isOwnPage` says whether the caller is a page of this shop. */
export function walletRoutes(app: Hono, wallet: TestWallet, isOwnPage: (c: Context) => boolean): void {
  let waiting = 0

  const answer = async (c: Context, work: (request: WalletRequest) => unknown) => {
    if (!isOwnPage(c)) return c.json({ error: { code: 4100, message: 'Only the shop’s own page may call this.' } }, 403)
    const request = readRequest(await c.req.json().catch(() => null))
    if (request === null) return c.json({ error: { code: -32600, message: 'This is not a valid request.' } }, 400)
    if (waiting >= waitingMax) return c.json({ error: { code: -32005, message: 'Too many requests at once.' } }, 503)
    waiting += 1
    try {
      return c.json({ result: (await work(request)) ?? null })
    } catch (error) {
      if (!(error instanceof WalletError)) throw error
      const { code, message, data } = error
      return c.json({ error: data === undefined ? { code, message } : { code, message, data } })
    } finally {
      waiting -= 1
    }
  }

  app.post('/demo/wallet', (c) => answer(c, (request) => wallet.request(request)))
  app.post('/demo/wallet/describe', (c) => answer(c, (request) => wallet.describe(request)))
}

function readRequest(body: unknown): WalletRequest | null {
  if (typeof body !== 'object' || body === null) return null
  const { account, chainId, behaviour, method, params } = body as Record<string, unknown>
  const name = accountNames.find((known) => known === account)
  const known = behaviours.find((one) => one === behaviour)
  if (name === undefined || known === undefined || typeof chainId !== 'number' || typeof method !== 'string')
    return null
  return { account: name, chainId, behaviour: known, method, params: Array.isArray(params) ? params : [] }
}
