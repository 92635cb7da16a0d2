import { createPublicClient, HttpRequestError, RpcRequestError } from 'viem'
import type { Network } from '../core/families.ts'
import { type Log, silentLog } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { NodeState } from '../network/node-state.ts'
import { rpcTransport } from './rpc-transport.ts'

/** After this long without a response, a node counts as down and the next one is called. */
const serviceCallTimeoutMs = 10_000

/** The timeout for commands, because a person waits for them. */
const commandCallTimeoutMs = 5_000

/** Retries of a failed call if only one node is configured. */
const loneRetries = 2

/** First pause of a node that is down; each further pause is twice as long. */
const backOffFirstMs = 1_000
const backOffMaxMs = 60_000

/**
 * How long a quarantined node is not called, even if it is the only one. A node on another chain returns sooner than the interval
 * between two verifications (a minute, `network-health.ts`), so that each verification calls a corrected node again; that is
 * safe, because the pool identifies a node before it uses any response. A node that lied about blocks or logs stays out longer:
 * no single call can clear it.
 */
const quarantineMs = { otherChain: 30_000, lie: 5 * 60 * 1000 }

/** Hosts whose nodes must agree on a high-value payment, if that many are configured. */
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
  /** Whether its last call failed because of it, until it answers one. */
  isDown: boolean
  outUntilMs: number
  /** Why the node is quarantined. Public; completes a sentence that starts with the node's name. */
  lie: string | null
  isOnOtherChain: boolean
  /** Whether it was identified since it was last out. */
  isIdentified: boolean
  /** The newest block that it has reported, and since when. */
  highest: number
  highestSinceMs: number
}

/** How a node's chain differs from the network; completes a sentence that starts with the node's name. Undefined: it does not. */
type Identify = (ask: RpcNode['ask']) => Promise<string | undefined>

type Pooled = Pick<Network, 'name' | 'shortName' | 'rpcUrls'>
/** One call to a node; `isAnswered` is false if it failed or was refused. */
export type ObserveCall = (call: { network: string; method: string; isAnswered: boolean; tookMs: number }) => void

/** `fetchFn`: calls a node whose URL is not trusted yet; by default the global `fetch`. */
export type PoolDeps = {
  nowMs: () => number
  log: Log
  observe?: ObserveCall
  callTimeoutMs?: number
  fetchFn?: typeof fetch
}

/** Pool settings for commands, which print their findings and write no log. */
export const commandPoolDeps = ({ nowMs }: Pick<Runtime, 'nowMs'>): PoolDeps => ({
  nowMs,
  log: silentLog,
  callTimeoutMs: commandCallTimeoutMs,
})

/**
 * The nodes of one network, in configured order. The first healthy node handles every call, so that the calls of one pass are
 * consistent. A node that is down is paused; one that lied is quarantined for longer.
 */
export function createRpcPool(
  { name, shortName, rpcUrls }: Pooled,
  identify: Identify,
  { nowMs, log, observe, callTimeoutMs = serviceCallTimeoutMs, fetchFn }: PoolDeps,
) {
  const retryCount = rpcUrls.length === 1 ? loneRetries : 0
  const nodes = rpcUrls.map((url, index): RpcNode => {
    const transport = rpcTransport(url, { timeoutMs: callTimeoutMs, retryCount, fetchFn })
    const client = createPublicClient({ transport, cacheTime: 0 })
    // viem types each method separately; here the callers know the response types.
    const request = client.request as unknown as (call: { method: string; params: unknown[] }) => Promise<unknown>
    return {
      ask: (method, params) => request({ method, params }),
      host: new URL(url).host,
      name: rpcUrls.length === 1 ? 'the node' : `node ${index + 1} of ${rpcUrls.length}`,
      failures: 0,
      isDown: false,
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

  /** The healthy nodes; if none, the down node that is due first, because it may have recovered. Never a quarantined node. */
  function candidates(): RpcNode[] {
    const well = nodes.filter(isWell)
    if (well.length > 0) return well
    const down = nodes.filter(({ lie }) => lie === null).sort((a, b) => a.outUntilMs - b.outUntilMs)
    if (down.length > 0) return down.slice(0, 1)
    throw new NoNodeError(`No node of ${name} can be trusted: ${nodes.map((n) => `${n.name} ${n.lie}`).join('; ')}.`)
  }

  const errorOf = (node: RpcNode) => new LyingNodeError(`${name}: ${node.name} ${node.lie}`)

  /** Quarantines a node because of a response. */
  function distrust(node: RpcNode, lie: string, isOnOtherChain = false): LyingNodeError {
    const outUntilMs = nowMs() + (isOnOtherChain ? quarantineMs.otherChain : quarantineMs.lie)
    Object.assign(node, { lie, isOnOtherChain, outUntilMs, isIdentified: false, highest: -1 })
    log.error({ network: shortName, node: node.name, lie }, 'RPC node quarantined')
    return errorOf(node)
  }

  function backOff(node: RpcNode): void {
    // A call that started before the quarantine does not shorten it.
    if (isInQuarantine(node)) return
    const pauseMs = Math.min(backOffMaxMs, backOffFirstMs * 2 ** Math.min(node.failures, 10))
    const outUntilMs = nowMs() + pauseMs
    Object.assign(node, { lie: null, failures: node.failures + 1, isDown: true, outUntilMs, isIdentified: false })
    log.warn({ network: shortName, node: node.name, pauseMs }, 'RPC node is failing; paused')
  }

  function answered(node: RpcNode): void {
    if (node.isDown) log.info({ network: shortName, node: node.name }, 'RPC node responds again')
    node.isDown = false
  }

  /** Runs calls to a node that is on the network. @throws {LyingNodeError} for a quarantined node, without calling it. */
  async function withNode<T>(node: RpcNode, call: () => Promise<T>): Promise<T> {
    if (isInQuarantine(node)) throw errorOf(node)
    try {
      if (!node.isIdentified) {
        const other = await identify(node.ask)
        // A call that started before the quarantine does not end it.
        if (isInQuarantine(node)) throw errorOf(node)
        if (other !== undefined) throw distrust(node, other, true)
        Object.assign(node, { isIdentified: true, lie: null, isOnOtherChain: false })
      }
      const answer = await call()
      answered(node)
      return answer
    } catch (error) {
      if (isDown(error)) backOff(node)
      throw error
    }
  }

  /** @throws {LyingNodeError} for a quarantined node, without calling it; else the node's own error. */
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
    /** The response of the first node that gives one. @throws {NoNodeError}, else the last revert, else the last node's error. */
    async ask<T>(method: string, params: unknown[], signal: AbortSignal): Promise<{ node: RpcNode; answer: T }> {
      let failure: unknown
      for (const node of candidates()) {
        signal.throwIfAborted()
        try {
          return { node, answer: await askNode<T>(node, method, params) }
        } catch (error) {
          // A revert is the chain's answer. Another node's refusal, such as of too many calls, says nothing about it.
          if (isRevert(error) || !isRevert(failure)) failure = error
        }
      }
      throw failure
    },
    askNode,
    /** Every configured node in order, for reports on each by `askNode`. */
    nodes: nodes as readonly RpcNode[],
    states: (): NodeState[] =>
      nodes.map((node) => ({
        name: node.name,
        host: node.host,
        state: isInQuarantine(node) ? 'quarantine' : node.isDown ? 'down' : 'ok',
        reason: isWell(node) ? null : node.lie,
        outUntilMs: isWell(node) ? null : node.outUntilMs,
      })),
    /** The nodes that may be called, in configured order. @throws {NoNodeError} */
    candidates,
    /**
     * Calls every node that is not paused, whether or not the others need it: so a node that died while another did all the work
     * is noticed before it is needed, and one that returned is shown as well again.
     */
    async probe(): Promise<void> {
      const called = nodes.filter(isWell)
      for (const node of called) node.isIdentified = false
      await Promise.allSettled(called.map((node) => withNode(node, async () => undefined)))
    },
    /** Identifies the healthy nodes. @returns the first node on another chain; undefined if there is none. */
    async nodeOnOtherChain(): Promise<RpcNode | undefined> {
      await Promise.allSettled(nodes.filter(isWell).map((node) => withNode(node, async () => undefined)))
      return nodes.find((node) => isInQuarantine(node) && node.isOnOtherChain)
    },
    /**
     * Whether nodes of two hosts attest it, or of one if only one is configured. A node that is down attests nothing.
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
    /** The other healthy nodes. */
    others: (node: RpcNode): RpcNode[] => nodes.filter((other) => other !== node && isWell(other)),
  }
}

/** Whether no node could be called: the fault lies with the nodes, not with what was requested. */
export const isOfNodes = (error: unknown): boolean =>
  error instanceof NoNodeError || error instanceof LyingNodeError || isDown(error)

/** Whether the node did not respond, or not with JSON-RPC; a refusal is a response. */
const isDown = (error: unknown): boolean => causeOf(error, HttpRequestError) !== undefined

/** Whether the node has run the call, and the contract has refused it with a reason. */
function isRevert(error: unknown): boolean {
  const data = rpcErrorOf(error)?.data
  return typeof data === 'string' && data.startsWith('0x')
}

/** The JSON-RPC error with which the node refused a call; else undefined. */
export const rpcErrorOf = (error: unknown): RpcRequestError | undefined => causeOf(error, RpcRequestError)

/** The error itself or the nearest of its causes that is of the class: viem wraps errors whose code it knows. */
function causeOf<Cause extends Error>(error: unknown, type: abstract new (...args: never) => Cause): Cause | undefined {
  if (error instanceof type) return error
  return error instanceof Error ? causeOf(error.cause, type) : undefined
}
