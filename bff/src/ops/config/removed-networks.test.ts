import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Networks } from '../../core/families.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createLedger } from '../../payment/ledger.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'
import { saveParkedShare } from '../../payout/parked-share-store.ts'
import { examinePayouts } from '../doctor/examine-payouts.ts'
import { serve } from '../serve/serve.ts'
import { loadConfig } from './config.ts'
import { refuseRemovedNetworks, refuseUnsweptDeposits } from './removed-networks.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const none: Networks = new Map()
const refused = () => refuseRemovedNetworks(bff.deps.db, none).then(() => undefined, String)

async function createPayment(): Promise<PaymentId> {
  return (await bff.create(order)).body.payment['id'] as PaymentId
}

test('a network with an open payment cannot leave the configuration, and the refusal names the payment', async () => {
  expect(await refused()).toBeUndefined()
  const id = await createPayment()
  expect(await refused()).toContain(
    `the network devnet is not configured, but 1 payments on it are unfinished: ${id}. Restore it`,
  )
  await refuseRemovedNetworks(bff.deps.db, bff.deps.networks)
  const config = { networks: none, operator: null, formerOperators: [] }
  expect(await examinePayouts(bff.deps.db, config, { nowMs: () => bff.nowMs() })).toMatchObject([
    { check: 'network', subject: 'devnet', state: 'bad', says: expect.stringContaining(id) },
  ])
})

test('after a change to the merchants’ own addresses the operator stays until earlier deposits are paid out', async () => {
  const { db, networks, ledger } = bff.deps
  const changed: Networks = new Map(
    [...networks].map(([name, network]) => [
      name,
      network.family === 'evm' ? { ...network, deposits: 'xpub' } : network,
    ]),
  )
  const refusedWithout = (at: Networks) => refuseUnsweptDeposits(db, at, false).then(() => undefined, String)
  expect(await refusedWithout(changed)).toBeUndefined()
  const id = await createPayment()
  expect(await refusedWithout(changed)).toContain(`OPERATOR_PRIVATE_KEY is required until 1 payments on devnet`)
  expect(await refusedWithout(changed)).toContain(id)
  expect(await refusedWithout(networks)).toBeUndefined()
  await refuseUnsweptDeposits(db, changed, true)
  const atMs = bff.nowMs()
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 25_000_000n), atMs })
  expect(await refusedWithout(changed)).toContain(id)
  await ledger.apply(id, { type: 'sweep.confirmed', txId: `0x${'5'.repeat(64)}`, atMs })
  await db.write((tx) => tx.run(sql`delete from payouts`))
  expect(await refusedWithout(changed)).toBeUndefined()
})

test('deposits to the merchants’ own addresses need no operator, while they are open or can be paid late', async () => {
  const { db, networks, ledger } = bff.deps
  const own: Networks = new Map(
    [...networks].map(([name, network]) => [
      name,
      network.family === 'evm' ? { ...network, deposits: 'xpub' } : network,
    ]),
  )
  const merchantId = bff.merchant.merchantId as MerchantId
  const direct = { merchantId, isDirect: true, windowEndsAtMs: bff.nowMs() + 1_000 }
  const late = { id: 'late' as PaymentId, depositAddress: '0x2', acceptedUntilMs: bff.nowMs() + 7 * 86_400_000 }
  await db.write(async (tx) => {
    await ledger.createIn(tx, newPayment(direct))
    await ledger.createIn(tx, newPayment({ ...direct, ...late, sequence: 0 }))
  })
  const end = { type: 'window.ended', blockTimeMs: bff.nowMs() + 2_000, atMs: bff.nowMs() } as const
  expect(await ledger.apply(late.id, end)).toMatchObject({ status: 'expired', lateEnded: false })
  await refuseUnsweptDeposits(db, own, false)
  expect(await refused()).toContain('2 payments on it are unfinished')
})

test('virtual addresses are refused, with an operator too, while earlier deposits are not paid out: nothing sweeps there', async () => {
  const { db, networks, ledger } = bff.deps
  const changed: Networks = new Map(
    [...networks].map(([name, network]) => [
      name,
      network.family === 'evm' ? { ...network, deposits: 'virtual' } : network,
    ]),
  )
  const refusedFor = () => refuseUnsweptDeposits(db, changed, true).then(() => undefined, String)
  expect(await refusedFor()).toBeUndefined()
  const id = await createPayment()
  expect(await refusedFor()).toContain(`1 payments from before the change are not paid out: ${id}`)
  await ledger.apply(id, { type: 'payment.closed', as: 'failed', atMs: bff.nowMs() })
  expect(await refusedFor()).toBeUndefined()
})

test('nor while money is to be sent there; afterwards it can', async () => {
  const { ledger } = bff.deps
  const id = await createPayment()
  const atMs = bff.nowMs()
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 25_000_000n), atMs })
  expect(await refused()).toContain(id)
  await ledger.apply(id, { type: 'sweep.confirmed', txId: `0x${'5'.repeat(64)}`, atMs })
  await bff.deps.db.write((tx) => tx.run(sql`delete from payouts`))
  expect(await refused()).toBeUndefined()
})

test('nor while late money can still pay an expired payment', async () => {
  const { ledger } = bff.deps
  const id = await createPayment()
  const acceptedUntilMs = bff.nowMs() + 7 * 86_400_000
  await bff.deps.db.write((tx) =>
    tx.run(sql`update payments set accepted_until_ms = ${acceptedUntilMs} where id = ${id}`),
  )
  const end = (blockTimeMs: number) => ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs: bff.nowMs() })
  expect(await end(acceptedUntilMs - 1)).toMatchObject({ status: 'expired', lateEnded: false })
  expect(await refused()).toContain(id)
  await end(acceptedUntilMs + 1)
  expect(await refused()).toBeUndefined()
})

test('the service refuses to start with such a configuration, and starts once the payments are finished', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-removed-'))
  const database = join(folder, 'checkout.sqlite')
  const configPath = join(folder, 'config.json')
  const payment = newPayment()
  const db = await openDatabase(database)
  await db.write(async (tx) => {
    const { merchantId, merchantName } = payment
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`)
    await createLedger(db, ({ id }) => ({ id })).createIn(tx, payment)
  })
  await db.close()
  writeFileSync(configPath, JSON.stringify({ port: 0, logLevel: 'silent', database }))
  const config = loadConfig({ BFF_CONFIG: configPath })
  try {
    await expect(serve(config, systemRuntime)).rejects.toThrow(payment.id)
    const after = await openDatabase(database)
    await after.write((tx) => tx.run(sql`update payments set status = 'expired'`))
    await after.close()
    await (await serve(config, systemRuntime)).stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a start without a network that has only parked platform shares reports them, and continues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-removed-'))
  const database = join(folder, 'checkout.sqlite')
  const configPath = join(folder, 'config.json')
  const db = await openDatabase(database)
  const share = { network: 'gone', place: '0x0a', token: '0x01', recipient: '0x02', paymentId: null, amount: 5n }
  await db.write((tx) => saveParkedShare(tx, share, 0))
  await db.close()
  writeFileSync(configPath, JSON.stringify({ port: 0, logLevel: 'warn', database }))
  const lines: string[] = []
  try {
    const logTo = { write: (line: string) => void lines.push(line) }
    await (await serve(loadConfig({ BFF_CONFIG: configPath }), systemRuntime, { logTo })).stop()
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        network: 'gone',
        shares: 1,
        msg: expect.stringContaining(
          'the network gone is not configured, but 1 shares of the platform are pending on it',
        ),
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
