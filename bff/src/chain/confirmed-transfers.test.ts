import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import type { Network } from '../core/families.ts'
import { silentLog as log } from '../core/log.ts'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { unattestedMax } from './attestation-turns.ts'
import type { ChainAdapter } from './chain-adapter.ts'
import { createConfirmedReader } from './confirmed-transfers.ts'

test('a stored transfer that cannot be read holds up no other', async () => {
  const merchants = await openMerchantDatabase()
  const { db, ledger } = merchants
  try {
    for (const id of ['broken', 'other'] as PaymentId[]) {
      await db.write((tx) => ledger.createIn(tx, newPayment({ id, sequence: 0, depositAddress: `0x${id}` })))
      const transfer = transferOf('1', { txId: id, blockNumber: 1, blockHash: '0xb', blockTimeMs: 1 })
      await ledger.apply(id, { type: 'transfer.seen', transfer, atMs: 1 })
    }
    await db.write((tx) => tx.run(sql`update transfers set amount = 'x' where payment_id = 'broken'`))
    const block = { number: 1, hash: '0xb', parentHash: '', timeMs: 1 }
    const adapter = { block: async () => block } as unknown as ChainAdapter
    const network = { shortName: 'devnet', confirmations: 3 } as Network
    const logged: unknown[] = []
    const noting = { ...log, error: (fields: unknown) => void logged.push(fields) } as typeof log
    const readConfirmed = createConfirmedReader({ db, adapter, network, log: noting })
    const confirmed = await readConfirmed({ ...block, number: 10 }, new AbortController().signal)
    expect(confirmed.map(({ paymentId }) => paymentId)).toEqual(['other'])
    expect(logged).toMatchObject([{ paymentId: 'broken' }])
  } finally {
    await merchants.remove()
  }
})

test('dust at an address of high value, which too few nodes confirm, costs a pass twenty questions and blocks at most, and holds up no other payment', async () => {
  const merchants = await openMerchantDatabase()
  const { db, ledger } = merchants
  try {
    const receive = async (id: string, confirmations: number | null, count: number) => {
      const payment = newPayment({ id: id as PaymentId, sequence: 0, depositAddress: `0x${id}`, confirmations })
      await db.write((tx) => ledger.createIn(tx, payment))
      for (let index = 0; index < count; index++) {
        const place = { txId: `${id}${index}`, blockNumber: index, blockHash: `0x${index}`, blockTimeMs: 1 }
        const transfer = transferOf('1', place)
        await ledger.apply(payment.id, { type: 'transfer.seen', transfer, atMs: 1 })
      }
    }
    await receive('high', 3, unattestedMax + 5)
    await receive('other', null, 1)
    const asked: string[] = []
    const blocks: number[] = []
    const adapter = {
      async block(number: number) {
        blocks.push(number)
        return { number, hash: `0x${number}`, parentHash: '', timeMs: 1 }
      },
      async isAttested({ txId }: { txId: string }) {
        asked.push(txId)
        return false
      },
    } as unknown as ChainAdapter
    const network = { shortName: 'devnet', confirmations: 3 } as Network
    const readConfirmed = createConfirmedReader({ db, adapter, network, log })
    const pass = async () => {
      asked.length = 0
      blocks.length = 0
      const head = { number: 100, hash: '0x100', parentHash: '', timeMs: 1 }
      const confirmed = await readConfirmed(head, new AbortController().signal)
      expect(confirmed.map(({ paymentId }) => paymentId)).toEqual(['other'])
      // Also the block of the other payment.
      expect(blocks.length).toBeLessThanOrEqual(unattestedMax + 1)
      return [...asked]
    }
    const [first, second] = [await pass(), await pass()]
    expect([first.length, second.length]).toEqual([unattestedMax, unattestedMax])
    expect(new Set([...first, ...second]).size).toBe(unattestedMax + 5)
  } finally {
    await merchants.remove()
  }
})
