import type pg from 'pg'
import { bad, type Finding, found, good, type Place, warning } from '../../core/finding.ts'
import { listLeases, listReplicas, type Replica } from '../lease-store.ts'
import { allNetworks, leaseMs } from '../leases.ts'
import { shownDatabase } from '../location.ts'
import { newDatabaseAdvice, newestVersion } from '../migrate.ts'
import { examineServer } from './connection.ts'
import { isBeforeRelease } from './migrate.ts'
import { connectAtStart, connectionsMax, readerOn } from './open-postgres.ts'

/** The service follows the database's clock. A machine whose clock differs by more should be corrected. */
const clockMsMax = 2_000

/** Maximum replicas shown. */
const replicasMax = 50

type Deps = {
  /** Short names of the configured networks. */
  networks: readonly string[]
  /** This program's version. */
  version: string
  /** This machine's clock, in Unix milliseconds. */
  nowMs: () => number
}

/** Examines a PostgreSQL database without changing it. */
export async function examinePostgres(url: string, deps: Deps): Promise<Finding[]> {
  const subject = shownDatabase(url)
  let client: pg.Client | undefined
  try {
    client = await connectAtStart(url)
    await examineServer(url, client)
    const server = [
      await reachable(client, subject),
      await examineDurability(client, subject),
      await examineClock(client, subject, deps.nowMs),
      await examineConnections(client, subject),
    ]
    const schema = await examineSchema(client, subject)
    if (schema.state !== 'good') return [...server, schema]
    return [...server, schema, await examineRights(client, subject), ...(await examineReplicas(client, deps))]
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const fix = 'Correct DATABASE_URL or the server: see docs/configuration.md#postgresql for the requirements.'
    return [bad(found('database.unusable', text), subject, `cannot be used: ${text}`, fix)]
  } finally {
    await client?.end().catch(() => undefined)
  }
}

async function one<Row extends object>(client: pg.Client, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  if (!rows[0]) throw new Error('The database returned no row.')
  return rows[0]
}

async function reachable(client: pg.Client, subject: string): Promise<Finding> {
  const { version } = await one<{ version: string }>(client, "select current_setting('server_version') as version")
  return good('database.good', subject, `is reachable without a pooler in transaction mode, PostgreSQL ${version}`)
}

/** The service sets only `synchronous_commit` itself, if the server's default is `off`. The other settings are the server's. */
async function examineDurability(client: pg.Client, subject: string): Promise<Finding> {
  const { fsync, pages, commit, standbys } = await one<{
    fsync: string
    pages: string
    commit: string
    standbys: string
  }>(
    client,
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
            current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as standbys`,
  )
  if (fsync !== 'on' || pages !== 'on') {
    const says = `fsync=${fsync}, full_page_writes=${pages}: payments can be lost when the server loses power`
    return bad('durability.fsync', subject, says, 'Set fsync = on and full_page_writes = on in postgresql.conf.')
  }
  if (standbys !== '' && ['local', 'remote_write'].includes(commit)) {
    const says = `synchronous_commit=${commit}: a failover can lose the newest payments, although there are synchronous standbys`
    return warning('durability.standbys', subject, says, 'Set synchronous_commit = on in postgresql.conf.')
  }
  const says = `every commit is synced to the disk (fsync and full_page_writes are on, synchronous_commit=${commit})`
  return good('durability.good', subject, says)
}

async function examineClock(client: pg.Client, subject: string, nowMs: () => number): Promise<Finding> {
  const fromMs = nowMs()
  const row = await one<{ ms: number }>(
    client,
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
  )
  const untilMs = nowMs()
  // The database's time was read between these two.
  const aheadMs = row.ms < fromMs ? row.ms - fromMs : Math.max(0, row.ms - untilMs)
  if (Math.abs(aheadMs) <= clockMsMax) return good('clock.good', subject, "matches this machine's")
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const says = `is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's, and the service follows it`
  return warning(
    found(aheadMs > 0 ? 'clock.ahead' : 'clock.behind', seconds),
    subject,
    says,
    'Synchronize both machines by NTP (timedatectl set-ntp true).',
  )
}

async function examineConnections(client: pg.Client, subject: string): Promise<Finding> {
  const { most, used } = await one<{ most: number; used: number }>(
    client,
    `select current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint as most,
            (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`,
  )
  const says = `${used} of ${most} connections are used; a replica takes up to ${connectionsMax}`
  if (most - used >= connectionsMax) return good('connections.good', subject, says)
  const fix = 'Raise max_connections in postgresql.conf, or end other programs: another replica could not start.'
  return warning(found('connections.few', used, most), subject, says, fix)
}

async function examineSchema(client: pg.Client, subject: string): Promise<Finding> {
  const { table } = await one<{ table: string | null }>(client, "select to_regclass('schema_version')::text as table")
  const fix = 'No action is needed: the service creates them at its start.'
  if (table === null) return warning('schema.none', subject, 'has no tables yet', fix)
  if (await isBeforeRelease(client))
    return bad('schema.beforeRelease', subject, 'is from before the first release', newDatabaseAdvice)
  const { version } = await one<{ version: number }>(client, 'select version from schema_version')
  const known = newestVersion()
  if (version > known) {
    const says = `has version ${version}; this program supports up to ${known}, and does not start on it`
    return bad(found('schema.newer', version, known), subject, says, 'Use the newer program that migrated it.')
  }
  if (version < known)
    return warning(
      found('schema.older', version, known),
      subject,
      `has version ${version}; this program migrates it to ${known}`,
      fix,
    )
  return good('schema.good', subject, `has version ${version}, like this program`)
}

/** The service reads and writes all tables. A newer version also alters them, which only their owner may do. */
async function examineRights(client: pg.Client, subject: string): Promise<Finding> {
  const { role, table, schema } = await one<{ role: string; table: string | null; schema: number }>(
    client,
    `select current_user::text as role,
            has_schema_privilege('public', 'create') as schema,
            (select min(relname::text) from pg_class
              where relnamespace = 'public'::regnamespace and relkind = 'r'
                and not (pg_has_role(relowner, 'usage') and has_table_privilege(oid, 'select')
                         and has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'update')
                         and has_table_privilege(oid, 'delete'))) as table`,
  )
  if (table !== null) {
    const says = `${role} may not read, write and alter the table ${table}`
    return bad(
      found('rights.table', role, table),
      subject,
      says,
      `Make ${role} the owner of the tables: reassign owned by <owner> to ${role}.`,
    )
  }
  if (schema === 0) {
    const says = `${role} may not create tables, which the next version may need`
    return warning(found('rights.schema', role), subject, says, `grant create on schema public to ${role};`)
  }
  return good('rights.good', subject, `${role} owns the tables, and may create more`)
}

async function examineReplicas(client: pg.Client, { networks, version }: Deps): Promise<Finding[]> {
  const tx = readerOn(client)
  const all = await listReplicas(tx, replicasMax)
  const leases = await listLeases(tx)
  const alive = all.filter(({ silentMs }) => silentMs <= leaseMs)
  const rows = all.map((replica) => {
    const seconds = Math.round(replica.silentMs / 1000)
    if (!alive.includes(replica)) {
      const fix = 'Restart it, unless it was stopped intentionally. Its row is deleted after a day.'
      return warning(
        found('replica.silent', seconds),
        nameOf(replica),
        `was not seen for ${seconds} s, and did not shut down normally`,
        fix,
      )
    }
    if (replica.version === version) return good('replica.good', nameOf(replica), `is alive, version ${version}`)
    const fix = 'Finish the upgrade: replicas may differ by one version, and only briefly.'
    return warning(
      found('replica.version', replica.version, version),
      nameOf(replica),
      `is alive, version ${replica.version}; this program is ${version}`,
      fix,
    )
  })
  if (alive.length === 0) {
    rows.push(
      warning('replica.none', { text: 'all', code: 'replicas', values: [] }, 'none is running', 'Start the service.'),
    )
    return rows
  }
  for (const name of [allNetworks, ...networks]) {
    const lease = leases.find((one) => one.name === name)
    const holder = alive.find(({ id }) => id === lease?.holder)
    const work: string | Place =
      name === allNetworks ? { text: 'webhooks, expiry and bridges', code: 'work', values: [] } : name
    if (lease && holder && lease.leftMs > 0) {
      rows.push(good('lease.good', work, `${nameOf(holder).text} holds its lease (epoch ${lease.epoch})`))
      continue
    }
    const fix = "A replica takes over within 10 s of another's death. If none does, each replica's log has the reason."
    rows.push(bad('lease.none', work, 'no replica holds its lease', fix))
  }
  return rows
}

const nameOf = ({ host, url }: Replica): Place => ({
  text: `${url ?? 'not yet listening'} on ${host}`,
  code: 'replica',
  values: [url ?? '–', host],
})
