/** How a node is, for whoever hosts the service: nodes are named by their place and host, never by their address, which may hold a key. */
export type NodeState = {
  name: string
  host: string
  /** `down`: not asked for a while; `quarantine`: not believed, because of `reason`. */
  state: 'ok' | 'down' | 'quarantine'
  reason: string | null
  /** Unix milliseconds; null while it is asked. */
  outUntilMs: number | null
}
