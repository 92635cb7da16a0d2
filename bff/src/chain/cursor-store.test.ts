import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'
import { firstCreation, hasHeader, loadHeaders, moveCursor } from './cursor-store.ts'

const finalityBlocks = 5

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

const header = (number: number, chain = '') => ({ number, hash: `0x${number}${chain}`, timeMs: number })
const move = (from: number, to: number, chain = '') =>
  merchants.db.write((tx) => moveCursor(tx, 'devnet', header(from), header(to, chain), finalityBlocks))
const hashes = async () =>
  (await merchants.db.read((tx) => loadHeaders(tx, 'devnet', 100))).map(({ hash }) => hash.slice(2))

test('headers are kept that a reorg can replace, and one at the depth of finality', async () => {
  for (let number = 10; number < 20; number++) await move(number, number + 1)
  expect(await hashes()).toEqual(['15', '16', '17', '18', '19', '20'])
  // A range of blocks has a header at its ends only: the one before the depth is the common ancestor.
  await move(20, 24)
  expect(await hashes()).toEqual(['19', '20', '24'])
  await move(24, 26)
  expect(await hashes()).toEqual(['20', '24', '26'])
})

test('a cursor that moves on after a reorg leaves no header of the replaced blocks', async () => {
  for (let number = 10; number < 14; number++) await move(number, number + 1)
  await move(12, 13, 'b')
  expect(await hashes()).toEqual(['10', '11', '12', '13b'])
  expect(await merchants.db.read((tx) => hasHeader(tx, 'devnet', header(13)))).toBe(false)
  expect(await merchants.db.read((tx) => hasHeader(tx, 'devnet', header(13, 'b')))).toBe(true)
  expect(await merchants.db.read((tx) => hasHeader(tx, 'other', header(13, 'b')))).toBe(false)
})

test('a first cursor is set by the first live payment of the network, not by a test', async () => {
  const create = (id: string, createdAtMs: number, isTest: boolean) =>
    merchants.db.write((tx) =>
      merchants.ledger.createIn(tx, newPayment({ id: id as PaymentId, depositAddress: id, createdAtMs, isTest })),
    )
  const first = (network: string) => merchants.db.read((tx) => firstCreation(tx, network))
  await create('test', 1_000, true)
  expect(await first('devnet')).toBeUndefined()
  await create('live', 2_000, false)
  await create('next', 3_000, false)
  expect([await first('devnet'), await first('other')]).toEqual([2_000, undefined])
})
