import { type AppFixture, noChains, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listenOn } from '../../access/http/listen.ts'
import type { Sponsor } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { PaymentError } from '../../core/errors.ts'

const limits = { perPayer: 1, perAddress: 1, dailyBudgetMicros: 1 }

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

test('the icon shown by Solana wallets is served over HTTP as an image', async () => {
  const server = await listenOn(bff.app.fetch, { host: '127.0.0.1', port: 0 })
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/payments/solana-pay-icon.svg`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(await answer.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>$/)
  } finally {
    await server.close()
  }
})

describe('the transaction of a deposit whose token account is being created', () => {
  const account = '4Nd1mYw8FqGNGZ6wSJt3m1kq3UeHk1Pz3fN2Q6Qm9u7b'
  const transaction = { transaction: 'AQID', message: '25.00 USDC to Corner Coffee' }
  let stopping: AbortController
  /** The token account exists from this call on. */
  let readyAt: number
  let asked: number

  const isReady = async () => ++asked >= readyAt
  async function transactionOf() {
    if (asked >= readyAt) return transaction
    throw new PaymentError('NOT_READY', 'in a moment', { status: 503, error: 'No transaction' })
  }

  beforeEach(async () => {
    stopping = new AbortController()
    asked = 0
    await bff.close()
    const sponsor = { feePayer: 'payer', isReady, transactionOf } as unknown as Sponsor
    const chains = new Map([['devnet', { authorizer: { limits, sponsor } } as unknown as WalletPayments]])
    bff = await openApp({ contracts: { ...noChains, chains, stopping: stopping.signal } })
  })

  async function ask() {
    const id = (await bff.create()).body.payment['id']
    return await bff.post(`/api/v1/payments/solana-pay/${id}`, { account })
  }

  test('is awaited, so that a quick customer’s page logs no error', async () => {
    readyAt = 2
    const { status, body } = await ask()
    expect([status, body]).toMatchObject([200, transaction])
    expect(asked).toBe(2)
  })

  test('is not awaited where the service does not pay the network fee any more', async () => {
    await bff.close()
    const sponsor = { feePayer: 'payer', isReady, transactionOf } as unknown as Sponsor
    const chains = new Map([['devnet', { authorizer: { limits: null, sponsor } } as unknown as WalletPayments]])
    bff = await openApp({ contracts: { ...noChains, chains, stopping: stopping.signal } })
    const { status, body } = await ask()
    expect([status, body['code']]).toEqual([400, 'NOT_A_SOLANA_PAYMENT'])
  })

  test('is refused with NOT_READY when the wait ends without it', async () => {
    readyAt = Number.POSITIVE_INFINITY
    stopping.abort()
    const { status, body } = await ask()
    expect([status, body['code']]).toEqual([503, 'NOT_READY'])
  })
})

describe('requests for transactions, each of which asks a node,', () => {
  let asked: number
  beforeEach(async () => {
    asked = 0
    const transactionOf = async () => ({ transaction: 'AQID', message: String(++asked) })
    const chains = new Map([
      ['devnet', { authorizer: { limits, sponsor: { transactionOf } } } as unknown as WalletPayments],
    ])
    await bff.close()
    bff = await openApp({ contracts: { ...noChains, chains } })
  })

  const idOf = async (keys: Record<string, string>) => (await bff.create(undefined, keys)).body.payment['id']

  async function ask(id: unknown, address: string) {
    const body = JSON.stringify({ account: '4Nd1mYw8FqGNGZ6wSJt3m1kq3UeHk1Pz3fN2Q6Qm9u7b' })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    const socket = { incoming: { socket: { remoteAddress: address } } } as never
    return (await bff.app.request(`/api/v1/payments/solana-pay/${id}`, init, socket)).status
  }

  test('are bounded by minute for an address and a merchant, and leave a part to others', async () => {
    const [own, others] = [await idOf(bff.keys.public), await idOf(bff.keys.stranger)]
    for (let nth = 0; nth < 60; nth++) expect(await ask(own, '192.0.2.1')).toBe(200)
    expect([await ask(own, '192.0.2.1'), await ask(own, '192.0.2.2'), asked]).toEqual([429, 200, 61])
    for (let nth = 0; nth < 400; nth++) await ask(own, `198.51.${nth >> 8}.${nth & 255}`)
    expect([asked, await ask(own, '192.0.2.3'), await ask(others, '192.0.2.3')]).toEqual([400, 429, 200])
    bff.advance(60_000)
    expect(await ask(own, '192.0.2.1')).toBe(200)
  })

  test('leave a part to others also when one stranger has a network of IPv6 with addresses without number', async () => {
    const id = await idOf(bff.keys.public)
    for (let nth = 0; nth < 800; nth++) await ask(id, `2001:db8:1:${(nth % 50).toString(16)}::1`)
    expect([asked, await ask(id, '2001:db8:2:1::1'), await ask(id, '192.0.2.3')]).toEqual([60, 200, 200])
  })
})
