import { optionsOf, SQLite } from '@stablecoin-checkout/bff/testing/db'
import pg from 'pg'
import type { ServiceFiles } from './bff.ts'

/** Reads a service's database directly. @param text - With a `?` for each value. */
export async function query<Row>(
  { env, databasePath }: ServiceFiles,
  text: string,
  values: (string | number)[],
): Promise<Row[]> {
  const url = env['DATABASE_URL']
  if (url === undefined) {
    const db = new SQLite(databasePath, { readonly: true })
    try {
      return db.prepare(text).all(...values) as Row[]
    } finally {
      db.close()
    }
  }
  let number = 0
  const client = new pg.Client(optionsOf(url))
  await client.connect()
  try {
    const { rows } = await client.query(
      text.replaceAll('?', () => `$${++number}`),
      values,
    )
    return rows as Row[]
  } finally {
    await client.end()
  }
}
