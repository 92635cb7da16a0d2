export type RpcRequest = { id: number; method: string; params?: unknown[] }
/** Undefined: no response. */
type Node = { respond(request: RpcRequest): Promise<object | undefined> }

const nodes = new Map<string, Node>()
const suffix = '.model.invalid'
const realFetch = globalThis.fetch
let served = 0

/** Handles requests to model nodes in-process; all others go out. */
export const modelFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : String(input))
  if (!url.hostname.endsWith(suffix)) return await realFetch(input, init)
  const node = nodes.get(url.hostname)
  const body = node && (await node.respond(JSON.parse(String(init?.body)) as never))
  if (body === undefined) return new Response('<html>busy</html>', { status: 503, headers: { 'Retry-After': '0' } })
  return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
}

/**
 * Gives in-memory nodes their own addresses, so that the service's real RPC pool calls them: thousands of calls a second, without
 * sockets. For tests.
 */
export function serveNodes(own: readonly Node[]): { urls: string[]; close(): void } {
  globalThis.fetch = modelFetch
  const hosts = own.map((node) => {
    served += 1
    const host = `node-${served}${suffix}`
    nodes.set(host, node)
    return host
  })
  return {
    urls: hosts.map((host) => `http://${host}/`),
    close: () => {
      for (const host of hosts) nodes.delete(host)
      if (nodes.size === 0) globalThis.fetch = realFetch
    },
  }
}
