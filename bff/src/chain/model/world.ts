import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, sql, type Unit } from '../../db/db.ts'
import { openDb } from '../../db/open.ts'
import { baseUnits } from '../../money.ts'
import { createLedger } from '../../payment/apply.ts'
import { newPayment } from '../../payment/fixtures.ts'
import type { PaymentId, Status } from '../../payment/payment.ts'
import { systemRuntime } from '../../runtime.ts'
import { createHeads } from '../adapter.ts'
import type { EvmNetwork } from '../networks.ts'
import { createWatcher } from '../watcher.ts'
import { createSimChain } from './sim-chain.ts'
import { createSimNode, type Lie } from './sim-node.ts'

export const confirmations = 3
const finalityBlocks = 12

/** No chain of the model goes back further: beyond finality the watcher stops, and a person is asked. */
export const reorgMax = 9

/** 25.00 of a token with six decimals. */
export const due = 25_000_000n

const startMs = Date.parse('2026-11-21T12:00:00Z')
const token = newPayment().tokenAddress.toLowerCase()
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const network: EvmNetwork = {
  ...{ shortName: 'devnet', name: 'Devnet', family: 'evm', chainId: 31_337, isTestnet: true, rpcUrls: [] },
  ...{
    publicRpcUrls: [],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    confirmations,
    highValue: null,
    sweepGas: null,
    finalityBlocks,
  },
  ...{ pollMs: 1, explorerUrl: null, factory: '', splitter: '', platformWallet: '', tokens: [] },
}

/** Where the process dies in a pass: in its nth commit, or right after it. */
export type Crash = { nth: number; at: 'inside' | 'after' }

class CrashError extends Error {}

export type World = Awaited<ReturnType<typeof openWorld>>
type WorldPayment = { id: PaymentId; address: string; windowEndsAtMs: number; isTest: boolean }

/** The watcher and the ledger as they are, on a real file, before a chain, a node and a clock of ours. For tests. */
export async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'model-'))
  const path = join(folder, 'checkout.sqlite')
  const chain = createSimChain(startMs)
  const node = createSimNode(chain, reorgMax)
  const signal = new AbortController().signal
  let skewMs = 0
  let crash: Crash | undefined
  let transactions = 0
  let mempool: { to: string; amount: bigint; isOurToken: boolean }[] = []
  const payments: WorldPayment[] = []
  const runtime = { ...systemRuntime, nowMs: () => chain.tip().timeMs + skewMs }

  let file = openDb(path)
  let commits = 0
  const db: Db = {
    read: (unit) => file.read(unit),
    close: () => file.close(),
    async write<T>(unit: Unit<T>): Promise<T> {
      commits += 1
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

  const start = async () => {
    const started = createWatcher({
      db,
      ledger,
      adapter: node.adapter,
      network,
      heads: createHeads(),
      runtime,
      log: silent,
    })
    await started.resume()
    return started
  }
  let watcher = await start()

  function takeMempool() {
    const taken = mempool
    mempool = []
    return taken.map(({ to, amount, isOurToken }) => {
      transactions += 1
      // Two logs of one transaction now and then: what tells them apart is the log's place.
      const txId = `0x${Math.ceil(transactions / 2)
        .toString(16)
        .padStart(64, '0')}`
      const source = isOurToken ? token : `0x${'fa'.repeat(20)}`
      return { txId, logIndex: transactions % 2, to, source, amount, isOurToken }
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
        ...{ id, depositAddress: address, isTest, windowEndsAtMs, expiresAtMs: windowEndsAtMs, sequence: 0 },
        ...{ due: baseUnits(String(due)), least: baseUnits(String(due)), callbackUrl: 'https://shop.example/hook' },
      })
      await file.write((tx) => ledger.createIn(tx, payment))
      payments.push({ id, address, windowEndsAtMs, isTest })
    },
    /** In the order of creation. */
    async statuses(): Promise<Status[]> {
      const rows = await file.read((tx) => tx.all<{ status: Status }>(sql`select status from payments order by number`))
      return rows.map(({ status }) => status)
    },
    /** It is in the next block. */
    pay(index: number, amount: bigint, isOurToken: boolean): void {
      const payment = payments[index % payments.length]
      if (payment) mempool.push({ to: payment.address, amount, isOurToken })
    },
    mine(blocks: number, seconds: number): void {
      for (let index = 0; index < blocks; index += 1) chain.mine(index === 0 ? takeMempool() : [], seconds)
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
    /** One pass of the watcher before such a node. A fault ends it, as the loop would; a crash starts a new process. */
    async pass(lie: Lie, dies?: Crash): Promise<'done' | 'more' | 'fault' | 'crash'> {
      node.tell(lie)
      crash = dies
      commits = 0
      try {
        return (await watcher.pass(signal)) ? 'more' : 'done'
      } catch (error) {
        if (!(error instanceof CrashError)) return 'fault'
        await file.close()
        file = openDb(path)
        watcher = await start()
        return 'crash'
      } finally {
        crash = undefined
        node.tell({ type: 'none' })
      }
    },
    async end(): Promise<void> {
      await file.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
