import pg from 'pg'
import { OperatorError } from '../../core/errors.ts'
import { DatabaseUnavailableError } from '../unavailable.ts'

/** How long connecting may take. */
const connectTimeoutMs = 5_000

/** The server's statement timeout. The client's own is a little longer, for a server that has vanished. */
const statementTimeoutMs = 20_000
const answerTimeoutMs = 25_000

/**
 * The server ends a transaction that is idle this long: its process was suspended or has vanished, and all
 * other replicas wait for it. Shorter than `lockTimeoutMs`, so that their waiting writes then succeed.
 */
const idleInTransactionMs = 5_000

/** How long a statement waits for a lock, including the writers' lock. */
const lockTimeoutMs = 8_000

/** The oldest release that the tests cover. */
const versionMin = 150_000

/** The service cannot use the database. The message is for the operator and contains no password. */
export class PostgresError extends OperatorError {}

/** A column has a type that the two databases do not share. The statement must cast it. */
class ColumnTypeError extends Error {}

/** Parses numbers and texts as SQLite returns them: an integer as a number, a truth value as 0 or 1. */
const parsers = new Map<number, (text: string) => string | number>([
  [pg.types.builtins.INT2, Number],
  [pg.types.builtins.INT4, Number],
  [pg.types.builtins.INT8, parseInteger],
  [pg.types.builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [pg.types.builtins.TEXT, String],
  [pg.types.builtins.VARCHAR, String],
  [pg.types.builtins.BPCHAR, String],
  // `name`, and the `void` of functions that return nothing.
  [19, String],
  [2278, String],
])

/** @throws {ColumnTypeError} above 2⁵³, where numbers are not exact. */
function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new ColumnTypeError(`The database returned ${text}, beyond 2^53: select it as text.`)
  return value
}

const types = {
  getTypeParser: (oid: number) =>
    parsers.get(oid) ??
    (() => {
      throw new ColumnTypeError(`The database returned a column of type ${oid}: cast it to text or bigint.`)
    }),
} as unknown as pg.CustomTypesConfig

export const optionsOf = (url: string, answerMs = answerTimeoutMs): pg.ClientConfig => ({
  connectionString: url,
  types,
  keepAlive: true,
  connectionTimeoutMillis: connectTimeoutMs,
  query_timeout: answerMs,
  application_name: 'stablecoin-checkout',
})

/** Set after connecting, because a pooler refuses them as startup parameters without a reason. */
const settings = `
  set statement_timeout = ${statementTimeoutMs};
  set lock_timeout = ${lockTimeoutMs};
  set idle_in_transaction_session_timeout = ${idleInTransactionMs};
  set default_transaction_isolation = 'read committed';`

/** @throws {DatabaseUnavailableError} when the server cannot be reached now. @throws {PostgresError} when retrying cannot help. */
export async function connect(
  url: string,
  { answerMs, pipeline = false }: { answerMs?: number; pipeline?: boolean } = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...optionsOf(url, answerMs), pipeline })
  // Without a listener, losing an idle connection would end the process. The next statement reports the loss.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepareSession(client)
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw connectFault(error)
  }
}

/** @param client - From a pool, or from {@link connect}. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  // A pool listens only while a connection is idle. Without this listener, a loss between two statements would end the process.
  client.on('error', () => undefined)
  await client.query(settings)
  // A response is sent only after its commit is on disk, whatever the server's default.
  await client.query(
    `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
  )
}

/** Prepares a session that must not write. */
export async function prepareReader(client: pg.ClientBase): Promise<void> {
  await prepareSession(client)
  await client.query('set default_transaction_read_only = on')
}

/** Connection errors that the operator must fix: wrong password or user, missing database, missing privileges. */
const configurationCodes = new Set(['28000', '28P01', '3D000', '42501', '08P01', '0A000'])

function connectFault(error: unknown): Error {
  if (error instanceof PostgresError) return error
  if (error instanceof pg.DatabaseError && configurationCodes.has(error.code ?? '')) {
    return new PostgresError(`PostgreSQL refused the connection: ${error.message}.`)
  }
  return new DatabaseUnavailableError(error)
}

/** The connection is lost or its state is unknown, so it was discarded. */
export class ConnectionLostError extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost.')
    this.cause = cause
  }
}

/** A newer version has changed a table since the statement was prepared. A new connection prepares it anew. */
export class OutdatedStatementError extends ConnectionLostError {}

const isOutdated = ({ code, routine }: pg.DatabaseError): boolean =>
  code === '0A000' && routine === 'RevalidateCachedQuery'

/**
 * Classifies a statement's failure. The driver reports a lost connection in many ways, only some of which have a code.
 */
export function toStatementError(error: unknown): unknown {
  if (error instanceof ColumnTypeError) return error
  if (error instanceof pg.DatabaseError && isOutdated(error)) return new OutdatedStatementError(error)
  if (error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC') return error
  return new ConnectionLostError(error)
}

/**
 * Whether the server only reads: it was the primary before, and is a standby now. 25006: a statement would write; 0A000: a writing
 * transaction was begun. @param error - From a statement that begins or ends a transaction.
 */
export const isStandby = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '25006' || error.code === '0A000')

/** Whether the transaction conflicted with another one and can be retried. */
export const isConflict = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')

/**
 * Codes of a server that cannot work now: insufficient resources (53), operator intervention or timeout (57), system error (58), or a
 * lock that was not granted in time.
 */
const isUnavailable = (code: string): boolean => ['53', '57', '58'].includes(code.slice(0, 2)) || code === '55P03'

/** The error that a statement's caller gets. */
export function toCallersError(error: unknown): unknown {
  if (error instanceof ConnectionLostError || isConflict(error)) return new DatabaseUnavailableError(error)
  if (error instanceof pg.DatabaseError && isUnavailable(error.code ?? '')) return new DatabaseUnavailableError(error)
  return error
}

/** @throws {PostgresError} when the service cannot work on this server. */
export async function examineServer(url: string, client: pg.Client): Promise<void> {
  await refuseTransactionPooler(url, client)
  const { rows } = await client.query<{ version: number; encoding: string }>(`
      select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`)
  const { version, encoding } = rows[0] ?? { version: 0, encoding: '' }
  if (version < versionMin) {
    throw new PostgresError(`PostgreSQL 15 or newer is needed; this is ${Math.floor(version / 10_000)}.`)
  }
  if (encoding !== 'UTF8') throw new PostgresError(`The database's encoding is ${encoding}; it must be UTF8.`)
}

/** How often two connections are compared: an idle pooler gives the second one the session of the first at once. */
const comparisons = 5

/**
 * Refuses a pooler that changes a connection's session for each transaction (PgBouncer in transaction mode), because that loses
 * prepared statements, timeouts and `LISTEN`. PostgreSQL announces to each connection the id of its serving process; behind a
 * pooler, it differs from the id that the process itself reports. Such a pooler is refused when a second connection, inside a
 * transaction, is served by the first one's process, or when another process serves the first connection afterwards.
 */
async function refuseTransactionPooler(url: string, first: pg.Client): Promise<void> {
  const announced = (first as pg.Client & { processID: number | null }).processID
  if (announced === (await processOf(first))) return
  const second = await connect(url)
  try {
    for (let round = 0; round < comparisons; round++) {
      const before = await processOf(first)
      await second.query('begin')
      const other = await processOf(second)
      const after = await processOf(first)
      await second.query('rollback')
      if (other === before || after !== before) {
        throw new PostgresError(
          'The database is reached through a pooler in transaction mode (such as PgBouncer), which loses prepared statements, timeouts and notifications. Connect to PostgreSQL itself, or set pool_mode = session.',
        )
      }
    }
  } finally {
    await second.end().catch(() => undefined)
  }
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
