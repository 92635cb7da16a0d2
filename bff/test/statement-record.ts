import { appendFileSync } from 'node:fs'
import type { Db, Sql, Tx } from '@stablecoin-checkout/bff/testing/db'

/** Replaces a value; no text of the source contains it. */
const valueSign = '\u{0}'

/** By template, of which a statement of the source has one. */
const known = new WeakSet<TemplateStringsArray>()

/** Appends each statement's text to the file, once per process, as a JSON string. */
function note(path: string, { strings }: Sql): void {
  if (known.has(strings)) return
  known.add(strings)
  appendFileSync(path, `${JSON.stringify(strings.join(valueSign))}\n`)
}

/** The database, with every statement recorded in the file. */
export function recorded(db: Db, path: string): Db {
  const recordedTx = (tx: Tx): Tx => ({
    ...tx,
    run: (statement) => {
      note(path, statement)
      return tx.run(statement)
    },
    write: (statement) => {
      note(path, statement)
      tx.write(statement)
    },
    get: <Row>(statement: Sql) => {
      note(path, statement)
      return tx.get<Row>(statement)
    },
    all: <Row>(statement: Sql) => {
      note(path, statement)
      return tx.all<Row>(statement)
    },
  })
  return {
    ...db,
    write: (unit) => db.write((tx) => unit(recordedTx(tx))),
    read: (unit) => db.read((tx) => unit(recordedTx(tx))),
  }
}
