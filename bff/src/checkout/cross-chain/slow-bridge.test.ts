import { transferOf } from '@stablecoin-checkout/rig/new-payment'
import { openBridgedApp, settingsFor } from '@stablecoin-checkout/rig/relay-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeFault, saveFault } from '../../chain/watch-fault-store.ts'
import { endWindows } from '../../chain/watch-window.ts'
import { baseUnits } from '../../core/money.ts'
import { bridgeAnswerMaxMs, bridgeWaitMaxMs } from '../../payment/bridge.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { askOnceMore } from '../../payment/store/bridge-store.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { duePolls } from './bridge-poll-store.ts'
import { createBridgeProgress } from './bridge-progress.ts'

const signal = new AbortController().signal
const statusPath = '/intents/status/v3'

let bff: Awaited<ReturnType<typeof openBridgedApp>>
beforeEach(async () => {
  bff = await openBridgedApp()
  bff.responses.set('/requests/v3', () => ({ body: { requests: [] } }))
  bff.responses.set('/transactions/deposit-address/reindex', () => ({ body: { message: 'ok' } }))
})
afterEach(() => bff.close())

/** A payment; what the relay says of it, the worker that asks the relay, and the chain's clock. */
async function open() {
  const { db, ledger, runtime, log } = bff.deps
  const settings = settingsFor(bff.relay.baseUrl, { pollMs: 1_000, reindexAfterSeconds: 3_600 })
  const progress = createBridgeProgress({ db, ledger, relay: bff.client, settings, runtime, log })
  const wanted = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const { body } = await bff.post('/api/v1/payments/cross-chain/create', wanted, headers)
  const id = body.payment['id'] as PaymentId
  const stored = async () => {
    const payment = await db.read((tx) => loadPayment(tx, id))
    if (payment === undefined) throw new Error('There is no such payment')
    return payment
  }
  const { network, windowEndsAtMs } = await stored()
  return {
    id,
    says: (status: string, txHashes?: string[]) =>
      bff.responses.set(statusPath, () => ({ body: { status, txHashes } })),
    isDown: () => bff.responses.set(statusPath, () => ({ status: 503, body: { message: 'down' } })),
    asks: () => progress.pass(signal).catch(() => 0),
    /** A block so long after the window was applied. */
    async block(afterMs: number) {
      const windowMs = windowEndsAtMs + afterMs
      await endWindows({ db, ledger, network, runtime, log }, { windowMs, lateMs: windowMs }, signal)
    },
    async delivers(afterMs: number) {
      const changes = { network, blockNumber: 905, blockTimeMs: windowEndsAtMs + afterMs }
      const transfer = { ...transferOf('25000000', changes), amount: baseUnits(String((await stored()).due)) }
      await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: runtime.nowMs() })
    },
    async receives(amount: string, blockNumber: number) {
      const transfer = transferOf(amount, { network, blockNumber, blockTimeMs: windowEndsAtMs - 1_000 })
      await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: runtime.nowMs() })
      return transfer.txId
    },
    /** Something of the payment waits to be applied again. */
    faults: () => db.write((tx) => saveFault(tx, network, { id, part: 'account', place: '' }, { error: '', atMs: 1 })),
    isApplied: () => db.write((tx) => removeFault(tx, network, { id, part: 'account', place: '' })),
    shows: async () => {
      const { body } = await bff.read(`/api/v1/payments/public/${id}`)
      const { outcome, isFinal, status } = body.payment as Record<string, unknown>
      return { outcome, isFinal, status }
    },
  }
}

const isOpen = { outcome: 'pending', isFinal: false, status: 'pending' }
const isExpired = { outcome: 'failed', isFinal: true, status: 'expired' }

describe('a bridge that is slower than the window', () => {
  test('pays when it delivers, also where the relay was last asked before the customer had paid it', async () => {
    const { says, asks, block, delivers, shows } = await open()
    says('waiting')
    await asks()
    says('pending')
    await block(1)
    expect(await shows()).toEqual(isOpen)
    expect(await asks()).toBe(1)
    await block(2)
    expect(await shows()).toEqual(isOpen)
    await delivers(60_000)
    expect(await shows()).toMatchObject({ outcome: 'paid', status: 'sweeping' })
  })

  test('holds no payment open for ever', async () => {
    const { says, asks, block, shows } = await open()
    says('pending')
    await block(1)
    await asks()
    await block(bridgeWaitMaxMs)
    expect(await shows()).toEqual(isOpen)
    await block(bridgeWaitMaxMs + 1)
    expect(await shows()).toEqual(isExpired)
  })

  test('that has delivered too little ends the payment, whatever others send to its address', async () => {
    const { says, asks, block, receives, shows } = await open()
    says('pending')
    await asks()
    const delivery = await receives('10000000', 905)
    await receives('1', 906)
    says('success', [delivery])
    bff.advance(60_000)
    await asks()
    await receives('2', 907)
    await block(1)
    await asks()
    expect(await shows()).toEqual(isExpired)
  })

  test('that sends the money back ends the payment', async () => {
    const { says, asks, block, shows } = await open()
    says('pending')
    await block(1)
    await asks()
    bff.advance(5_000)
    says('refund')
    await asks()
    expect(await shows()).toEqual(isExpired)
  })
})

describe('a payment that nobody has paid the relay for', () => {
  test('expires when the relay was asked once more after the window', async () => {
    const { says, asks, block, shows } = await open()
    says('waiting')
    await asks()
    await block(0)
    await block(1)
    expect(await shows()).toEqual(isOpen)
    await asks()
    // Also where the chain has no other block.
    expect(await shows()).toEqual(isExpired)
  })

  test('does not expire by the answer of the relay while something of it waits to be applied', async () => {
    const { says, asks, block, shows, faults, isApplied } = await open()
    says('waiting')
    await asks()
    await block(1)
    await faults()
    await asks()
    expect(await shows()).toEqual(isOpen)
    await isApplied()
    await block(2)
    expect(await shows()).toEqual(isExpired)
  })

  test('expires by what the relay said after the window, though the relay is down once the rest is applied', async () => {
    const { says, asks, block, shows, faults, isApplied, isDown } = await open()
    says('waiting')
    await block(1)
    await faults()
    expect(await asks()).toBe(1)
    isDown()
    bff.advance(3_600_000)
    expect(await asks()).toBe(0)
    await isApplied()
    expect(await shows()).toEqual(isOpen)
    await block(2)
    expect(await shows()).toEqual(isExpired)
  })

  test('waits an hour for a relay that is down, and takes what comes until then', async () => {
    const [first, other] = [await open(), await open()]
    first.isDown()
    for (const { block, asks, shows } of [first, other]) {
      await block(1)
      await asks()
      await block(bridgeAnswerMaxMs)
      expect(await shows()).toEqual(isOpen)
    }
    await first.delivers(bridgeAnswerMaxMs)
    await other.block(bridgeAnswerMaxMs + 1)
    expect([await first.shows(), await other.shows()]).toMatchObject([{ outcome: 'paid' }, isExpired])
  })
})

test('of two processes that find a window over, only the first has the relay asked once more', async () => {
  const { id } = await open()
  const { db } = bff.deps
  for (const blockTimeMs of [5, 6])
    await db.write((tx) => askOnceMore(tx, id, { blockTimeMs, nowMs: blockTimeMs + 10 }))
  const [poll] = await db.read((tx) => duePolls(tx, 15, 9))
  expect(poll).toMatchObject({ paymentId: id, windowOverMs: 5 })
})
