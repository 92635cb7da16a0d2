import { addressTopic } from '../../event-topic.ts'
import { type Account, inChainOrder, type Movement } from '../../movements.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { parseSplitTerms } from '../split/split-terms.ts'
import type { ParkedShare } from './contract-logs.ts'

const wholeBps = 10_000n

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A wallet payment's money reaches its recipients in its own transaction, except for a parked fee. */
export async function withShares(
  adapter: Pick<EvmAdapter, 'network' | 'receipt'>,
  account: Account,
  movements: readonly Movement[],
  parked: readonly ParkedShare[],
  signal: AbortSignal,
): Promise<Movement[]> {
  const { splitter, feeBps, amount, platform, token } = parseSplitTerms(account.terms)
  const all: Movement[] = []
  for (const split of movements) {
    if (split.kind !== 'in') continue
    // Each splitter parks and pays only its own shares.
    const isTheirs = (share: ParkedShare) =>
      share.splitter === splitter.toLowerCase() &&
      share.recipient === platform.toLowerCase() &&
      share.token === token.toLowerCase()
    const parkedShare = parked.findLast(
      (share) => !share.isPaid && isTheirs(share) && share.txId === split.txId && share.logIndex < split.logIndex,
    )
    // If the whole amount arrived, so did every share. Otherwise the token deducts a fee, and its logs show the received amount.
    const isWhole = split.amount === amount || parkedShare !== undefined
    const feeAmount = isWhole
      ? (split.amount * BigInt(feeBps)) / wholeBps
      : await arrivedAt(adapter, platform, token, split.txId, signal)
    const merchantAmount = split.amount - feeAmount
    const place = { ...split, token: account.token }
    all.push({ ...split, token: account.token })
    all.push({ ...place, kind: 'settled', merchantAmount, feeAmount, isFeeParked: parkedShare !== undefined })
    // `payParked` pays everything that the splitter has parked for a recipient at once.
    const paid = parkedShare && parked.find((share) => share.isPaid && isTheirs(share) && isAfter(share, split))
    if (paid) {
      const { txId, logIndex, block, timeMs } = paid
      all.push({ kind: 'feePaid', txId, logIndex, block, timeMs, token: account.token, amount: feeAmount })
    }
  }
  return all.sort(inChainOrder)
}

const isAfter = (share: ParkedShare, { block, logIndex }: Movement): boolean =>
  share.block > block || (share.block === block && share.logIndex > logIndex)

async function arrivedAt(
  adapter: Pick<EvmAdapter, 'network' | 'receipt'>,
  recipient: string,
  token: string,
  txId: string,
  signal: AbortSignal,
): Promise<bigint> {
  const receipt = await adapter.receipt(txId, signal)
  if (receipt === undefined) throw new Error(`${adapter.network}: the node has no receipt of ${txId}`)
  return receipt.logs
    .filter(({ address, topics }) => {
      const isTransfer = address.toLowerCase() === token.toLowerCase() && topics[0] === transferTopic
      return isTransfer && topics[2] === addressTopic(recipient)
    })
    .reduce((sum, { data }) => sum + BigInt(data.slice(0, 66)), 0n)
}
