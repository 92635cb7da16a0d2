import { expect, test, vi } from 'vitest'
import type { WalletAddress } from './address-export.ts'

vi.stubGlobal('localStorage', { getItem: () => null })
const { addressCsv, addressesMax, readAllAddresses } = await import('./address-export.ts')

const address = (number: number): WalletAddress => ({
  path: `0/${number}`,
  address: `0x${number}`,
  received: '25.00',
  currency: 'USDC',
  outcome: 'paid',
  paymentId: `id-${number}`,
  account: 'xpub6',
  balances: null,
})

/** A service with so many addresses, which gives pages as ours: newest first, and every third one without an address. */
function serviceWith(count: number) {
  let pages = 0
  return async (_: string, before: number | null) => {
    const newest = (before ?? count + 1) - 1
    pages += 1
    const isEmpty = pages % 3 === 0
    const length = isEmpty ? 0 : Math.min(500, newest)
    const addresses = Array.from({ length }, (_one, index) => address(newest - index))
    const left = newest - length
    const next = left > 0 ? left + 1 : null
    return { success: true as const, account: 'xpub6', addresses, next, readAt: null, gap: null }
  }
}

test('the file has the columns of the command, and the addresses in the order of a wallet', async () => {
  const { addresses, isCut } = await readAllAddresses('base', serviceWith(3))
  expect(isCut).toBe(false)
  expect(addressCsv(addresses).split('\r\n').slice(0, 3)).toEqual([
    '\ufeffpath,address,received,currency,outcome,payment,account',
    '0/1,0x1,25.00,USDC,paid,id-1,xpub6',
    '0/2,0x2,25.00,USDC,paid,id-2,xpub6',
  ])
})

test('a page without an address ends nothing, and the newest are kept where there are too many', async () => {
  const some = await readAllAddresses('base', serviceWith(1_500))
  expect([some.addresses.length, some.isCut]).toEqual([1_500, false])
  const many = await readAllAddresses('base', serviceWith(addressesMax + 700))
  expect([many.addresses.length, many.isCut, many.addresses.at(-1)?.path]).toEqual([addressesMax, true, '0/5700'])
})
