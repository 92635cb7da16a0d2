import { silentLog, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { type Db, sql } from '@stablecoin-checkout/bff/testing/db'
import { createEvmAdapter, createLateScanner, type EvmAdapter } from '@stablecoin-checkout/bff/testing/evm'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import type { DepositPayment, PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { encodeFunctionData, type Hex } from 'viem'
import { type ContractStage, confirmations, openContractStage } from './contract-stage.ts'
import { receiptOf } from './devnet/receipt.ts'
import { testUsdc } from './devnet/tokens.generated.ts'
import { openLyingNode } from './lying-node.ts'

const { signal } = new AbortController()
export const daySeconds = 24 * 60 * 60
export const hourSeconds = 60 * 60
/** Passes of one round that count as stuck. */
export const passesMax = 40

type Changes = {
  db?: Db
  ledger?: ContractStage['ledger']
  adapter?: Partial<EvmAdapter>
  confirmations?: number
}

/** A chain, the application, and a watcher and late scanners that pass only when a test calls them. For tests. */
export async function openLateStage() {
  const stage = await openContractStage()
  const node = await openLyingNode(stage.network.rpcUrls[0] ?? '')
  const heads = createHeads()
  /** How far the clocks of the chain and of the service are ahead. */
  let aheadMs = 0
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
  const watcher = stage.otherWatcher({}, { heads, runtime })
  const headNumber = async () => Number(await stage.chain.getBlockNumber())

  async function travel(seconds: number): Promise<void> {
    aheadMs += seconds * 1_000
    await stage.chain.request({ method: 'evm_increaseTime', params: [seconds] } as never)
    await stage.chain.mine({ blocks: 1 })
    await watch()
  }

  /** Passes of the watcher until it has applied the newest block. */
  async function watch(): Promise<void> {
    const head = await headNumber()
    while ((heads.get('devnet')?.number ?? -1) < head) {
      await watcher.pass(signal)
      // With nothing to watch, the head is read four times a minute.
      aheadMs += 15_000
    }
  }

  async function settleDown(): Promise<void> {
    await stage.chain.mine({ blocks: confirmations })
    await watch()
  }

  /** A scanner as after a restart. */
  function startScanner({ db = stage.db, ledger = stage.ledger, ...more }: Changes = {}) {
    const { networks, evm } = stage
    const network = { ...stage.network, confirmations: more.confirmations ?? confirmations }
    const adapter = { ...evm, ...more.adapter }
    return createLateScanner({ db, ledger, adapter, network, networks, heads, runtime, log: silentLog })
  }

  const throughNode = () =>
    createEvmAdapter({ ...stage.network, rpcUrls: [node.url] }, { nowMs: Date.now, log: silentLog })

  /** Passes until nothing more is searched for. */
  async function passAll(scanner: ReturnType<typeof startScanner>): Promise<void> {
    let passes = 0
    while (await scanner.pass(signal)) if (++passes >= passesMax) throw new Error('The searches do not end')
  }

  /** A round of the scan, which begins an hour after the last one, and all its searches. */
  async function round(scanner = startScanner()): Promise<void> {
    await travel(hourSeconds)
    await passAll(scanner)
    await settleDown()
  }

  /** Deposits of 25.00 USDC whose watch window is over. */
  async function endedDeposits(count: number): Promise<{ id: PaymentId; address: Hex }[]> {
    const made = []
    for (let index = 0; index < count; index++) {
      const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
      const headers = { 'Idempotency-Key': systemRuntime.newUuid() }
      const { body } = await stage.post('/api/v1/deposits/create', order, { headers })
      made.push({ id: body.payment.id, address: body.payment['depositAddress'] as Hex })
    }
    await stage.db.write((tx) => {
      // The application has the host's clock, which is behind by the days of earlier tests.
      tx.write(sql`update payments set window_ends_at_ms = window_ends_at_ms + ${aheadMs} where status = 'pending'`)
      return Promise.resolve()
    })
    await settleDown()
    await travel(8 * daySeconds)
    // A window ends when a block after it has its confirmations.
    await settleDown()
    for (const { id } of made) {
      const { status } = await load(id)
      if (status !== 'expired') throw new Error(`The deposit is ${status}`)
    }
    return made
  }

  const token = (symbol: string) => stage.network.tokens.find((one) => one.symbol === symbol)?.address as Hex

  async function pay(to: Hex, amount: bigint, symbol = 'USDC'): Promise<Hex> {
    const data = encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to, amount] })
    const { transactionHash, status } = await stage.send({ to: token(symbol), data })
    if (status !== 'success') throw new Error(`The transfer is ${status}`)
    return transactionHash
  }

  async function payCoins(to: Hex, value: bigint): Promise<void> {
    const hash = await stage.chain.sendTransaction({ account: stage.customer, to, value } as never)
    await receiptOf(stage.chain, hash)
  }

  const load = async (id: PaymentId) => (await stage.load(id)) as DepositPayment

  async function events(id: PaymentId): Promise<string[]> {
    const query = sql`select type from events where payment_id = ${id} order by number`
    return (await stage.db.read((tx) => tx.all<{ type: string }>(query))).map(({ type }) => type)
  }

  return {
    stage,
    node,
    heads,
    runtime,
    headNumber,
    travel,
    watch,
    settleDown,
    startScanner,
    throughNode,
    passAll,
    round,
    endedDeposits,
    pay,
    payCoins,
    load,
    events,
    async close() {
      await node.close()
      await stage.close()
    },
  }
}
