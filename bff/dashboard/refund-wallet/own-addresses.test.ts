import { expect, test, vi } from 'vitest'
import type { WalletAddresses } from '../../src/api-types.ts'
import type { WalletAddress } from '../ui/address-export.ts'
import type { AddressBook } from './own-addresses.ts'

vi.stubGlobal('localStorage', { getItem: () => null })
const { isOwnAddress, ownHolder } = await import('./own-addresses.ts')

const readAt = '2026-11-28T07:00:00.000Z'

const addressOf = (number: number) => `0x${String(number).padStart(40, '0')}`

const given = (number: number, balances: WalletAddress['balances']): WalletAddress => ({
  path: `0/${number}`,
  address: addressOf(number),
  received: '0.00',
  currency: 'USDC',
  outcome: 'paid',
  paymentId: String(number),
  account: 'xpub',
  balances,
})

const holding = (number: number, amount: string, currency = 'USDC') => given(number, [{ currency, amount }])

const page = (addresses: WalletAddress[], next: number | null = null, at: string | null = readAt): WalletAddresses => ({
  success: true,
  account: 'xpub',
  addresses,
  next,
  readAt: at,
  gap: null,
})

/** A book of these pages, in their order. */
function bookOf(...pages: WalletAddresses[]): AddressBook & { asked: (number | null)[] } {
  const asked: (number | null)[] = []
  const held: AddressBook['held'] = async (_, before) => {
    asked.push(before)
    return pages[asked.length - 1] ?? page([], 1)
  }
  const given = pages.flatMap(({ addresses }) => addresses)
  return { asked, held, at: async (_, at) => page(given.filter(({ address }) => address === at)) }
}

const refund = (remainingUnits: string, currency = 'USDC') => ({
  network: 'base',
  currency,
  tokenDecimals: 6,
  remainingUnits,
})

test('the newest address that holds the sum of the refunds is named, to the last base unit', async () => {
  const book = bookOf(
    page([holding(9, '11.999999'), holding(8, '30.00', 'USDT')], 8),
    page([holding(7, '12.00'), holding(6, '50.00')]),
  )
  expect(await ownHolder([refund('7000000'), refund('5000000')], book)).toEqual({ address: addressOf(7) })
  expect(book.asked).toEqual([null, 8])
})

test('refunds of two tokens need an address that holds both', async () => {
  const both = given(3, [
    { currency: 'USDC', amount: '5.00' },
    { currency: 'USDT', amount: '5.00' },
  ])
  const book = bookOf(page([holding(5, '9.00'), both]))
  expect(await ownHolder([refund('5000000'), refund('5000000', 'USDT')], book)).toEqual({ address: addressOf(3) })
})

test('that no single address holds enough is said only when all of them were read', async () => {
  expect(await ownHolder([refund('12000000')], bookOf(page([holding(2, '7.00'), holding(1, '6.00')])))).toBe('none')
  const endless = bookOf()
  expect(await ownHolder([refund('12000000')], endless)).toBe('unknown')
  expect(endless.asked).toHaveLength(10)
  expect(await ownHolder([refund('1')], bookOf(page([given(1, null)], null, null)))).toBe('unknown')
})

test('an account is the merchant’s own where the service finds it among the addresses of payments', async () => {
  const book = bookOf(page([given(1, null)]))
  expect(await isOwnAddress('base', addressOf(1), book)).toBe(true)
  expect(await isOwnAddress('base', addressOf(2), book)).toBe(false)
})
