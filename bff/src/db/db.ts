/**
 * A value that SQLite and PostgreSQL take alike. Amounts are text, times are integer milliseconds, flags 0 or 1. A list of texts stands
 * after `in`, in place of its brackets: `where id in ${ids}`.
 */
export type SqlParam = string | number | null | readonly string[]

/**
 * One statement, or a fragment that stands in one: made by the `sql` tag, so values never become part of the text. `now_ms()` in it is the
 * database's clock, in Unix milliseconds.
 */
export type Sql = { readonly strings: TemplateStringsArray; readonly params: readonly SqlParam[] }

export function sql(strings: TemplateStringsArray, ...values: (SqlParam | Sql)[]): Sql {
  if (!values.some(isSql)) return { strings, params: values as SqlParam[] }
  return {
    strings: withFragments(strings, values),
    params: values.flatMap((value) => (isSql(value) ? value.params : [value])),
  }
}

const isSql = (value: SqlParam | Sql): value is Sql => typeof value === 'object' && value !== null && 'strings' in value

/** By the template that holds them: the texts with each set of fragments. There are as many as the source can make. */
const joined = new WeakMap<TemplateStringsArray, Map<string, TemplateStringsArray>>()
const fragments = new WeakMap<TemplateStringsArray, number>()
let fragmentCount = 0

/** One object for the same texts, because statements are prepared once for each. */
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

/** What a unit of work may ask of the database. */
export type Tx = {
  /** Resolves to the number of rows that were changed. */
  run(statement: Sql): Promise<number>
  /**
   * The same where nobody needs the number, and nobody waits: on PostgreSQL the next statement follows at once. Later statements of the
   * unit see what it has written. When it fails, so does the unit.
   */
  write(statement: Sql): void
  get<Row>(statement: Sql): Promise<Row | undefined>
  all<Row>(statement: Sql): Promise<Row[]>
  /** Runs after the unit is durable, and never when it was undone: for lines of the log. It must not throw. */
  afterCommit(done: () => void): void
  /**
   * After the commit, whoever listens on whatever replica is notified of the id: of a payment, a person or a session that has changed. A notification may be
   * lost with a connection, and a unit that is undone may have been notified of: so it only wakes somebody who polls too.
   */
  notify(id: string): void
}

/** The ids of which one commit notified. `any`: they are not known, and each may be among them. */
export type Notified = ReadonlySet<string> | 'any'

/**
 * A unit of work awaits nothing but its `Tx`: while it runs, others wait for the same commit.
 * It may be run again, so it changes nothing outside the database.
 */
export type Unit<T> = (tx: Tx) => Promise<T>

/** The port to SQLite and PostgreSQL. */
export type Db = {
  /** Runs the unit atomically and resolves after it is durable. A unit that throws changes nothing and rejects. */
  write<T>(unit: Unit<T>): Promise<T>
  /** Reads what is committed, and nothing else. */
  read<T>(unit: Unit<T>): Promise<T>
  /** Calls the listener after each commit that notifies of something. @returns a function that ends it. */
  listen(listener: (notified: Notified) => void): () => void
  /** Waits for the units in hand, then closes. */
  close(): Promise<void>
}
