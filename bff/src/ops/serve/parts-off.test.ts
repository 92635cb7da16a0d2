import { openBridgedApp } from '@stablecoin-checkout/rig/relay-stage'
import { openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { type PartName, partNames } from '../../parts.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { newDeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import { examinePartsOff } from '../doctor/examine-settings.ts'
import { createGauges } from '../metrics/gauges.ts'
import { createMeter } from '../metrics/meter.ts'
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
    [{ part: 'x402', count: 1 }, expect.stringContaining('1 charges are paid and not used')],
  ])
  expect(await warned(partNames), 'x402 is on').toEqual([])
  const refund = (amount: string) =>
    db.write((tx) => tx.run(sql`update payments set refunded_by_merchant = ${amount} where id = ${id}`))
  await refund('25000000')
  expect(await warned(), 'it is refunded').toEqual([])
  await refund('24999999')
  expect(await warned(), 'it is refunded in part').toHaveLength(1)
  await refund('25000000')
  const setDirect = (ofDue: string) =>
    db.write((tx) => tx.run(sql`update payments set is_direct = 1, refunded_of_due = ${ofDue} where id = ${id}`))
  await setDirect('0')
  expect(await warned(), 'what was paid too much to the merchant’s own address is refunded').toHaveLength(1)
  await setDirect('25000000')
  expect(await warned(), 'the amount due is').toEqual([])
  await setDirect('0')
  await db.write((tx) => tx.run(sql`update x402_charges set used_at_ms = 1 where payment_id = ${id}`))
  expect(await warned(), 'it is used').toEqual([])
  await bff.close()
})

const bridged = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }

test('without a relay, the start and the doctor report bridges that are not finished; with one, a metric counts them', async () => {
  const bff = await openBridgedApp()
  const { db } = bff.deps
  const parts = { dashboard: true, links: true, notices: true, reports: true, stores: true, tools: true, x402: true }
  const settings = { networks: new Map(), database: 'checkout.sqlite', stablezact: null, mail: null, parts }
  const warned = async () => {
    const lines: unknown[] = []
    await warnOfPartsOff(db, [], { warn: (...line: unknown[]) => void lines.push(line) })
    return lines
  }
  expect(await warned()).toEqual([])
  expect((await bff.create(bridged, {}, '/api/v1/payments/cross-chain/create')).status).toBe(200)
  const says = expect.stringContaining('1 cross-chain payments wait for a bridge')
  expect(await warned()).toEqual([[{ part: 'relay', count: 1 }, says]])
  const finding = { check: 'parts', subject: 'relay', state: 'warning', says }
  expect(await examinePartsOff(db, { ...settings, relay: null })).toMatchObject([finding])
  expect(await examinePartsOff(db, { ...settings, relay: {} })).toEqual([])

  const metrics = async (partsOn: readonly PartName[]) => {
    const meter = createMeter()
    const measured = {
      ...bff.deps,
      database: 'checkout.sqlite',
      leases: { isHeld: () => true },
      nodeStates: () => [],
      deliveryCounts: newDeliveryCounts(),
    }
    await createGauges({ ...measured, meter, partsOn })()
    return await meter.registry.metrics()
  }
  expect(await metrics(['relay'])).toContain('checkout_bridges_unfinished 1\n')
  expect(await metrics([]), 'relay is off').not.toContain('bridges_unfinished')
  await bff.close()
})
