import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../../../payment/payment.ts'
import { addressTopic } from '../../event-topic.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { createUnmatchedAddresses } from './unmatched-addresses.ts'

const endedAfterMs = 1_000_000
const nowMs = endedAfterMs + watchAfterWindowMs

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

const addressOf = (index: number) => `0x${String(index).padStart(40, '0')}`
const create = (index: number, network: string, windowEndsAtMs: number, createdAtMs = 0) =>
  merchants.db.write((tx) =>
    merchants.ledger.createIn(
      tx,
      newPayment({
        ...{ id: String(index) as PaymentId, depositAddress: addressOf(index) },
        ...{ network, windowEndsAtMs, createdAtMs },
      }),
    ),
  )

async function open(homes: readonly string[]) {
  const addresses = createUnmatchedAddresses(merchants.db, homes)
  await addresses.refresh(nowMs)
  return addresses
}

test('the search begins with the oldest deposit of any network whose addresses exist here', async () => {
  await create(1, 'here', endedAfterMs + 1, 700)
  await create(2, 'there', endedAfterMs + 1, 500)
  await create(3, 'there', endedAfterMs, 100)
  await create(4, 'elsewhere', endedAfterMs + 1, 200)
  expect(await (await open(['here', 'there'])).firstCreatedAtMs()).toBe(500)
  expect(await (await open(['there', 'here'])).firstCreatedAtMs()).toBe(500)
  expect(await (await open(['nowhere'])).firstCreatedAtMs()).toBeUndefined()
})

test('a deposit is searched for until its time after the window is over, and on the networks of its addresses alone', async () => {
  await create(1, 'here', endedAfterMs)
  await create(2, 'here', endedAfterMs + 1)
  await create(3, 'elsewhere', endedAfterMs + 1)
  const topics = [1, 2, 3, 4].map((index) => addressTopic(addressOf(index)))
  const found = await (await open(['here'])).find(topics)
  expect([...found.keys()]).toEqual([topics[1]])
})

test('deposits have their turns: by window, network after network, from the start again, and each once a round', async () => {
  for (const [index, network] of ['here', 'here', 'here', 'there', 'there'].entries())
    await create(index, network, endedAfterMs + 10 - index)
  const addresses = await open(['here', 'there'])
  const turns: string[] = []
  for (let round = 0; round < 4; round++) {
    const ids = (await addresses.slice(2)).map(({ id }) => id)
    turns.push(ids.join(' '))
  }
  expect(turns).toEqual(['2 1', '0 4', '3', '2 1'])
})
