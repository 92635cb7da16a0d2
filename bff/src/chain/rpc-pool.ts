import { createPublicClient, HttpRequestError, http, RpcRequestError, TimeoutError } from 'viem'
import type { Network } from '../core/families.ts'
import { type Log, silentLog } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { NodeState } from '../network/node-state.ts'

/** A node that has not responded after this long is treated as down, and the next one is asked. */
const serviceCallTimeoutMs = 10_000

/** The same for a command, because a person waits for it. */
const commandCallTimeoutMs = 5_000

/** Repeats of a call that failed, where no other node can be asked. */
const loneRetries = 2

/** A node that is down is not asked for this long at first, then for twice as long each time. */
const backOffFirstMs = 1_000
const backOffMaxMs = 60_000

/**
 * How long a node in quarantine is asked by nobody, also where it is the only one. One on another chain is out for less time than
 * a network is between two verifications (a minute, `network-health.ts`), so that each verification asks a corrected node again;
 * that is safe, because the pool identifies the node before it uses any other response. No single question clears a node that
 * lied about blocks or logs: it stays out for longer.
 */
const quarantineMs = { otherChain: 30_000, lie: 5 * 60 * 1000 }

/** Hosts whose nodes must report the same of a high-value payment, where that many are configured. */
const witnessesMin = 2

/** No node is usable. The message is public: it names nodes by position, never by URL. */
export class NoNodeError extends Error {}

/** A node gave a provably wrong response. */
export class LyingNodeError extends Error {}

export type RpcNode = {
  readonly ask: (method: string, params: unknown[]) => Promise<unknown>
  readonly name: string
  /** Nodes of one host count as one. */
  readonly host: string
  failures: number
  outUntilMs: number
  /** Why the node is in quarantine. It ends the sentence that begins with the node's name, and is for anyone. */
  lie: string | null
  isOnOtherChain: boolean
  /** It was identified since it was last out. */
  isIdentified: boolean
  /** Newest block that it has claimed, and when it first did. */
  highest: number
  highestSinceMs: number
}

/** What a node is on instead of the network; ends the sentence that begins with the node's name. Undefined: it is on the network. */
type Identify = (ask: RpcNode['ask']) => Promise<string | undefined>

type Pooled = Pick<Network, 'name' | 'shortName' | 'rpcUrls'>
/** One call to a node; `isAnswered` is false where it gave no answer, or a refusal. */
export type ObserveCall = (call: { network: string; method: string; isAnswered: boolean; tookMs: number }) => void

/** `fetchFn`: asks a node whose URL is not trusted yet; by default the global `fetch`. */
export type PoolDeps = {
  nowMs: () => number
  log: Log
  observe?: ObserveCall
  callTimeoutMs?: number
  fetchFn?: typeof fetch
}

/** What a command asks nodes with: it prints what it finds, and writes no log. */
export const commandPoolDeps = ({ nowMs }: Pick<Runtime, 'nowMs'>): PoolDeps => ({
  nowMs,
  log: silentLog,
  callTimeoutMs: commandCallTimeoutMs,
})

/**
 * The nodes of one network, asked in the configured order: the first one that is well responds to everything, so that the calls of
 * one pass agree with each other. A node that is down is not asked for a while; one that lied, for longer.
 */
export function createRpcPool(
  { name, shortName, rpcUrls }: Pooled,
  identify: Identify,
  { nowMs, log, observe, callTimeoutMs = serviceCallTimeoutMs, fetchFn }: PoolDeps,
) {
  const retryCount = rpcUrls.length === 1 ? loneRetries : 0
  const nodes = rpcUrls.map((url, index): RpcNode => {
    const transport = http(url, { timeout: callTimeoutMs, retryCount, ...(fetchFn && { fetchFn }) })
    const client = createPublicClient({ transport, cacheTime: 0 })
    // viem types each method apart; here the callers know the shapes of the responses.
    const request = client.request as unknown as (call: { method: string; params: unknown[] }) => Promise<unknown>
    return {
      ask: (method, params) => request({ method, params }),
      host: new URL(url).host,
      name: rpcUrls.length === 1 ? 'the node' : `node ${index + 1} of ${rpcUrls.length}`,
      failures: 0,
      outUntilMs: 0,
      lie: null,
      isOnOtherChain: false,
      isIdentified: false,
      highest: -1,
      highestSinceMs: 0,
    }
  })

  const isWell = ({ outUntilMs }: RpcNode) => outUntilMs <= nowMs()
  const isInQuarantine = (node: RpcNode) => node.lie !== null && !isWell(node)

  /**
   * The healthy nodes; if none, the down node that is due first, because it may have recovered. Never a node
   * in quarantine.
   */
  function candidates(): RpcNode[] {
    const well = nodes.filter(isWell)
    if (well.length > 0) return well
    const down = nodes.filter(({ lie }) => lie === null).sort((a, b) => a.outUntilMs - b.outUntilMs)
    if (down.length > 0) return down.slice(0, 1)
    throw new NoNodeError(`No node of ${name} can be trusted: ${nodes.map((n) => `${n.name} ${n.lie}`).join('; ')}.`)
  }

  const errorOf = (node: RpcNode) => new LyingNodeError(`${name}: ${node.name} ${node.lie}`)

  /** Puts a node into quarantine because of a response. */
  function distrust(node: RpcNode, lie: string, isOnOtherChain = false): LyingNodeError {
    const outUntilMs = nowMs() + (isOnOtherChain ? quarantineMs.otherChain : quarantineMs.lie)
    Object.assign(node, { lie, isOnOtherChain, outUntilMs, isIdentified: false, highest: -1 })
    log.error({ network: shortName, node: node.name, lie }, 'RPC node quarantined')
    return errorOf(node)
  }

  function backOff(node: RpcNode): void {
    // A call that began before the quarantine does not shorten it.
    if (isInQuarantine(node)) return
    const pauseMs = Math.min(backOffMaxMs, backOffFirstMs * 2 ** Math.min(node.failures, 10))
    const outUntilMs = nowMs() + pauseMs
    Object.assign(node, { lie: null, failures: node.failures + 1, outUntilMs, isIdentified: false })
    log.warn({ network: shortName, node: node.name, pauseMs }, 'RPC node is failing; paused')
  }

  /** Runs calls to a node that is on the network. @throws {LyingNodeError} for a node in quarantine, without asking it. */
  async function withNode<T>(node: RpcNode, call: () => Promise<T>): Promise<T> {
    if (isInQuarantine(node)) throw errorOf(node)
    try {
      if (!node.isIdentified) {
        const other = await identify(node.ask)
        if (other !== undefined) throw distrust(node, other, true)
        Object.assign(node, { isIdentified: true, lie: null, isOnOtherChain: false })
      }
      return await call()
    } catch (error) {
      if (isDown(error)) backOff(node)
      throw error
    }
  }

  /** @throws {LyingNodeError} for a node in quarantine, without asking it; else the node's own error. */
  async function askNode<T>(node: RpcNode, method: string, params: unknown[]): Promise<T> {
    const startedMs = performance.now()
    const observed = (isAnswered: boolean) =>
      observe?.({ network: shortName, method, isAnswered, tookMs: performance.now() - startedMs })
    try {
      const answer = await withNode(node, () => node.ask(method, params))
      node.failures = 0
      observed(true)
      return answer as T
    } catch (error) {
      observed(false)
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
    /** Every configured node in its order, for a report on each of them by `askNode`. */
    nodes: nodes as readonly RpcNode[],
    states: (): NodeState[] =>
      nodes.map((node) => ({
        name: node.name,
        host: node.host,
        state: isWell(node) ? 'ok' : node.lie === null ? 'down' : 'quarantine',
        reason: isWell(node) ? null : node.lie,
        outUntilMs: isWell(node) ? null : node.outUntilMs,
      })),
    /** Those that may be asked, in the configured order. @throws {NoNodeError} */
    candidates,
    /** Identifies the nodes that are well. @returns the first node that is on another chain, undefined when none is. */
    async nodeOnOtherChain(): Promise<RpcNode | undefined> {
      await Promise.allSettled(nodes.filter(isWell).map((node) => withNode(node, async () => undefined)))
      return nodes.find((node) => isInQuarantine(node) && node.isOnOtherChain)
    },
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
    distrust: (node: RpcNode, lie: string) => distrust(node, lie),
    /** The other nodes that are well. */
    others: (node: RpcNode): RpcNode[] => nodes.filter((other) => other !== node && isWell(other)),
  }
}

/** Whether no node could be asked: the fault is of none of the things that were asked for. */
export const isOfNodes = (error: unknown): boolean =>
  error instanceof NoNodeError || error instanceof LyingNodeError || isDown(error)

/** The node did not respond, or not with JSON-RPC; a refusal is a response. */
function isDown(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError || causeOf(error)
}

function causeOf(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined && isDown(error.cause)
}

/**
 * The node's message when it refused a call by a JSON-RPC error; undefined for any other error. viem wraps the error of a code
 * that it knows.
 */
export function rpcRefusalOf(error: unknown): string | undefined {
  if (error instanceof RpcRequestError) return error.details
  return error instanceof Error && error.cause !== undefined ? rpcRefusalOf(error.cause) : undefined
}
