import { expect, test } from 'vitest'
import type { Network, Networks } from '../core/families.ts'
import { supportedToken } from './supported-token.ts'

const token = { symbol: 'USDC', currency: 'USD', address: '0xa', decimals: 6 }
const base = { shortName: 'base', name: 'Base', tokens: [token] } as unknown as Network
const networks: Networks = new Map([['base', base]])

test('a token is found by its symbol in any case, and one that the network does not have is refused by both names', () => {
  for (const symbol of ['USDC', 'usdc', 'Usdc']) expect(supportedToken(networks, 'base', symbol).token).toBe(token)
  expect(() => supportedToken(networks, 'base', 'usdt')).toThrow(
    'currency usdt is not supported on Base (supported: USDC)',
  )
  expect(() => supportedToken(networks, 'moon', 'USDC')).toThrow('network "moon" is not supported (supported: base)')
})
