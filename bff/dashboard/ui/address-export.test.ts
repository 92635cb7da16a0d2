import { expect, test } from 'vitest'
import { addressColumns as ofCommand } from '../../src/ops/export/export-addresses.ts'
import { addressColumns, addressCsv, addressesMax, readAllAddresses, type WalletAddress } from './address-export.ts'

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

/** A service with so many addresses, which gives pages as ours: newest first, and empty ones in between. */
const serviceWith = (count: number) => async (_: string, before: number | null) => {
  const newest = (before ?? count + 1) - 1
  const isEmpty = before !== null && newest % 1000 === 0
  const numbers = Array.from({ length: Math.min(500, newest) }, (_one, index) => newest - index)
  const last = numbers.at(-1) ?? 1
  const addresses = isEmpty ? [] : numbers.map(address)
  const next = isEmpty ? newest : last
  return { success: true as const, account: 'xpub6', addresses, next: next > 1 ? next : null, readAt: null, gap: null }
}

test('the file has the columns of the command, and the addresses in the order of a wallet', async () => {
  expect(addressColumns).toEqual(ofCommand)
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
