import type { Socket } from 'node:net'

/** A proxy keeps some hundreds, a browser six. Each takes about 15 kB and a file descriptor. */
const idleMax = 4_000

export type IdleConnections = {
  opened(socket: Socket): void
  /** A request came on it. */
  began(socket: Socket): void
  /** A response to it has ended. */
  ended(socket: Socket): void
}

/**
 * Bounds the connections without a request in progress, because idle ones are kept for minutes: whoever opens one after
 * the other would use up the file descriptors of everybody. The one that rests for the longest is closed first.
 */
export function createIdleConnections(max = idleMax): IdleConnections {
  /** In the order since when they rest. */
  const idle = new Set<Socket>()
  /** Requests in progress: a client may send the next one before the response. */
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
