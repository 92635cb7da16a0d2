import type pg from 'pg'
import type { Sql, SqlParam } from '../db.ts'
import type { Statements } from '../group-commit.ts'
import { toStatementError } from './connection.ts'

type Named = { name: string; text: string; isReading: boolean }

const named = new WeakMap<TemplateStringsArray, Named>()
let count = 0

/** The name of a statement in the source, fixed for the life of the process, under which each connection prepares it once. */
function nameOf({ strings, params }: Sql): Named {
  const known = named.get(strings)
  if (known) return known
  count += 1
  const text = strings.reduce((before, part, index) =>
    Array.isArray(params[index - 1])
      ? `${before.replace(/\bin\s+$/, '')} = any($${index})${part}`
      : `${before}$${index}${part}`,
  )
  const made = { name: `s${count}`, text, isReading: /^\s*select\b/i.test(text) }
  named.set(strings, made)
  return made
}

/**
 * Replaces U+0000, which PostgreSQL cannot store, with the replacement character. API callers are refused it; other texts, such as the
 * response of a webhook's receiver, may contain it.
 */
export function storable(param: SqlParam): SqlParam {
  if (typeof param === 'string') return storableText(param)
  return typeof param === 'object' && param !== null ? param.map(storableText) : param
}

const storableText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text)

type Observe = {
  /** Before a statement that may write. */
  writing(): void
  /** After a statement failed. PostgreSQL then refuses everything else in the transaction. */
  failed(error: unknown): void
}

/** The statements of a unit on the connection that `current` returns. */
export function statementsOn(current: () => pg.ClientBase, observe: Observe): Omit<Statements, 'write'> {
  const query = async (statement: Sql, isWriting: boolean) => {
    const { name, text, isReading } = nameOf(statement)
    if (isWriting || !isReading) observe.writing()
    try {
      return await current().query<Record<string, unknown>>({ name, text, values: statement.params.map(storable) })
    } catch (thrown) {
      const error = toStatementError(thrown)
      observe.failed(error)
      throw error
    }
  }
  return {
    run: async (statement) => (await query(statement, true)).rowCount ?? 0,
    get: async <Row>(statement: Sql) => (await query(statement, false)).rows[0] as Row | undefined,
    all: async <Row>(statement: Sql) => (await query(statement, false)).rows as Row[],
  }
}
