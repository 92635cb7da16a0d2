import { sql, type Tx } from '../db/db.ts'
import type { NodeState } from './node-state.ts'

/** The states of a network's nodes, in the order of the configuration. */
export type NetworkNodes = { network: string; nodes: readonly NodeState[] }

/** Replaces the states that the replica stored before, and deletes those of replicas that are gone. */
export async function saveNodeStates(tx: Tx, replicaId: string, networks: readonly NetworkNodes[]): Promise<void> {
  await tx.run(sql`
      delete from node_states where replica_id = ${replicaId} or replica_id not in (select id from replicas)`)
  for (const { network, nodes } of networks) {
    for (const [place, { name, host, state, reason, outUntilMs }] of nodes.entries()) {
      tx.write(sql`
          insert into node_states (replica_id, network, place, name, host, state, reason, out_until_ms)
          values (${replicaId}, ${network}, ${place}, ${name}, ${host}, ${state}, ${reason}, ${outUntilMs})`)
    }
  }
}

/** A node's state as one replica sees it, with the replica's host. */
export type ReplicaNode = NodeState & { replicaId: string; replicaHost: string; network: string }

/** The states stored by replicas seen within the time, ordered by network and node, at most `limit`. */
export async function loadNodeStates(tx: Tx, seenWithinMs: number, limit: number): Promise<ReplicaNode[]> {
  return await tx.all<ReplicaNode>(sql`
      select n.replica_id as "replicaId", r.host as "replicaHost", n.network, n.name, n.host, n.state, n.reason,
             n.out_until_ms as "outUntilMs"
        from node_states n join replicas r on r.id = n.replica_id
       where r.seen_at_ms > now_ms() - ${seenWithinMs}
       order by n.network, n.place, r.host, r.id limit ${limit}`)
}
