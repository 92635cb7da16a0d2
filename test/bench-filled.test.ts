import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQLite } from '@stablecoin-checkout/bff/testing/db'
import { expect, test } from 'vitest'
import { fillDatabase, fillWalletPayments } from './bench/filled.ts'

async function filled(fill: (path: string) => Promise<void>, statement: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'filled-'))
  try {
    const path = join(folder, 'checkout.db')
    await fill(path)
    const db = new SQLite(path, { readonly: true })
    const row = db.prepare(statement).get()
    db.close()
    return row
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the databases that are measured fit the tables of today, and their sums the payments', async () => {
  const row = await filled(
    (path) => fillDatabase(path, 100),
    `select count(*) as payments, sum(cast(received as integer)) as received,
            (select sum(created) from payment_sums) as created, (select sum(cast(received as integer)) from payment_sums) as summed,
            (select sum(cast(amount as integer)) from transfers) as moved from payments`,
  )
  // Seven in ten are paid, but for the last, which is open.
  expect(row).toEqual({
    payments: 100,
    received: 1_725_000_000,
    created: 100,
    summed: 1_725_000_000,
    moved: 1_725_000_000,
  })
})

test('wallet payments on Solana that are measured fit the tables of today', async () => {
  expect(
    await filled((path) => fillWalletPayments(path, 10, ['one', 'two']), 'select count(*) as payments from payments'),
  ).toEqual({ payments: 10 })
})
