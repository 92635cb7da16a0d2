import type { Socket } from 'node:net'
import { countedAddress, createAddressTrust, networkOf, plain } from './client-address.ts'

/** A proxy keeps some hundreds of idle connections, a browser six. Each takes about 15 kB and a file descriptor. */
const idleMax = 4_000

export type IdleConnections = {
  opened(socket: Socket): void
  /** A whole request came on the connection. */
  began(socket: Socket): void
  /** A response on the connection has ended. */
  ended(socket: Socket): void
  /** The client's network; null: a trusted proxy. */
  networkOf(socket: Socket): string | null
}

/** The key of all trusted proxies: their connections carry everybody's requests. */
const proxies = 'proxies'

/**
 * Bounds the idle connections, because they are kept for minutes: whoever opens one after another would use up all file
 * descriptors. Of the network with the most of them, the one that has been idle longest is closed, so that a flood does not cut the
 * connections of others. If several networks have the most, the first is chosen, so that newcomers are served. Connections of trusted
 * proxies are closed only when there are no others.
 */
export function createIdleConnections(trustedProxies: readonly string[] = [], max = idleMax): IdleConnections {
  const isTrusted = createAddressTrust(trustedProxies)
  /** By network, longest idle first. */
  const idle = new Map<string, Set<Socket>>()
  let count = 0
  /** A closed socket no longer knows its address. */
  const networks = new WeakMap<Socket, string>()
  /** Requests in progress. A client may send the next one before the response. */
  const requests = new WeakMap<Socket, number>()

  function rest(socket: Socket): void {
    if (socket.destroyed) return
    const network = networks.get(socket) ?? ''
    const own = idle.get(network) ?? new Set()
    idle.set(network, own.add(socket))
    count += 1
    if (count <= max) return
    let most = new Set<Socket>()
    for (const [name, others] of idle) if (name !== proxies && others.size > most.size) most = others
    const [longest] = most.size > 0 ? most : own
    if (!longest) return
    wake(longest)
    longest.destroy()
  }

  function wake(socket: Socket): void {
    const network = networks.get(socket) ?? ''
    const own = idle.get(network)
    if (!own?.delete(socket)) return
    count -= 1
    if (own.size === 0) idle.delete(network)
  }

  return {
    opened(socket) {
      const address = plain(socket.remoteAddress ?? '')
      networks.set(socket, isTrusted(address) ? proxies : networkOf(countedAddress(address)))
      socket.once('close', () => wake(socket))
      rest(socket)
    },
    began(socket) {
      requests.set(socket, (requests.get(socket) ?? 0) + 1)
      wake(socket)
    },
    ended(socket) {
      const open = (requests.get(socket) ?? 1) - 1
      requests.set(socket, open)
      if (open === 0) rest(socket)
    },
    networkOf(socket) {
      const network = networks.get(socket) ?? ''
      return network === proxies ? null : network
    },
  }
}
