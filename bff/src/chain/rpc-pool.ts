import { createPublicClient, HttpRequestError, http, TimeoutError } from 'viem'
import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'

/** A node that has not answered after this long is treated as down, and the next one is asked. */
const rpcTimeoutMs = 10_000

/** Tries per request where there is no other node to try. */
const loneRetries = 2

/** A node that is down is left alone this long at first, then twice as long each time. */
const backOffFirstMs = 1_000
const backOffMaxMs = 60_000

/** A node that lied is not asked for this long, also where it is the only one. */
const quarantineMs = 5 * 60 * 1000

/** Hosts whose nodes must say the same of a payment of high value, where so many are configured. */
const witnessesMin = 2

/** No node can be asked. The message is for anyone: it names nodes by their place, never by their address. */
export class NoNodeError extends Error {}

/** A node said what cannot be. */
export class LyingNodeError extends Error {}

export type RpcNode = {
  readonly ask: (method: string, params: unknown[]) => Promise<unknown>
  readonly name: string
  /** Nodes of one host know of one another. */
  readonly host: string
  failures: number
  outUntilMs: number
  /** What it lied about, while it is out for that. */
  lie: string | null
  /** It was identified since it was last out. */
  isVerified: boolean
  /** Newest block that it has claimed, and when it first did. */
  highest: number
  highestSinceMs: number
}

/** What a node is on instead of the network, as it goes on after the node's name; undefined: it is on the network. */
type Identify = (ask: RpcNode['ask']) => Promise<string | undefined>

type Pooled = Pick<Network, 'name' | 'shortName' | 'rpcUrls'>
/** One call to a node; `isAnswered` is false where it gave no answer, or a refusal. */
export type ObserveCall = (call: { network: string; method: string; isAnswered: boolean; tookMs: number }) => void

export type PoolDeps = { nowMs: () => number; log: Log; observe?: ObserveCall }

/**
 * The nodes of one network, asked in the configured order: the first one that is well answers everything, so that one
 * pass hears one voice. Who is down is left alone for a while; who lied, for longer.
 */
export function createRpcPool(
  { name, shortName, rpcUrls }: Pooled,
  identify: Identify,
  { nowMs, log, observe }: PoolDeps,
) {
  const retryCount = rpcUrls.length === 1 ? loneRetries : 0
  const nodes = rpcUrls.map((url, index): RpcNode => {
    const client = createPublicClient({ transport: http(url, { timeout: rpcTimeoutMs, retryCount }), cacheTime: 0 })
    // The methods are a closed list in the adapter; viem types each of them apart.
    const ask = client.request as unknown as (call: { method: string; params: unknown[] }) => Promise<unknown>
    return {
      ask: (method, params) => ask({ method, params }),
      host: new URL(url).host,
      name: rpcUrls.length === 1 ? 'the node' : `node ${index + 1} of ${rpcUrls.length}`,
      ...{ failures: 0, outUntilMs: 0, lie: null, isVerified: false, highest: -1, highestSinceMs: 0 },
    }
  })

  /** Those that are well; else the one that was down and is due first, because it may be back. Never one that lied. */
  function candidates(): RpcNode[] {
    const now = nowMs()
    for (const node of nodes) if (node.outUntilMs <= now) node.lie = null
    const well = nodes.filter(({ outUntilMs }) => outUntilMs <= now)
    if (well.length > 0) return well
    const down = nodes.filter(({ lie }) => lie === null).sort((a, b) => a.outUntilMs - b.outUntilMs)
    if (down.length > 0) return down.slice(0, 1)
    throw new NoNodeError(`No node of ${name} can be believed: ${nodes.map((n) => `${n.name} ${n.lie}`).join('; ')}.`)
  }

  /** Leaves a node alone because of what it said. `lie` goes on after its name, and is for anyone. */
  function distrust(node: RpcNode, lie: string): LyingNodeError {
    Object.assign(node, { lie, outUntilMs: nowMs() + quarantineMs, isVerified: false, highest: -1 })
    log.error({ network: shortName, node: node.name, lie }, 'a node is not believed any more')
    return new LyingNodeError(`${name}: ${node.name} ${lie}`)
  }

  function backOff(node: RpcNode): void {
    const pauseMs = Math.min(backOffMaxMs, backOffFirstMs * 2 ** Math.min(node.failures, 10))
    Object.assign(node, { failures: node.failures + 1, outUntilMs: nowMs() + pauseMs, isVerified: false })
    log.warn({ network: shortName, node: node.name, pauseMs }, 'a node is left alone for a while')
  }

  /** @throws what it throws, after it is left alone where it was down. */
  async function askNode<T>(node: RpcNode, method: string, params: unknown[]): Promise<T> {
    const startedMs = performance.now()
    const told = (isAnswered: boolean) =>
      observe?.({ network: shortName, method, isAnswered, tookMs: performance.now() - startedMs })
    try {
      if (!node.isVerified) {
        const lie = await identify(node.ask)
        if (lie !== undefined) throw distrust(node, lie)
        node.isVerified = true
      }
      const answer = (await node.ask(method, params)) as T
      node.failures = 0
      told(true)
      return answer
    } catch (error) {
      told(false)
      if (isDown(error)) backOff(node)
      throw error
    }
  }

  const hosts = new Set(nodes.map(({ host }) => host)).size

  return {
    /** The answer of the first node that gives one. @throws {NoNodeError}, else the last node's error. */
    async ask<T>(method: string, params: unknown[], signal: AbortSignal): Promise<{ node: RpcNode; answer: T }> {
      let failure: unknown
      for (const node of candidates()) {
        signal.throwIfAborted()
        try {
          return { node, answer: await askNode<T>(node, method, params) }
        } catch (error) {
          failure = error
        }
      }
      throw failure
    },
    askNode,
    /** Those that may be asked, in the configured order. @throws {NoNodeError} */
    candidates,
    /**
     * Whether nodes of two hosts attest it: of all that are configured, where that is one. A node that is down attests nothing.
     * @throws {NoNodeError}
     */
    async isAttested(attests: (node: RpcNode) => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
      const witnesses = new Set<string>()
      for (const node of candidates()) {
        signal.throwIfAborted()
        if (!witnesses.has(node.host) && (await attests(node).catch(() => false))) witnesses.add(node.host)
        if (witnesses.size >= Math.min(witnessesMin, hosts)) return true
      }
      return false
    },
    distrust,
    /** The other nodes that are well. */
    others: (node: RpcNode): RpcNode[] => nodes.filter((other) => other !== node && other.outUntilMs <= nowMs()),
  }
}

/** It gave no answer, or one that is none; a refusal is an answer. */
function isDown(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError || causeOf(error)
}

function causeOf(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined && isDown(error.cause)
}
