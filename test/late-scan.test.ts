import { readFileSync } from 'node:fs'
import { openDatabase, type Sql, sql } from '@stablecoin-checkout/bff/testing/db'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

const story = await openStory('late-scan', { settings: { metrics: { port: 0 } } })
const { bff, chain, receiver, files, openTill, sweep } = story

const hourMs = 60 * 60 * 1000
const payer = `0x${'abcdef'.padStart(40, '0')}`

/** Changes the database of the service, which is stopped. */
async function change(statement: Sql): Promise<void> {
  const db = await openDatabase(files.env['DATABASE_URL'] ?? files.databasePath)
  await db.write((tx) => tx.run(statement)).finally(() => db.close())
}

/** The payments are so old that they ended eight days ago and an hour. */
const age = () => change(sql`update payments set window_ends_at_ms = window_ends_at_ms - ${(8 * 24 + 1) * hourMs}`)

/** The next round of the scan is due. */
const passAnHour = () => change(sql`update late_scans set began_at_ms = began_at_ms - ${hourMs}`)

/** @returns the value of a series of the metrics; undefined: there is none. */
async function series(name: string): Promise<number | undefined> {
  const ready = readFileSync(files.logPath, 'utf8')
    .split('\n')
    .findLast((line) => line.includes('"msg":"ready"'))
  const { metricsUrl } = JSON.parse(ready ?? '') as { metricsUrl: string }
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

/** Kills the service in the commit that stores what the scan has found. */
const failpoint: Failpoint = { writes: ['insert into transfers', 'update late_searches'], nth: 1, at: 'inside' }

/** The newest block of devnet that the watcher has applied. */
async function newestBlock(): Promise<number> {
  const [row] = await bff.query<{ newest: number }>(
    "select max(number) as newest from headers where network = 'devnet'",
  )
  return row?.newest ?? -1
}

/** With nothing to watch, the service reads the head of a chain four times a minute only. */
const watchSomething = () => bff.createDeposit({ amount: '1.00' })

/** The events of the payment that the merchant's server has, each once: an attempt that the kill cut off is repeated later than others. */
const eventsOf = (id: string) =>
  receiver
    .events(id)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ type, sequence }) => `${sequence} ${type}`)

const unmatchedOf = async (id: string) => (await bff.read(id))['unmatched']

test('money that comes eight days after the end, to a service that is killed when it finds it, is reported once, taken and returned', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const other = await bff.createDeposit({ amount: '9.00' })
  await chain.mine(1)
  await story.caughtUp()
  await bff.stop()
  await age()
  // The window ends before there is money: the scan may otherwise be faster than the watcher that ends it.
  await bff.start()
  await watchSomething()
  await chain.mine(1)
  for (const { id } of [payment, other]) await bff.shows(id, { status: 'expired' })
  await bff.stop()
  await chain.pay(payment.depositAddress, '25.00')
  const txId = await chain.pay(other.depositAddress, '3.00', { token: 'USDT' })
  await chain.mine(3)

  // The first round may be over before the watcher has come to the blocks, so that only the second one finds the money.
  await bff.start({ failpoint })
  const head = await chain.head()
  await until('the watcher to come to them', async () => bff.isDead() || (await newestBlock()) >= head)
  if (!bff.isDead()) {
    await bff.kill()
    await passAnHour()
    await bff.start({ failpoint })
    await until('the service to die', () => bff.isDead())
  }
  expect(await bff.query('select tx_id from transfers')).toEqual([])

  await bff.kill()
  await bff.start()
  await watchSomething()
  await until('the search to be over', async () => {
    const open = await bff.query('select payment_id from late_searches where from_block is not null')
    return open.length === 0 && (await bff.query('select tx_id from transfers')).length > 0
  })
  await chain.mine(1)
  await bff.shows(payment.id, { status: 'expired', isFinal: true, excessOwed: '25.00' })
  await expect
    .poll(() => unmatchedOf(other.id))
    .toMatchObject([{ currency: 'USDT', amount: '3.00', transactionHash: txId }])

  const accepted = await bff.ask(`/api/v1/payments/${payment.id}/accept-late`, {
    method: 'POST',
    headers: { 'x-api-key': bff.merchant.apiKey, 'x-api-secret': bff.merchant.apiSecret },
  })
  expect(accepted).toMatchObject({ status: 200, body: { payment: { outcome: 'paid' } } })
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect((await bff.requestRefund(other.id, { address: payer })).status).toBe(200)
  await until('the tokens to be back', async () => (await chain.balance('USDT', payer)) === 3_000_000n)
  await chain.mine(2)
  await expect.poll(() => unmatchedOf(other.id)).toMatchObject([{ amount: '0.00', refund: { state: 'refunded' } }])
})

test('the next round finds nothing more, the metrics count it, and the books equal the chains', async () => {
  const scanned = 'checkout_late_scan_addresses_total{network="devnet"}'
  const before = (await series(scanned)) ?? 0
  expect(before).toBeGreaterThan(1)
  await bff.stop()
  await passAnHour()
  await bff.start()
  await expect.poll(() => series(scanned)).toBe(before + 2)
  const age = (await series('checkout_late_scan_age_seconds{network="devnet"}')) ?? Number.POSITIVE_INFINITY
  expect(age).toBeLessThan(hourMs / 1_000)
  const [payment, other] = await bff.query<{ id: string }>('select id from payments order by number')
  await expect
    .poll(() => eventsOf(payment?.id ?? ''))
    .toEqual(['1 payment.created', '2 payment.expired', '3 payment.late', '4 payment.completed', '5 deposit.swept'])
  await expect
    .poll(() => eventsOf(other?.id ?? ''))
    .toEqual(['1 payment.created', '2 payment.expired', '3 deposit.unmatched_received', '4 deposit.unmatched_refunded'])
  expect(receiver.refusals).toEqual([])
  await expectBooksToClose(story)
})
