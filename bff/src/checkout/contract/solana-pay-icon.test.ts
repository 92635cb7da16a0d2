import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AppFixture, openApp } from '../../../test/test-app.ts'
import { listenOn } from '../../http/listen.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

test('the icon that Solana wallets show comes over HTTP as an image', async () => {
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
