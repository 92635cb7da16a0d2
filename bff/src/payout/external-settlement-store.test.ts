import { openPayoutStage, type PayoutStage } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'
import {
  deleteExternalSettlement,
  externalSettlementsToRecheck,
  saveExternalSettlement,
} from './external-settlement-store.ts'

const network = 'devnet'

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

const save = (paymentId: PaymentId, block: number, at = network) =>
  stage.db.write((tx) => saveExternalSettlement(tx, at, { paymentId, txId: `0x${block}`, block }))
const read = (at = network, after = '', limit = 10) =>
  stage.db.read((tx) => externalSettlementsToRecheck(tx, at, { after, limit }))
const blocksOf = async (at?: string) => (await read(at)).map(({ block }) => block)

test('external settlements are checked again in pages, each with the proof of its payment, on their own network', async () => {
  const ids = [await stage.paid(), await stage.paid(), await stage.paid()].toSorted()
  const [first, second, third] = ids as [PaymentId, PaymentId, PaymentId]
  await save(first, 1)
  await save(second, 2)
  await save(third, 3)
  await save(third, 4, 'polygon')
  const { depositAddress } = await stage.load(second)
  const [found] = await read(network, first, 1)
  expect(found).toMatchObject({ paymentId: second, txId: '0x2', block: 2, depositAddress })
  expect((await read(network, '', 2)).map(({ paymentId }) => paymentId)).toEqual([first, second])
  expect([await blocksOf(), await blocksOf('polygon')]).toEqual([[1, 2, 3], [4]])
})

test('an external settlement that is found in another block has that block, and its end is no other’s', async () => {
  const ids = [await stage.paid(), await stage.paid()].toSorted()
  const [one, other] = ids as [PaymentId, PaymentId]
  await save(one, 1)
  await save(other, 2)
  await save(one, 4, 'polygon')
  await save(one, 3)
  expect(await read()).toMatchObject([{ paymentId: one, txId: '0x3', block: 3 }, { paymentId: other }])
  await stage.db.write((tx) => deleteExternalSettlement(tx, network, one))
  expect([await blocksOf(), await blocksOf('polygon')]).toEqual([[2], [4]])
})
