import { BlockList, isIP } from 'node:net'
import { fetch as guardedFetch } from 'undici'
import { inspectNetwork } from '../../chain/connect-networks.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Finding } from '../../core/finding.ts'
import type { Runtime } from '../../core/runtime.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { isPublicAddress } from '../../webhook/send/public-address.ts'
import { createTargetAgent, resolveAddresses } from '../../webhook/send/target.ts'
import { setupNetwork } from './setup-network.ts'
import { SetupRefusal } from './setup-refusal.ts'

const urlCharsMax = 500

/** A note on a node for the page: a code and, for some, the value in its sentence. `says`: the sentence in English. */
type NodeNote = { code: string; state: Finding['state']; says: string }

export type NodeCheck = { url: string; isUsable: boolean; notes: NodeNote[] }

/** Codes about the node itself. Others are about contracts and wallets, which come later. */
const nodeChecks = new Set(['rpc', 'clock', 'head', 'logs', 'history', 'token'])

/** Addresses from which clouds give virtual machines their secrets. A block list also matches IPv4 addresses written as IPv6. */
const machineOwn = new BlockList()
machineOwn.addSubnet('169.254.0.0', 16, 'ipv4')
for (const address of ['168.63.129.16', '100.100.100.200', '192.0.0.192']) machineOwn.addAddress(address, 'ipv4')
machineOwn.addSubnet('fe80::', 10, 'ipv6')
machineOwn.addAddress('fd00:ec2::254', 'ipv6')
// Translation prefixes: a gateway turns the last 32 bits into an IPv4 address.
machineOwn.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')

/** The host of a virtual machine's own secrets, which is never asked, wherever the page is open. */
export const isMachineOwn = (address: string): boolean =>
  machineOwn.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Checks nodes that the operator types. At an https page every address must be public, because the page is open to the internet too.
 * At `http://localhost` the operator sits at the machine or a tunnel to it, and may name nodes in the local network. Addresses are
 * checked when connecting, so that a name cannot change in between.
 */
export function createNodeChecker(runtime: Runtime) {
  const agents = {
    everywhere: createTargetAgent({ ports: [] }, { isAllowed: isPublicAddress }),
    locally: createTargetAgent({ ports: [] }, { isAllowed: (one) => !isMachineOwn(one), resolve: resolveAnywhere }),
  }

  /** @param isLocal - Whether the page is open at `http://localhost`. */
  const fetchAt = (isLocal: boolean): typeof fetch => {
    const dispatcher = isLocal ? agents.locally : agents.everywhere
    // undici has its own types for the same standard.
    return ((url: string, init: RequestInit) =>
      guardedFetch(url, { ...(init as object), dispatcher, redirect: 'error' })) as unknown as typeof fetch
  }

  return {
    fetchAt,

    /** @throws {SetupRefusal} when the URL must not be asked. */
    async check(shortName: string, text: string, isLocal: boolean): Promise<NodeCheck> {
      const url = nodeUrl(text, isLocal)
      const network = setupNetwork(shortName, [url])
      const deps = { ...commandPoolDeps(runtime), fetchFn: fetchAt(isLocal) }
      const { diagnose, verifyNetwork } = await inspectNetwork(network, deps)
      const noPayers = { operator: null, formerOperators: [], solanaFeePayerKey: null }
      const found = await diagnose({ payers: noPayers, wallets: [], nowMs: runtime.nowMs })
      const notes = found.filter(({ check }) => nodeChecks.has(check)).map(noteOf)
      const rpc = notes.find(({ code }) => code === 'rpc.bad')
      if (rpc) {
        const fault = await verifyNetwork(AbortSignal.timeout(verifyMs))
        rpc.code = fault?.kind === 'wrong' ? 'chain.bad' : 'rpc.bad'
      }
      return excused(shortName, {
        url,
        isUsable: notes.length > 0 && notes.every(({ state }) => state !== 'bad'),
        notes,
      })
    },

    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

export type NodeChecker = ReturnType<typeof createNodeChecker>

const verifyMs = 10_000

/**
 * Accepts a suggested public node that does not respond: this is no mistake of the operator's, and the service asks the node again. A
 * node on another chain, or one that cannot search, stays refused.
 */
export function excused(shortName: string, check: NodeCheck): NodeCheck {
  const known = knownNetworks.get(shortName)
  const isSuggested = known !== undefined && defaultNodesOf(known).includes(check.url)
  if (!isSuggested || !check.notes.some(({ code }) => code === 'rpc.bad')) return check
  const says = 'The suggested node does not respond just now.'
  return { ...check, isUsable: true, notes: [{ code: 'default.silent', state: 'warning', says }] }
}

const noteOf = ({ check, state, says }: Finding): NodeNote => ({ code: `${check}.${state}`, state, says })

/** @throws {SetupRefusal} */
function nodeUrl(text: string, isLocal: boolean): string {
  const trimmed = text.trim()
  const url = trimmed.length <= urlCharsMax && URL.canParse(trimmed) ? new URL(trimmed) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new SetupRefusal('NODE_URL', 'url')
  if (isLocal) return trimmed
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isPrivate = isIP(host) > 0 ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host)
  if (isPrivate) throw new SetupRefusal('NODE_PRIVATE', 'url')
  if (url.protocol !== 'https:') throw new SetupRefusal('NODE_URL', 'url')
  return trimmed
}

/** Also resolves names of this machine and its local network, which no name server knows. */
async function resolveAnywhere(hostname: string) {
  const { lookup } = await import('node:dns/promises')
  const local = await lookup(hostname, { all: true }).catch(() => [])
  return local.length > 0 ? local : await resolveAddresses(hostname)
}
