import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import { everyNetworkPayable, noRateLimits } from '@stablecoin-checkout/rig/app-defaults'
import { type ContractStage, confirmations, openContractStage, silent } from '@stablecoin-checkout/rig/contract-stage'
import { longWaitMs } from '@stablecoin-checkout/rig/leaving-clients'
import { afterEach, expect, test } from 'vitest'
import { createAuthenticator } from '../../access/callers/authenticate.ts'
import { createGuard } from '../../access/callers/guard.ts'
import type { Env } from '../../access/context/env.ts'
import { errorHandler } from '../../access/http/error-body.ts'
import { createRegistry } from '../../access/operation/operation-registry.ts'
import { createEvmSubmissions } from '../../chain/evm/submit/evm-submission.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { createPaymentReader } from '../read/payment-reader.ts'
import { processPaymentRoute } from './process-payment.routes.ts'
import { createProcessor } from './process-payment.ts'

let stage: ContractStage
afterEach(() => stage.close())

/** A node with incomplete logs, as some are: receipts exist, but the watcher's logs are missing. */
const withoutLogs = { adapter: { transfers: async () => [] } }

const transfersOf = (id: string) =>
  stage.db.read((tx) => tx.all<{ state: string }>(sql`select state from transfers where payment_id = ${id}`))
const eventsOf = async (id: string) => {
  const rows = await stage.db.read((tx) =>
    tx.all<{ type: string }>(sql`select type from events where payment_id = ${id} order by sequence`),
  )
  return rows.map(({ type }) => type)
}

test('a payment whose event the watcher did not get is paid by process, fifty times concurrently, and once', async () => {
  stage = await openContractStage(withoutLogs)
  const payment = await stage.create()
  const { transactionHash } = await stage.pay(payment)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect((await stage.load(payment.id)).status).toBe('pending')

  const answers = await Promise.all(Array.from({ length: 50 }, () => stage.process(payment.id, transactionHash)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await stage.load(payment.id)).toMatchObject({ status: 'completed', received: 25_000_000n })
  expect(await transfersOf(payment.id)).toEqual([{ state: 'confirmed' }])
  expect(await eventsOf(payment.id)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])

  await stage.reorg(confirmations + 1)
  await stage.chain.mine({ blocks: 2 })
  await stage.watch()
  expect(await stage.load(payment.id)).toMatchObject({ status: 'pending', received: 0n, seen: 0n })
})

test('a payment detected only by process is confirmed by the watcher', async () => {
  stage = await openContractStage(withoutLogs)
  const payment = await stage.create()
  const { transactionHash } = await stage.pay(payment)
  await stage.watch()
  const { status, body } = await stage.process(payment.id, transactionHash)
  expect([status, body['message']]).toEqual([400, 'payment not yet confirmed: 1 of 3 confirmations'])
  await stage.chain.mine({ blocks: confirmations - 1 })
  await stage.watch()
  expect((await stage.load(payment.id)).status).toBe('completed')
})

test('a block not yet applied by the watcher changes nothing, however deep it is: a reorg could not undo it', async () => {
  stage = await openContractStage()
  const payment = await stage.create()
  await stage.watch()
  const { transactionHash } = await stage.pay(payment)
  await stage.chain.mine({ blocks: 10 })
  const { status, body } = await stage.process(payment.id, transactionHash)
  expect([status, body['code']]).toEqual([400, 'NOT_CONFIRMED'])
  expect(await transfersOf(payment.id)).toEqual([])
  await stage.watch()
  expect((await stage.process(payment.id, transactionHash)).body).toMatchObject({ isAlreadyCompleted: true })
})

test('a transfer replaced by a reorg between verification and commit is not written', async () => {
  let isReorged = false
  stage = await openContractStage({
    adapter: {
      ...withoutLogs.adapter,
      async receipt(txId, signal) {
        const receipt = await stage.evm.receipt(txId, signal)
        isReorged = true
        return receipt
      },
      async block(number, signal) {
        const block = await stage.evm.block(number, signal)
        // The watcher handles the reorg while process holds its earlier read.
        if (isReorged) {
          isReorged = false
          await stage.db.write((tx) =>
            tx.run(sql`delete from headers where network = 'devnet' and number >= ${number}`),
          )
        }
        return block
      },
    },
  })
  const payment = await stage.create()
  const { transactionHash } = await stage.pay(payment)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  const { status, body } = await stage.process(payment.id, transactionHash)
  expect([status, body['code']]).toEqual([400, 'NOT_CONFIRMED'])
  expect(await transfersOf(payment.id)).toEqual([])
})

test('a client that disconnects frees its slot, and one without a slot is answered at once', async () => {
  stage = await openContractStage()
  const { db, ledger, network, networks, viewer, evm, merchant } = stage
  const submissions = { db, ledger, health: everyNetworkPayable, network, adapter: evm, runtime: systemRuntime }
  const verifySubmission = createEvmSubmissions(submissions)
  const processor = createProcessor({
    networks,
    chains: new Map([['devnet', { verifySubmission }]]),
    log: silent,
    runtime: systemRuntime,
    waitMs: longWaitMs,
    waitsMax: 1,
    stopping: stage.stopping.signal,
  })
  const app = new OpenAPIHono<Env>()
  const authenticator = createAuthenticator(db, systemRuntime)
  const operations = createRegistry(createGuard({ authenticator, limits: noRateLimits, lenientClients: false }))
  const read = createPaymentReader(db)
  const clientDigest = (address: string) => address
  processPaymentRoute(operations.on(app), {
    db,
    networks,
    processor,
    read,
    viewer,
    runtime: systemRuntime,
    clientDigest,
  })
  app.onError(errorHandler(silent))
  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(started as Server))
  })
  const { port } = server.address() as { port: number }
  try {
    const payment = await stage.create()
    await stage.watch()
    const { transactionHash } = await stage.pay(payment)
    await stage.watch()
    const ask = (signal: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/payments/process`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Public-Key': merchant.publicKey },
        body: JSON.stringify({ paymentId: payment.id, network: 'devnet', transactionHash }),
        signal,
      })
    const leaving = new AbortController()
    const gone = ask(leaving.signal).catch(() => 'gone')
    await expect.poll(() => processor.waiting).toBe(1)
    const refused = await ask(AbortSignal.timeout(longWaitMs))
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'NOT_CONFIRMED', message: expect.stringMatching(/^payment not yet confirmed: many/) },
    ])
    leaving.abort()
    expect(await gone).toBe('gone')
    await expect.poll(() => processor.waiting).toBe(0)
  } finally {
    server.close()
  }
})

const attemptsOf = async (id: string) =>
  (
    await stage.db.read((tx) =>
      tx.get<{ attempts: number }>(sql`select attempts from submissions where payment_id = ${id}`),
    )
  )?.attempts ?? 0

test('no request waits while the service is stopping', async () => {
  stage = await openContractStage({ waitMs: longWaitMs })
  const payment = await stage.create()
  await stage.watch()
  const { transactionHash } = await stage.pay(payment)
  await stage.watch()
  const waiting = stage.process(payment.id, transactionHash)
  await expect.poll(() => attemptsOf(payment.id)).toBe(1)
  stage.stopping.abort()
  expect((await waiting).body).toMatchObject({ code: 'NOT_CONFIRMED' })
})

test('a node not verified to be on the right chain is not trusted', async () => {
  let isPayable = true
  const health = { get: () => ({ isPayable, reason: null }) }
  stage = await openContractStage({ ...withoutLogs, health })
  const payment = await stage.create()
  const { transactionHash } = await stage.pay(payment)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  isPayable = false
  expect((await stage.process(payment.id, transactionHash)).body).toMatchObject({ code: 'NOT_CONFIRMED' })
  expect(await transfersOf(payment.id)).toEqual([])
})

test('an unresponsive node does not cause a permanent refusal', async () => {
  stage = await openContractStage({
    adapter: {
      receipt: async () => {
        throw new Error('the node is down')
      },
    },
  })
  const payment = await stage.create()
  const { transactionHash } = await stage.pay(payment)
  const { status, body } = await stage.process(payment.id, transactionHash)
  expect([status, body['message']]).toEqual([400, expect.stringMatching(/^payment not yet confirmed/)])
})
