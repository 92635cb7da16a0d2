import type { TronNetwork } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { clockSkewMs } from '../../../network/heads.ts'
import { addressTopic } from '../../event-topic.ts'
import { readRanges } from '../../evm/movements/log-ranges.ts'
import { newestBlockBefore } from '../../evm/rpc/block-time.ts'
import type { EvmPool } from '../../evm/rpc/evm-pool.ts'
import {
  type Account,
  type AccountReading,
  ChainMovedError,
  inChainOrder,
  type Movement,
  type MovementReader,
  type MovementsRequest,
  NothingAppliedError,
} from '../../movements.ts'
import { createTronAdapter } from '../rpc/tron-adapter.ts'

/** Maximum addresses to filter by; above it, one query for all transfers of the token is cheaper for both sides. */
const fewMax = 500

type Entry = { token: string; movements: Movement[] }

/**
 * Reads every transfer of the tokens to the accounts, from the first payment's creation to the newest block that is applied and
 * confirmed. Tron nodes cannot read past state, and the merchant may spend from the addresses, so the reported balance is the sum
 * of the incoming transfers.
 */
export async function readTronMovements(
  network: TronNetwork,
  pool: EvmPool,
  { applied, accounts, onProgress, nowMs }: MovementsRequest,
  signal: AbortSignal,
): Promise<MovementReader> {
  const entries = new Map<string, Entry>()
  let firstCreatedAtMs = Number.POSITIVE_INFINITY
  const isHere = (account: Account) => account.network === network.shortName && account.mode === 'deposit'
  for await (const page of accounts()) {
    for (const account of page.filter(isHere)) {
      entries.set(addressTopic(account.place), { token: account.token, movements: [] })
      firstCreatedAtMs = Math.min(firstCreatedAtMs, account.createdAtMs)
    }
  }
  const paidTokens = new Set([...entries.values()].map(({ token }) => token))
  const readTokens = async () => [...paidTokens]
  const adapter = createTronAdapter(network, { nowMs, log: silentLog }, pool, readTokens)
  if (applied === undefined && entries.size > 0)
    throw new NothingAppliedError(`the service has not read ${network.name} yet`)
  const head = await adapter.head(signal)
  const number = Math.max(0, Math.min(applied ?? head.number, head.number) - network.confirmations + 1)
  const at = await adapter.block(number, signal)
  if (at === undefined) throw new Error(`${network.name}: the node has no block ${number}`)
  const few = entries.size <= fewMax ? [...entries.keys()] : undefined
  const tokens = new Set([...paidTokens].map((token) => token.toLowerCase()))

  async function readRange({ from, to }: { from: number; to: number }): Promise<void> {
    const query = { from, to, findWatched: async () => entries, few, splitters: new Set<string>(), tokens }
    for (const transfer of await adapter.transfers(query, signal)) {
      const { topic, source, txId, logIndex, blockNumber: block, blockTimeMs: timeMs, amount } = transfer
      const entry = entries.get(topic)
      if (entry === undefined || entry.token.toLowerCase() !== source) continue
      entry.movements.push({ kind: 'in', txId, logIndex, block, timeMs, token: entry.token, amount })
    }
  }

  const from =
    entries.size === 0
      ? at.number + 1
      : await newestBlockBefore(adapter, firstCreatedAtMs - clockSkewMs, at.number, signal)
  await readRanges({ from, to: at.number }, readRange, onProgress, signal)

  return {
    at,
    read: async (page) =>
      page.map((account): AccountReading | undefined => {
        const entry = isHere(account) ? entries.get(addressTopic(account.place)) : undefined
        if (entry === undefined) return undefined
        const movements = entry.movements.toSorted(inChainOrder)
        const amount = movements.reduce((sum, movement) => sum + (movement.kind === 'in' ? movement.amount : 0n), 0n)
        return { movements, balances: amount > 0n ? [{ token: entry.token, amount }] : [], blocks: undefined }
      }),
    async blockOf(account, txId, readSignal) {
      const receipt = await adapter.receipt(txId, readSignal)
      const topic = addressTopic(account.place)
      if (!receipt?.isSuccess || !receipt.logs.some(({ topics }) => topics.some((one) => one === topic)))
        return undefined
      const block = await adapter.block(receipt.blockNumber, readSignal)
      return block?.hash === receipt.blockHash ? receipt.blockNumber : undefined
    },
    async transferOf({ token, terms: address }, { txId, logIndex }, readSignal) {
      const receipt = await adapter.receipt(txId, readSignal)
      const block = receipt?.isSuccess ? await adapter.block(receipt.blockNumber, readSignal) : undefined
      if (!receipt || block?.hash !== receipt.blockHash) return undefined
      const topic = addressTopic(address)
      const here = { from: block.number, to: block.number, findWatched: async () => new Set([topic]), few: [topic] }
      const transfers = await adapter.transfers({ ...here, splitters: new Set<string>(), tokens }, readSignal)
      const found = transfers.find((one) => one.txId === txId && one.logIndex === logIndex)
      return found?.source === token.toLowerCase() ? { block: found.blockNumber, amount: found.amount } : undefined
    },
    async verifyUnchanged(readSignal) {
      if ((await adapter.block(at.number, readSignal))?.hash === at.hash) return
      throw new ChainMovedError(`${network.name}: block ${at.number} was replaced during the comparison; run it again`)
    },
  }
}
