/** State of a node, for the operator. Nodes are named by position and host, never by URL, which may contain a key. */
export type NodeState = {
  name: string
  host: string
  /** `down`: not used for a while; `quarantine`: not trusted, for `reason`. */
  state: 'ok' | 'down' | 'quarantine'
  reason: string | null
  /** Unix milliseconds; null while in use. */
  outUntilMs: number | null
}
