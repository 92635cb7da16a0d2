import { openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { type PartName, partNames } from '../../parts.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { warnOfPartsOff } from './parts-off.ts'

test('a start without x402 reports charges that are paid and not used', async () => {
  const bff = await openApp()
  const { db, ledger } = bff.deps
  const lines: unknown[] = []
  const warned = async (on: readonly PartName[] = partNames.filter((name) => name !== 'x402')) => {
    await warnOfPartsOff(db, on, { warn: (...line: unknown[]) => void lines.push(line) })
    return lines.splice(0)
  }
  const id = (await bff.create(order)).body.payment['id'] as PaymentId
  await db.write((tx) =>
    tx.run(sql`insert into x402_charges (payment_id, resource) values (${id}, 'https://api.example')`),
  )
  expect(await warned(), 'nothing is paid').toEqual([])
  const transfer = transferTo(id, 25_000_000n)
  await ledger.apply(id, { type: 'transfer.seen', transfer, atMs: bff.nowMs() })
  await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  expect(await warned()).toEqual([
    [{ part: 'x402', charges: 1 }, expect.stringContaining('1 charges are paid and not used')],
  ])
  expect(await warned(partNames), 'x402 is on').toEqual([])
  await db.write((tx) => tx.run(sql`update x402_charges set used_at_ms = 1 where payment_id = ${id}`))
  expect(await warned(), 'it is used').toEqual([])
  await bff.close()
})
