import { appendFileSync } from 'node:fs'
import type { Db, Sql, Tx } from '@stablecoin-checkout/bff/testing/db'

/** Replaces a value; no text of the source contains it. */
const valueSign = '\u{0}'

const known = new Set<string>()

/** Appends each statement's text to the file, once per process, as a JSON string. */
function note(path: string, { strings }: Sql): void {
  const text = strings.join(valueSign)
  if (known.has(text)) return
  known.add(text)
  appendFileSync(path, `${JSON.stringify(text)}\n`)
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
