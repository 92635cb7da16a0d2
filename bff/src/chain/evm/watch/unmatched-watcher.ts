import type { EvmNetwork, Networks } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { runWorker } from '../../../core/worker.ts'
import type { Db } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import { youngStrays } from '../../../payment/unmatched-store.ts'
import type { BlockRef, SeenTransfer } from '../../chain-adapter.ts'
import { loadStrayCursor, saveStrayCursor } from '../../cursor-store.ts'
import { faultText } from '../../fault-text.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesMax } from '../rpc/evm-balances.ts'
import type { StrayList } from './unmatched-addresses.ts'

/** Nobody waits for it with a countdown: every tenth look at the head is soon enough, and costs a tenth. */
const pollFactor = 10

/** With no deposit to watch, the cursor follows the head this often, so that the first one finds little to read. */
const idleMs = 60_000

/** Blocks per log query; halved when a node refuses, doubled back when it answers. */
const rangeMaxBlocks = 2_000

/** Ordinary nodes know the balances of 128 blocks. */
const stateBlocksMax = 100

/** Strays that a reorg may still change and that are looked at again by one pass. */
const youngMax = 100

/** Deposit windows are fifteen minutes long, and clocks differ. */
const windowMaxMs = 60 * 60 * 1000

/** Longest pause after faults of the node. */
const backOffMaxMs = 60_000

const noSplitters: ReadonlySet<string> = new Set()

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'head' | 'block' | 'transfers' | 'balances'>
  network: EvmNetwork
  networks: Networks
  list: StrayList
  runtime: Runtime
  log: Log
}

/** What lies at an address, to be read. `token` in lower case; null: the coin. */
type Look = { id: PaymentId; address: string; token: string | null; txId: string | null }

/**
 * Looks for money that no payment asked for at the deposit addresses of all networks: another token, the chain's coin, and
 * anything at all on a network that is not the payment's, because a deposit address is the same on every chain.
 *
 * It reads what has its confirmations, slowly and apart from the watcher, so that it can never hold a payment up. Logs say
 * where to look, and the balance says how much there is: a thousand drops are one number. The coin leaves no log, so that
 * its balances are read in turn, `balancesMax` of them by one call each pass.
 */
export function createStrayWatcher({ db, ledger, adapter, network, networks, list, runtime, log }: Deps) {
  const name = network.shortName
  const tokens = new Map(network.tokens.map((token) => [token.address.toLowerCase(), token]))
  let rangeBlocks = rangeMaxBlocks
  let coinPlace = 0
  let lookedAtMs = Number.NEGATIVE_INFINITY

  /** Only there can it be sent back: another factory does not know the address. */
  const isReachable = (other: string): boolean => {
    const home = networks.get(other)
    return home !== undefined && 'factory' in home && home.factory.toLowerCase() === network.factory.toLowerCase()
  }

  const isStray = ({ topic, source }: SeenTransfer): boolean => {
    const entry = list.find(topic)
    return entry !== undefined && isReachable(entry.network) && !(entry.network === name && entry.token === source)
  }

  /** The block up to which all is read; undefined while the node is behind it. */
  async function startBlock(target: number, signal: AbortSignal): Promise<BlockRef | undefined> {
    const cursor = await db.read((tx) => loadStrayCursor(tx, name))
    if (cursor === undefined) return await firstBlock(target, signal)
    const block = await adapter.block(cursor.number, signal)
    if (block === undefined || block.hash === cursor.hash) return block
    // Replaced: what other blocks hold now is read again, as deep as a reorg can go.
    return await adapter.block(Math.max(0, cursor.number - network.finalityBlocks), signal)
  }

  /** Below whatever may have been paid to the oldest address. */
  async function firstBlock(target: number, signal: AbortSignal): Promise<BlockRef | undefined> {
    await list.refresh(name, runtime.nowMs())
    for (let depth = 1; ; depth *= 2) {
      const block = await adapter.block(Math.max(0, target - depth), signal)
      const windowMs = list.oldestWindowMs()
      if (!block || block.number === 0 || windowMs === undefined || block.timeMs < windowMs - windowMaxMs) return block
    }
  }

  /** The next blocks, and the strays that their logs tell of; throws when the chain changed under the query. */
  async function readLogs(from: BlockRef, to: BlockRef, signal: AbortSignal): Promise<Look[]> {
    if (list.size === 0 || from.number >= to.number) return []
    const range = { from: from.number + 1, to: to.number, isWatched: list.has, few: list.few(), splitters: noSplitters }
    const found = (await adapter.transfers(range, signal)).filter(isStray)
    if ((await adapter.block(to.number, signal))?.hash !== to.hash) {
      throw new Error(`${name}: block ${to.number} was replaced while its range was read`)
    }
    const looks = new Map<string, Look>()
    for (const { topic, source, txId } of found) {
      const entry = list.find(topic)
      if (entry) looks.set(`${topic} ${source}`, { id: entry.id, address: entry.address, token: source, txId })
    }
    return [...looks.values()]
  }

  /** Strays of young blocks once more, because a reorg may have changed them. */
  async function young(at: number): Promise<Look[]> {
    const rows = await db.read((tx) => youngStrays(tx, name, at - network.finalityBlocks, youngMax))
    return rows.map((row) => ({ ...row, token: row.token === coinAddress ? null : row.token, txId: null }))
  }

  /** How much there is of each at block `at`. */
  async function measure(looks: readonly Look[], at: number, signal: AbortSignal) {
    const measured: (Look & { held: BaseUnits })[] = []
    for (const look of looks) {
      const [held = 0n] = await adapter.balances(look.token, [look.address], at, signal)
      measured.push({ ...look, held: held as BaseUnits })
    }
    const { entries, next } = list.slice(coinPlace, balancesMax)
    const reachable = entries.filter((entry) => isReachable(entry.network))
    const addresses = reachable.map(({ address }) => address)
    const balances = addresses.length === 0 ? [] : await adapter.balances(null, addresses, at, signal)
    for (const [index, { id, address }] of reachable.entries()) {
      const held = (balances[index] ?? 0n) as BaseUnits
      if (held > 0n) measured.push({ id, address, token: null, txId: null, held })
    }
    coinPlace = next
    return measured
  }

  function named(token: string | null) {
    if (token === null) {
      const { symbol, decimals } = network.nativeCurrency
      return { token: coinAddress, currency: symbol, decimals }
    }
    const known = tokens.get(token)
    return known && { token, currency: known.symbol, decimals: known.decimals }
  }

  /** @returns true when there is more to be read at once. */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    if (list.size === 0) await list.refresh(name, nowMs)
    if (list.size === 0 && nowMs - lookedAtMs < idleMs && nowMs >= lookedAtMs) return false
    const head = await adapter.head(signal)
    lookedAtMs = nowMs
    const target = head.number - network.confirmations + 1
    const from = target < 0 ? undefined : await startBlock(target, signal)
    if (from === undefined) return false
    // After the head was read: whoever sent something in it knew an address that was committed before.
    await list.refresh(name, from.timeMs)
    const last = list.size === 0 ? target : Math.min(target, from.number + rangeBlocks)
    const to = last <= from.number ? from : await adapter.block(last, signal)
    if (to === undefined) return false
    const looks = await readLogs(from, to, signal)
    const at = Math.max(target, head.number - stateBlocksMax)
    const measured = await measure([...looks, ...(await young(at))], at, signal)
    const atMs = runtime.nowMs()
    const isNew = to.number > from.number || measured.length > 0
    if (isNew)
      await db.write(async (tx) => {
        for (const { id, token: address, held, txId } of measured) {
          const token = named(address)
          if (token === undefined) continue
          await ledger.applyIn(tx, id, { type: 'stray.seen', network: name, ...token, held, block: at, txId, atMs })
        }
        await saveStrayCursor(tx, name, to)
      })
    rangeBlocks = Math.min(rangeMaxBlocks, rangeBlocks * 2)
    return to.number < target
  }

  return {
    pass,
    /** Runs passes until the signal. Never rejects. */
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs: Math.max(1, network.pollMs * pollFactor),
          backOffMaxMs,
          pass,
          onFailure({ error, failures }) {
            rangeBlocks = Math.max(1, Math.floor(rangeBlocks / 2))
            log.warn({ network: name, fault: faultText(error), failures }, 'strays could not be looked for')
          },
        },
        signal,
      ),
  }
}
