/** State of a node, for the operator. Nodes are named by position and host, never by URL, which may contain a key. */
export type NodeState = {
  name: string
  host: string
  /** `down`: its last call failed, and it has answered none since; `quarantine`: not trusted, for `reason`. */
  state: 'ok' | 'down' | 'quarantine'
  reason: string | null
  /** Unix milliseconds; null when its next call may be at once. */
  outUntilMs: number | null
}
