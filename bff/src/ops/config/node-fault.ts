import { inspectNetwork } from '../../chain/connect-networks.ts'
import type { PoolDeps } from '../../chain/rpc-pool.ts'
import type { Network } from '../../core/families.ts'
import type { Finding } from '../../core/finding.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'

/** What `doctor` says of nodes themselves. Its other checks are of contracts, gas and wallets, which come later. */
const nodeChecks = new Set(['rpc', 'clock', 'head', 'logs', 'history', 'token'])

/**
 * Why payments cannot be accepted through a node. `silent`: it does not respond, and may be right. `wrong`: it is on another chain, or
 * its tokens are others. `unfit`: it is on the chain, and cannot do what the watcher asks. `says`: English, without the node's URL.
 */
export type NodeFault = { kind: 'silent' | 'wrong' | 'unfit'; says: string; isSuggested: boolean }

export type NodeExamination = {
  /** Those of `doctor`. */
  findings: Finding[]
  /** Null: the node can be used. */
  fault: NodeFault | null
}

/** The rule that a node's URL follows everywhere: in answers, options and the configuration. */
export const isNodeUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/**
 * Examines one node before it is configured, by the checks of `doctor`: whether it responds, is on the network's chain, is up to date, and
 * has the logs and the history that the watcher reads.
 *
 * @param network - With this node alone.
 */
export async function examineNewNode(
  network: Network,
  deps: PoolDeps,
  { nowMs }: { nowMs: () => number },
): Promise<NodeExamination> {
  const { diagnose } = await inspectNetwork(network, deps)
  const payers = { operator: null, formerOperators: [], solanaFeePayerKey: null }
  const found = await diagnose({ payers, wallets: [], nowMs })
  const findings = found.filter(({ check }) => nodeChecks.has(check))
  const [first] = findings.filter(({ state }) => state === 'bad')
  if (!first) return { findings, fault: null }
  const known = knownNetworks.get(network.shortName)
  const isSuggested = known !== undefined && defaultNodesOf(known).includes(network.rpcUrls[0] ?? '')
  return { findings, fault: { kind: kindOf(first), says: first.says, isSuggested } }
}

function kindOf({ code }: Finding): NodeFault['kind'] {
  if (code === 'rpc.silent') return 'silent'
  return code === 'rpc.wrong' || code === 'rpc.mismatch' ? 'wrong' : 'unfit'
}
