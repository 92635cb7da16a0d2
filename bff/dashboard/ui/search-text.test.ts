import { expect, test } from 'vitest'
import { searchTextOf } from './search-text.ts'

test.each([
  [' CC-1074\n', 'CC-1074'],
  ['https://basescan.org/tx/0xabc/', '0xabc'],
  ['https://solscan.io/account/So1ana?cluster=devnet', 'So1ana'],
  [
    'https://pay.example/pay/b7331c10-8dc6-4dc0-8ce3-2f53328b02a1#client_secret=x',
    'b7331c10-8dc6-4dc0-8ce3-2f53328b02a1',
  ],
  ['https://', 'https://'],
  ['https://shop.example', 'https://shop.example'],
  ['order https://x.example/y', 'order https://x.example/y'],
])('%j is searched for as %j', (pasted, text) => {
  expect(searchTextOf(pasted)).toBe(text)
})
