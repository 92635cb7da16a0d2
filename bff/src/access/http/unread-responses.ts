/** Bytes of one connection's responses that wait in memory until they are read. `network`: as in `IdleConnections`. */
export type Unread<Connection> = { connection: Connection; network: string | null; bytes: number }

/**
 * The connections to close, so that the others' unread responses take at most `max` bytes: of the network with the most, the one with the
 * most, so that a flood does not cut the responses of others. Connections of trusted proxies are closed only when there are no others.
 */
export function tooManyUnread<Connection>(unread: readonly Unread<Connection>[], max: number): Connection[] {
  let total = 0
  const networks = new Map<string | null, { bytes: number; open: Unread<Connection>[] }>()
  for (const one of unread) {
    // Idle, or read: closing it would free nothing.
    if (one.bytes === 0) continue
    total += one.bytes
    const own = networks.get(one.network) ?? { bytes: 0, open: [] }
    networks.set(one.network, own)
    own.bytes += one.bytes
    own.open.push(one)
  }
  if (total <= max) return []
  for (const { open } of networks.values()) open.sort((a, b) => a.bytes - b.bytes)
  const closed: Connection[] = []
  while (total > max) {
    let most = networks.get(null)
    let isProxies = true
    for (const [network, own] of networks) {
      if (network === null || own.open.length === 0 || !(isProxies || own.bytes > (most?.bytes ?? 0))) continue
      most = own
      isProxies = false
    }
    const last = most?.open.pop()
    if (most === undefined || last === undefined) break
    most.bytes -= last.bytes
    total -= last.bytes
    closed.push(last.connection)
  }
  return closed
}
