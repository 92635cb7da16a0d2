import { type BaseUnits, baseUnits } from '../core/money.ts'
import type { Sql, SqlParam } from './db.ts'

/** How a field is stored. `name`: the column's name; default: the field's name in snake case. */
export type Column<Value> = {
  readonly type: 'text' | 'integer'
  readonly isNullable?: boolean
  readonly isFixed?: boolean
  readonly name?: string
  parse(stored: unknown): Value
  format(value: Value): SqlParam
}

const same = <Value>(value: unknown): Value => value as Value

export const text = <Value extends string = string>(): Column<Value> => ({ type: 'text', parse: same, format: same })
export const integer = (): Column<number> => ({ type: 'integer', parse: same, format: same })
export const flag = (): Column<boolean> => ({
  type: 'integer',
  parse: (stored) => stored === 1,
  format: (value) => (value ? 1 : 0),
})
export const units = (): Column<BaseUnits> => ({
  type: 'text',
  parse: (stored) => baseUnits(stored as string),
  format: String,
})
export const json = <Value>(): Column<Value> => ({
  type: 'text',
  parse: (stored) => JSON.parse(stored as string) as Value,
  format: (value) => JSON.stringify(value),
})

export const orNull = <Value>({ parse, format, ...column }: Column<Value>): Column<Value | null> => ({
  ...column,
  isNullable: true,
  parse: parse === same ? same : (stored) => (stored === null ? null : parse(stored)),
  format: format === same ? same : (value) => (value === null ? null : format(value)),
})

/** A column that updates do not change: a key, or a fact known at the insert. */
export const fixed = <Value>(column: Column<Value>): Column<Value> => ({ ...column, isFixed: true })

export const named = <Value>(name: string, column: Column<Value>): Column<Value> => ({ ...column, name })

/** The columns of a table, as fragments for hand-written statements. */
export type Table<Values> = {
  /** For a select or an insert: `a, b`. */
  readonly names: Sql
  /** For an insert, in the order of `names`; null: all null. */
  values(values: Values | null): Sql
  /** For an update: `a = ?, b = ?`, without fixed columns. */
  set(values: Values): Sql
  /** For `on conflict do update set`: `a = excluded.a`, without fixed columns. */
  readonly excluded: Sql
  /** @param row - May have other columns too, as with `select *`. */
  parse(row: object): Values
  /** Null when all the columns are null. */
  parseOrNull(row: object): Values | null
}

export type ValuesOf<Of> = Of extends Table<infer Values> ? Values : never

type Described = { table: string; columns: { name: string; type: string; isNullable: boolean }[] }

/** Every description, for the test that compares them with the schema. */
export const described: Described[] = []

/** Makes one array of texts for each fragment, because statements are prepared once per array. */
const fragment = (texts: readonly string[], params: readonly SqlParam[] = []): Sql => ({
  strings: texts as unknown as TemplateStringsArray,
  params,
})

/**
 * Parses each row alone, so that one that cannot be parsed does not hide the others.
 * @param unreadable - Called with the error of each such row. If absent, the first error is thrown.
 */
export const parseEach = <Row extends object, Values>(
  rows: readonly Row[],
  parse: (row: Row) => Values,
  unreadable?: Unreadable<Row>,
): Values[] =>
  rows.flatMap((row) => {
    try {
      return [parse(row)]
    } catch (error) {
      if (!unreadable) throw error
      unreadable(error, row)
      return []
    }
  })

export type Unreadable<Row = object> = (error: unknown, row: Row) => void

/** Describes columns of a table: each field once, with how it is stored. A table may have several descriptions. */
export function table<Values extends object>(
  name: string,
  columns: { readonly [Field in keyof Values]: Column<Values[Field]> },
): Table<Values> {
  type Field = keyof Values & string
  const all = (Object.entries(columns) as [Field, Column<Values[Field]>][]).map(([field, column]) => ({
    ...column,
    field,
    name: column.name ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }))
  const changing = all.filter(({ isFixed }) => !isFixed)
  described.push({
    table: name,
    columns: all.map(({ name: column, type, isNullable = false }) => ({ name: column, type, isNullable })),
  })
  const valueTexts = ['', ...Array<string>(all.length - 1).fill(', '), '']
  const setTexts = [...changing.map(({ name: column }, index) => `${index === 0 ? '' : ', '}${column} = `), '']
  const parse = (row: object): Values => {
    const values: Partial<Values> = {}
    for (const column of all) values[column.field] = column.parse((row as Record<string, unknown>)[column.name])
    return values as Values
  }
  return {
    names: fragment([all.map(({ name: column }) => column).join(', ')]),
    values: (values) =>
      fragment(
        valueTexts,
        all.map(({ field, format }) => (values === null ? null : format(values[field]))),
      ),
    set: (values) =>
      fragment(
        setTexts,
        changing.map(({ field, format }) => format(values[field])),
      ),
    excluded: fragment([changing.map(({ name: column }) => `${column} = excluded.${column}`).join(', ')]),
    parse,
    parseOrNull: (row) =>
      all.every(({ name: column }) => (row as Record<string, unknown>)[column] === null) ? null : parse(row),
  }
}
