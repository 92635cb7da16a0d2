import { sql, type Tx } from './db.ts'

/** A lease as its holder took it. `epoch` grows each time the lease is taken. */
export type LeaseKey = { name: string; holder: string; epoch: number }

/** A process of the service, as other processes see it. `url` is null until it listens. */
export type Replica = { id: string; version: string; host: string; url: string | null }

/**
 * Writes heartbeats. Each statement is its own transaction and does not wait for groups of writes
 * (`postgres/heartbeats.ts`).
 */
export type Heartbeats = Pick<Tx, 'run' | 'get'>

/** How long rows of processes that did not shut down cleanly are kept. */
const deadKeptMs = 24 * 60 * 60 * 1000

/** Records that the replica is alive. @returns the database's clock, in Unix milliseconds. */
export async function saveReplica(heartbeats: Heartbeats, { id, version, host, url }: Replica): Promise<number> {
  const row = await heartbeats.get<{ nowMs: number }>(sql`
      insert into replicas (id, version, host, url, started_at_ms, seen_at_ms)
      values (${id}, ${version}, ${host}, ${url}, now_ms(), now_ms())
      on conflict (id) do update set url = excluded.url, seen_at_ms = excluded.seen_at_ms
      returning seen_at_ms as "nowMs"`)
  if (!row) throw new Error('The replica was not stored.')
  return row.nowMs
}

/** Deletes the replica's row, and the rows of replicas that were not seen for a day. */
export async function deleteReplica(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from replicas where id = ${id} or seen_at_ms < now_ms() - ${deadKeptMs}`)
  await tx.run(sql`delete from node_states where replica_id not in (select id from replicas)`)
}

/** Takes the lease when it is free or has expired. @returns its epoch; undefined when another replica holds the lease. */
export async function takeLease(tx: Tx, name: string, holder: string, leaseMs: number): Promise<number | undefined> {
  await tx.run(sql`insert into leases (name, epoch, ends_at_ms) values (${name}, 0, 0) on conflict (name) do nothing`)
  const row = await tx.get<{ epoch: number }>(sql`
      update leases set holder = ${holder}, epoch = epoch + 1, ends_at_ms = now_ms() + ${leaseMs}
       where name = ${name} and (holder is null or holder = ${holder} or ends_at_ms <= now_ms())
      returning epoch`)
  return row?.epoch
}

/** False when another replica has taken the lease. An expired lease is still renewed unless another replica took it. */
export async function renewLease(
  heartbeats: Heartbeats,
  { name, holder, epoch }: LeaseKey,
  leaseMs: number,
): Promise<boolean> {
  const changed = await heartbeats.run(sql`
      update leases set ends_at_ms = now_ms() + ${leaseMs}
       where name = ${name} and holder = ${holder} and epoch = ${epoch}`)
  return changed === 1
}

/** Releases the lease, so that another replica can take it at once. */
export async function releaseLease(tx: Tx, { name, holder, epoch }: LeaseKey): Promise<void> {
  await tx.run(sql`
      update leases set holder = null, ends_at_ms = now_ms()
       where name = ${name} and holder = ${holder} and epoch = ${epoch}`)
}

/** Whether the lease has not been taken again since. */
export async function isLeaseHeld(tx: Tx, { name, holder, epoch }: LeaseKey): Promise<boolean> {
  const row = await tx.get(sql`
      select epoch from leases where name = ${name} and holder = ${holder} and epoch = ${epoch}`)
  return row !== undefined
}

/** Number of replicas seen within the given time. */
export async function countReplicas(heartbeats: Heartbeats, withinMs: number): Promise<number> {
  const row = await heartbeats.get<{ count: number }>(sql`
      select count(*) as count from replicas where seen_at_ms > now_ms() - ${withinMs}`)
  return row?.count ?? 0
}

/** The known replicas, newest first, at most `limit`. `silentMs`: time since each was seen. */
export async function listReplicas(
  tx: Tx,
  limit: number,
): Promise<(Replica & { startedAtMs: number; silentMs: number })[]> {
  return await tx.all(sql`
      select id, version, host, url, started_at_ms as "startedAtMs", now_ms() - seen_at_ms as "silentMs"
        from replicas order by started_at_ms desc, id limit ${limit}`)
}

/** The leases and their holders. `leftMs`: time until a lease ends, negative once it has ended. */
export async function listLeases(
  tx: Tx,
): Promise<{ name: string; holder: string | null; epoch: number; leftMs: number }[]> {
  return await tx.all(sql`select name, holder, epoch, ends_at_ms - now_ms() as "leftMs" from leases order by name`)
}
