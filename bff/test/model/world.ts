import { baseUnits, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { type Db, sql, type Unit } from '@stablecoin-checkout/bff/testing/db'
import { createWatcher } from '@stablecoin-checkout/bff/testing/evm'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import { type Difference, reconcileNetwork } from '@stablecoin-checkout/bff/testing/ops'
import { createLedger, type PaymentId, type Status } from '@stablecoin-checkout/bff/testing/payment'
import { newPayment } from '../new-payment.ts'
import { createTestDatabase } from '../test-database.ts'
import type { Model } from './model-chain.ts'
import { network, silent } from './network.ts'
import type { Lie, ModelTransaction, Pay } from './port.ts'

/** 25.00 of a token with six decimals. */
export const due = 25_000_000n

/** Where the process dies in a pass: inside its nth commit, or right after it. */
export type Crash = { nth: number; at: 'inside' | 'after' }

class CrashError extends Error {}

export type World = Awaited<ReturnType<typeof openWorld>>
type WorldPayment = { id: PaymentId; address: string; windowEndsAtMs: number; isTest: boolean }

/** The real watcher and ledger on a real file, with the test's chain, node and clock. For tests. */
export async function openWorld({ chain, node, rpcUrl, close }: Model) {
  const database = await createTestDatabase()
  const signal = new AbortController().signal
  let skewMs = 0
  let crash: Crash | undefined
  let serial = 0
  let mempool: Pay[] = []
  const payments: WorldPayment[] = []
  const runtime = { ...systemRuntime, nowMs: () => chain.tip().timeMs + skewMs }

  let file = await database.open()
  let commits = 0
  const db: Db = {
    read: (unit) => file.read(unit),
    listen: (listener) => file.listen(listener),
    close: () => file.close(),
    async write<T>(unit: Unit<T>): Promise<T> {
      commits += 1
      // A dead process stores nothing more.
      if (crash !== undefined && commits > crash.nth) throw new CrashError()
      const isHere = crash?.nth === commits
      const value = await file.write(async (tx) => {
        const result = await unit(tx)
        if (isHere && crash?.at === 'inside') throw new CrashError()
        return result
      })
      if (isHere) throw new CrashError()
      return value
    },
  }
  const ledger = createLedger(db, ({ id, status }) => ({ id, status }))
  await file.write(async (tx) => {
    const { merchantId, merchantName } = newPayment()
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`)
  })

  /** Starts as a new process: it knows the file, and nothing of the node. */
  const start = async () => {
    const started = createWatcher({
      db,
      ledger,
      adapter: node.connect(runtime.nowMs),
      network,
      heads: createHeads(),
      runtime,
      log: silent,
    })
    await started.resume()
    return started
  }
  let watcher = await start()

  /** Joins two payments into one transaction if possible: only the log index distinguishes them. */
  function takeMempool(): ModelTransaction[] {
    const taken = mempool
    mempool = []
    const pairs = Array.from({ length: Math.ceil(taken.length / 2) }, (_, index) =>
      taken.slice(2 * index, 2 * index + 2),
    )
    return pairs.map((pays) => {
      serial += 1
      return { serial, pays }
    })
  }

  return {
    chain,
    node,
    payments,
    read: <T>(unit: Unit<T>) => file.read(unit),
    async create({ windowSeconds, isTest }: { windowSeconds: number; isTest: boolean }): Promise<void> {
      const number = payments.length + 1
      const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as PaymentId
      const address = `0x${number.toString(16).padStart(40, '0')}`
      const windowEndsAtMs = chain.tip().timeMs + windowSeconds * 1_000
      const payment = newPayment({
        id,
        depositAddress: address,
        // Every second address is the merchant's own.
        isDirect: number % 2 === 0,
        isTest,
        windowEndsAtMs,
        expiresAtMs: windowEndsAtMs,
        sequence: 0,
        due: baseUnits(String(due)),
        least: baseUnits(String(due)),
        callbackUrl: 'https://shop.example/hook',
      })
      await file.write((tx) => ledger.createIn(tx, payment))
      payments.push({ id, address, windowEndsAtMs, isTest })
    },
    /** In order of creation. */
    async statuses(): Promise<Status[]> {
      const rows = await file.read((tx) => tx.all<{ status: Status }>(sql`select status from payments order by number`))
      return rows.map(({ status }) => status)
    },
    /** Pays in the next block. */
    pay(index: number, amount: bigint, isOurToken: boolean): void {
      const payment = payments[index % payments.length]
      if (payment) mempool.push({ to: payment.address, amount, isOurToken })
    },
    async mine(blocks: number, seconds: number): Promise<void> {
      for (let index = 0; index < blocks; index += 1) await chain.mine(index === 0 ? takeMempool() : [], seconds)
    },
    async close(index: number): Promise<void> {
      const payment = payments[index % payments.length]
      if (!payment) return
      await file.write((tx) =>
        ledger.applyIn(tx, payment.id, { type: 'payment.closed', as: 'failed', atMs: runtime.nowMs() }),
      )
    },
    skew(ms: number): void {
      skewMs = ms
    },
    /** One pass of the watcher with such a node. A fault ends it, as in the loop; a crash starts a new process. */
    async pass(lie: Lie, dies?: Crash): Promise<'done' | 'more' | 'fault' | 'crash'> {
      await node.tell(lie)
      crash = dies
      commits = 0
      try {
        return (await watcher.pass(signal)) ? 'more' : 'done'
      } catch (error) {
        if (!(error instanceof CrashError)) return 'fault'
        crash = undefined
        await file.close()
        file = await database.open()
        watcher = await start()
        return 'crash'
      } finally {
        crash = undefined
        await node.tell({ type: 'none' })
      }
    },
    /** Differences between the books and a real chain. */
    async differences(): Promise<readonly Difference[]> {
      if (rpcUrl === null) return []
      const honest = { ...network, rpcUrls: [rpcUrl] }
      const networks = new Map([[network.shortName, honest]])
      const deps = { db: file, networks, runtime, period: { kind: 'all' }, onProgress: () => undefined } as const
      return (await reconcileNetwork(deps, honest, signal)).differences
    },
    async end(): Promise<void> {
      await file.close()
      await close()
      await database.drop()
    },
  }
}
