import { erc20Abi, getAbiItem, type Hex, type PublicClient } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import { bad, type Finding, found, good, type Place, warning } from '../../../core/finding.ts'
import type { RpcNode } from '../../rpc-pool.ts'
import { type EvmPool, nodeReader } from '../rpc/evm-pool.ts'

/** Block ranges per `eth_getLogs`, largest first: the watcher also works with small ranges, but catches up more slowly. */
const ranges = [2_000n, 500n, 100n, 10n, 1n] as const
const rangeEnough = 100n

/** A head older than this many poll intervals is stuck. */
const headAgeBlocksMax = 20
const headAgeSecondsMin = 60

/** How far back the service reads after a long downtime: late money counts for a week. */
const weekSeconds = 7 * 24 * 60 * 60

/** Maximum difference between a block's time and this machine's clock; more would end payments early or late. */
const clockSecondsMax = { warning: 5, bad: 30 }

/** `factory`: used as an address that receives nothing. */
type Examined = Pick<EvmNetwork, 'name' | 'pollMs' | 'tokens' | 'factory'>

type Node = { network: Examined; pool: EvmPool; node: RpcNode; url: string; subject: Place; nowMs: () => number }

/** Checks one node as the watcher will use it. Findings identify it by number: its URL may contain a key. */
export async function examineNode(examined: Node, signal: AbortSignal): Promise<Finding[]> {
  const { network, pool, node, url, subject } = examined
  const reader = nodeReader(pool, node, signal)
  const chainId = await reader.getChainId().catch((error: unknown) => faultText(error))
  if (node.lie !== null)
    return [bad(found('rpc.wrong', node.lie), subject, node.lie, `Add a node of ${network.name} to rpcUrls.`)]
  if (typeof chainId === 'string') {
    const fix = 'Check the node’s URL, its status and its key, or replace the node in rpcUrls.'
    const text = withoutUrl(chainId, url)
    return [bad(found('rpc.silent', text), subject, `does not answer: ${text}`, fix)]
  }
  const checks = [examineHead, examineLogs, examineHistory].map((check) =>
    check(reader, examined).catch((error: unknown) => {
      const text = withoutUrl(faultText(error), url)
      return [bad(found('rpc.failed', text), subject, `failed: ${text}`, 'Replace the node in rpcUrls.')]
    }),
  )
  return [good('rpc.good', subject, `answers, on chain ${chainId}`), ...(await Promise.all(checks)).flat()]
}

/** Removes the node's URL from its error text. */
const withoutUrl = (text: string, url: string): string => text.replaceAll(url, '…').slice(0, 200)

async function examineHead(reader: PublicClient, { network, subject, nowMs }: Node): Promise<Finding[]> {
  const head = await reader.getBlock()
  const ageSeconds = Math.floor(nowMs() / 1000) - Number(head.timestamp)
  const ageMax = Math.max(headAgeSecondsMin, (headAgeBlocksMax * network.pollMs) / 1000)
  if (ageSeconds < -clockSecondsMax.warning) {
    const state = ageSeconds < -clockSecondsMax.bad ? bad : warning
    const says = `the newest block is ${-ageSeconds} s in the future of this machine's clock`
    return [
      state(
        found('clock.future', -ageSeconds),
        subject,
        says,
        'Synchronize the clock (NTP): payment windows depend on it.',
      ),
    ]
  }
  if (ageSeconds > ageMax) {
    const says = `the newest block, ${head.number}, is ${ageSeconds} s old: the node is stuck, or this clock is fast`
    return [
      bad(
        found('head.old', head.number, ageSeconds),
        subject,
        says,
        'Compare with the explorer. Then replace the node in rpcUrls, or synchronize the clock (NTP).',
      ),
    ]
  }
  return [
    good(
      found('head.good', Math.max(0, ageSeconds)),
      subject,
      `block ${head.number}, ${Math.max(0, ageSeconds)} s old`,
    ),
  ]
}

const transfer = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

function logsOf(reader: PublicClient, network: Examined, fromBlock: bigint, toBlock: bigint) {
  const address = network.tokens.map((token) => token.address as Hex)
  // Filters by an address that receives nothing, so that a busy token does not limit the range.
  const args = { to: network.factory as Hex }
  return reader.getLogs({ address, event: transfer, args, fromBlock, toBlock })
}

async function examineLogs(reader: PublicClient, { network, subject }: Node): Promise<Finding[]> {
  const head = await reader.getBlockNumber()
  for (const range of ranges) {
    const from = head + 1n > range ? head + 1n - range : 0n
    const isTaken = await logsOf(reader, network, from, head).then(
      () => true,
      () => false,
    )
    if (!isTaken) continue
    if (range >= rangeEnough) return [good('logs.good', subject, `answers for ${range} blocks per request`)]
    const says = `answers for at most ${range} blocks per request`
    return [
      warning(
        found('logs.few', range),
        subject,
        says,
        'Catching up after downtime is slow. Prefer a node that allows 500 or more.',
      ),
    ]
  }
  const says = 'does not answer eth_getLogs, so no payment can be detected'
  return [bad('logs.none', subject, says, 'Add a node that supports eth_getLogs to rpcUrls.')]
}

async function examineHistory(reader: PublicClient, { network, subject }: Node): Promise<Finding[]> {
  const head = await reader.getBlock()
  const step = head.number < 1_000n ? head.number : 1_000n
  if (step === 0n) return []
  const before = await reader.getBlock({ blockNumber: head.number - step })
  const secondsPerBlock = Math.max(0.05, Number(head.timestamp - before.timestamp) / Number(step))
  const back = BigInt(Math.ceil(weekSeconds / secondsPerBlock))
  const old = head.number > back ? head.number - back : 0n
  const isThere = await Promise.all([reader.getBlock({ blockNumber: old }), logsOf(reader, network, old, old)]).then(
    () => true,
    () => false,
  )
  if (isThere) return [good('history.good', subject, `has the logs of a week ago (block ${old})`)]
  const says = `has no logs of a week ago (block ${old})`
  const fix = 'Payments made during a long downtime would be missed. Add an archive node to rpcUrls.'
  return [warning('history.none', subject, says, fix)]
}
