/**
 * A value that both SQLite and PostgreSQL accept. Amounts are text, times are integer milliseconds, flags 0
 * or 1. A list of texts follows `in` and replaces its brackets: `where id in ${ids}`.
 */
export type SqlParam = string | number | null | readonly string[]

/**
 * A statement or a fragment of one, made by the `sql` tag, so that values never become part of the text. `now_ms()` is the database's
 * clock, in Unix milliseconds.
 */
export type Sql = { readonly strings: TemplateStringsArray; readonly params: readonly SqlParam[] }

export function sql(strings: TemplateStringsArray, ...values: (SqlParam | Sql)[]): Sql {
  if (!values.some(isSql)) return { strings, params: values as SqlParam[] }
  const params: SqlParam[] = []
  for (const value of values) {
    if (isSql(value)) params.push(...value.params)
    else params.push(value)
  }
  return { strings: withFragments(strings, values), params }
}

const isSql = (value: SqlParam | Sql): value is Sql => typeof value === 'object' && value !== null && 'strings' in value

/** Statement texts by template and fragments. The source code bounds their number. */
const joined = new WeakMap<TemplateStringsArray, Map<string, TemplateStringsArray>>()
const fragments = new WeakMap<TemplateStringsArray, number>()
let fragmentCount = 0

/** Returns the same object for the same texts, because each statement object is prepared once. */
function withFragments(strings: TemplateStringsArray, values: readonly (SqlParam | Sql)[]): TemplateStringsArray {
  const known = joined.get(strings) ?? new Map<string, TemplateStringsArray>()
  joined.set(strings, known)
  const key = values.map((value) => (isSql(value) ? numberOf(value.strings) : '')).join()
  const before = known.get(key)
  if (before) return before
  const texts = [strings[0] ?? '']
  for (const [index, value] of values.entries()) {
    const next = strings[index + 1] ?? ''
    if (!isSql(value)) {
      texts.push(next)
      continue
    }
    const [first = '', ...rest] = value.strings
    texts.push(`${texts.pop()}${first}`, ...rest)
    texts.push(`${texts.pop()}${next}`)
  }
  const made = texts as unknown as TemplateStringsArray
  known.set(key, made)
  return made
}

function numberOf(strings: TemplateStringsArray): number {
  const known = fragments.get(strings)
  if (known !== undefined) return known
  fragmentCount += 1
  fragments.set(strings, fragmentCount)
  return fragmentCount
}

/** The statements that a unit of work may run. */
export type Tx = {
  /** Resolves to the number of rows that were changed. */
  run(statement: Sql): Promise<number>
  /**
   * Like `run`, without the number of rows and without waiting: PostgreSQL sends the next statement at once.
   * Later statements of the unit see its writes. If it fails, the unit fails.
   */
  write(statement: Sql): void
  get<Row>(statement: Sql): Promise<Row | undefined>
  all<Row>(statement: Sql): Promise<Row[]>
  /** Runs after the unit is durable, never after a rollback. For log lines. Must not throw. */
  afterCommit(done: () => void): void
  /**
   * Notifies the listeners of all replicas, after the commit, that a payment, person or session with this id
   * has changed. Delivery is best effort: a notification may be lost, or sent for a unit that was rolled
   * back. Listeners must poll as well.
   */
  notify(id: string): void
}

/** The ids that one commit notifies of. `any`: the ids are unknown, so every listener must poll. */
export type Notified = ReadonlySet<string> | 'any'

/**
 * A unit of work awaits nothing but its `Tx`, because other units wait for the same commit. It may run more
 * than once, so it must change nothing outside the database.
 */
export type Unit<T> = (tx: Tx) => Promise<T>

/** The port to SQLite and PostgreSQL. */
export type Db = {
  /** Runs the unit atomically and resolves after it is durable. A unit that throws changes nothing and rejects. */
  write<T>(unit: Unit<T>): Promise<T>
  /** Reads only what is committed. */
  read<T>(unit: Unit<T>): Promise<T>
  /** Calls the listener after each commit with notifications. @returns a function that removes the listener. */
  listen(listener: (notified: Notified) => void): () => void
  /** Waits for running units, then closes. */
  close(): Promise<void>
}
