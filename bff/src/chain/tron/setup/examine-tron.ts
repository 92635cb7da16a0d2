import type { TronNetwork } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import { bad, type Finding, found, good, nodePlace, warning } from '../../../core/finding.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import { addressHex } from '../../event-topic.ts'
import { type EvmPool, poolReader } from '../../evm/rpc/evm-pool.ts'
import { examineNode } from '../../evm/setup/examine-node.ts'
import { verifyToken } from '../../evm/setup/verify-network.ts'
import { NetworkMismatchError } from '../../network-fault.ts'

/** Timeout for all checks of the network. */
const examineTimeoutMs = 30_000

/** No wallet has the key of this address. */
const nobody = `0x${'0'.repeat(40)}`

type Examined = { network: TronNetwork; pool: EvmPool; nowMs: () => number }

/** Checks nodes and tokens, and warns that no real Tron node was used in tests. Never throws. */
export function examineTron(examined: Examined): Promise<Finding[]> {
  return withTimeout(examineTimeoutMs, [], (signal) => examine(examined, signal))
}

async function examine({ network, pool, nowMs }: Examined, signal: AbortSignal): Promise<Finding[]> {
  const { name, rpcUrls } = network
  const tokens = network.tokens.map((token) => ({ ...token, address: addressHex(token.address) }))
  const asLogs = { ...network, tokens, factory: nobody }
  const nodes = await Promise.all(
    pool.nodes.map((node, index) => {
      const subject = nodePlace(name, index, rpcUrls.length)
      return examineNode({ network: asLogs, pool, node, url: rpcUrls[index] ?? '', subject, nowMs }, signal)
    }),
  )
  const unproven = warning(
    'tron.unproven',
    name,
    'this version was tested with an emulated node only, never with a node of Tron',
    'Make a payment of a small amount on Nile, or with your own wallet, before customers pay.',
  )
  if (nodes.every(([first]) => first?.state !== 'good')) return [unproven, ...nodes.flat()]
  const reader = poolReader(pool, signal)
  const ofTokens = tokens.map(async (token): Promise<Finding> => {
    const fix = `Compare the address of ${token.symbol} with its issuer's list, and set address, decimals and symbol of the token.`
    try {
      await verifyToken(reader, network, token)
      return good('token.good', name, `${token.symbol} matches its contract, with ${token.decimals} decimals`)
    } catch (error) {
      if (error instanceof NetworkMismatchError) {
        return bad(found('token.wrong', error.message, network.shortName), name, error.message, fix)
      }
      const text = rpcUrls.reduce((shown, url) => shown.replaceAll(url, '…'), faultText(error)).slice(0, 200)
      return bad(
        found('rpc.unread'),
        name,
        `reading failed: ${text}`,
        'Run doctor again, or replace the node in rpcUrls.',
      )
    }
  })
  return [unproven, ...nodes.flat(), ...(await Promise.all(ofTokens))]
}
