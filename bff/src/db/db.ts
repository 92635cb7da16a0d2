/** A value that SQLite and PostgreSQL take alike. Amounts are text, times are integer milliseconds, flags 0 or 1. */
export type SqlParam = string | number | null

/** One statement: made by the `sql` tag, so values never become part of the text. */
export type Sql = { readonly strings: TemplateStringsArray; readonly params: readonly SqlParam[] }

export function sql(strings: TemplateStringsArray, ...params: SqlParam[]): Sql {
  return { strings, params }
}

/** What a unit of work may ask of the database. */
export type Tx = {
  /** Resolves to the number of rows that were changed. */
  run(statement: Sql): Promise<number>
  get<Row>(statement: Sql): Promise<Row | undefined>
  all<Row>(statement: Sql): Promise<Row[]>
  /** Runs after the unit is durable, and never when it was undone: for news to the log. It must not throw. */
  afterCommit(done: () => void): void
}

/**
 * A unit of work awaits nothing but its `Tx`: while it runs, others wait for the same commit.
 * It may be run again, so it changes nothing outside the database.
 */
export type Unit<T> = (tx: Tx) => Promise<T>

/** The port to SQLite, later to PostgreSQL. */
export type Db = {
  /** Runs the unit atomically and resolves after it is durable. A unit that throws changes nothing and rejects. */
  write<T>(unit: Unit<T>): Promise<T>
  /** Reads what is committed, and nothing else. */
  read<T>(unit: Unit<T>): Promise<T>
  /** Waits for the units in hand, then closes. */
  close(): Promise<void>
}
