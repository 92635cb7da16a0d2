import { BlockList, isIP } from 'node:net'
import { fetch as guardedFetch } from 'undici'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Finding } from '../../core/finding.ts'
import type { Runtime } from '../../core/runtime.ts'
import { isPublicAddress } from '../../webhook/send/public-address.ts'
import { createTargetAgent, resolveAddresses } from '../../webhook/send/target.ts'
import { examineNewNode, isNodeUrl, type NodeExamination } from '../config/node-fault.ts'
import { setupNetwork } from './setup-network.ts'
import { SetupRefusal } from './setup-refusal.ts'

const urlCharsMax = 500

/** A note on a node for the page: a code and, for some, the value in its sentence. `says`: the sentence in English. */
type NodeNote = { code: string; state: Finding['state']; says: string }

export type NodeCheck = { url: string; isUsable: boolean; notes: NodeNote[] }

/** Addresses at which clouds hand out virtual machines' own secrets. A block list also matches IPv4 addresses written as IPv6. */
const machineOwn = new BlockList()
machineOwn.addSubnet('169.254.0.0', 16, 'ipv4')
machineOwn.addSubnet('fe80::', 10, 'ipv6')
// A gateway turns the last 32 bits of this prefix into an IPv4 address.
machineOwn.addSubnet('64:ff9b::169.254.0.0', 112, 'ipv6')
for (const address of ['168.63.129.16', '100.100.100.200', '192.0.0.192']) {
  machineOwn.addAddress(address, 'ipv4')
  machineOwn.addAddress(`64:ff9b::${address}`, 'ipv6')
}
// The same over IPv6 at Amazon, Google, Oracle and Scaleway.
for (const address of ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42']) {
  machineOwn.addAddress(address, 'ipv6')
}

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
      return nodeCheck(url, await examineNewNode(network, deps, runtime))
    },

    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

export type NodeChecker = ReturnType<typeof createNodeChecker>

/**
 * Accepts a suggested public node that does not respond: this is no mistake of the operator's, and the service asks the node again. A
 * node on another chain, or one that cannot search, stays refused.
 */
export function nodeCheck(url: string, { findings, fault }: NodeExamination): NodeCheck {
  if (fault?.kind === 'silent' && fault.isSuggested) {
    const says = 'The suggested node is not responding right now.'
    return { url, isUsable: true, notes: [{ code: 'default.silent', state: 'warning', says }] }
  }
  const notes = findings.map(({ check, state, says }): NodeNote => {
    const isOther = fault?.kind === 'wrong' && check === 'rpc' && state === 'bad'
    return { code: isOther ? 'chain.bad' : `${check}.${state}`, state, says }
  })
  return { url, isUsable: fault === null, notes }
}

/** @throws {SetupRefusal} */
function nodeUrl(text: string, isLocal: boolean): string {
  const trimmed = text.trim()
  if (trimmed.length > urlCharsMax || !isNodeUrl(trimmed)) throw new SetupRefusal('NODE_URL', 'url')
  if (isLocal) return trimmed
  const url = new URL(trimmed)
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
