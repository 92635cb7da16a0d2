import type { Socket } from 'node:net'

/** A proxy keeps some hundreds of idle connections, a browser six. Each takes about 15 kB and a file descriptor. */
const idleMax = 4_000

export type IdleConnections = {
  opened(socket: Socket): void
  /** A whole request came on the connection. */
  began(socket: Socket): void
  /** A response on the connection has ended. */
  ended(socket: Socket): void
}

/**
 * Bounds the idle connections, because they are kept for minutes: whoever opens one after another would use up all file
 * descriptors. The one that has been idle longest is closed first.
 */
export function createIdleConnections(max = idleMax): IdleConnections {
  /** Longest idle first. */
  const idle = new Set<Socket>()
  /** Requests in progress. A client may send the next one before the response. */
  const requests = new WeakMap<Socket, number>()

  function rest(socket: Socket): void {
    if (socket.destroyed) return
    idle.add(socket)
    const [longest] = idle
    if (idle.size <= max || !longest) return
    idle.delete(longest)
    longest.destroy()
  }

  return {
    opened(socket) {
      socket.once('close', () => idle.delete(socket))
      rest(socket)
    },
    began(socket) {
      requests.set(socket, (requests.get(socket) ?? 0) + 1)
      idle.delete(socket)
    },
    ended(socket) {
      const open = (requests.get(socket) ?? 1) - 1
      requests.set(socket, open)
      if (open === 0) rest(socket)
    },
  }
}
