import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { makeDatabaseFolder, writeDatabaseFile } from '@stablecoin-checkout/rig/test-database'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatDepositTerms } from '../../chain/evm/deposit/deposit-terms.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import { createLedger } from '../../payment/ledger.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { runCli } from './program.ts'

const payments = 1_200

const address: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const depositTerms = formatDepositTerms({
  ...{ chainId: 31_337, token: newPayment().tokenAddress as Hex, amount: 25_000_000n, least: 25_000_000n },
  ...{ merchant: address, platform: address, feeBps: 150, deadlineSeconds: 1, operator: address, factory: address },
  salt: `0x${'07'.repeat(32)}`,
})

let folder: string
let config: string
beforeEach(async () => {
  folder = makeDatabaseFolder()
  const database = join(folder, 'checkout.sqlite')
  config = join(folder, 'checkout.json')
  writeFileSync(config, JSON.stringify({ database }))
  await writeDatabaseFile(database)
  const db = openSqlite(database)
  const { merchantId } = newPayment()
  const ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    await tx.run(
      sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`,
    )
    for (let index = 0; index < payments; index++) {
      const depositAddress = `0x${index.toString(16).padStart(40, '0')}`
      await ledger.createIn(tx, newPayment({ id: `p${index}` as PaymentId, depositAddress, depositTerms, sequence: 0 }))
    }
  })
  await db.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(args: string[], isTerminal: boolean) {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli(args, {
    env: () => ({ BFF_CONFIG: config }),
    folder: '/',
    program: { command: 'checkout', start: null },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
    input: { isTerminal, readAll: async () => '', ask: async () => '' },
  })
  expect(exitCode, stderr).toBe(0)
  return { stdout, stderr }
}

/** A progress bar is redrawn in place, and removed at the end. */
function expectBars(text: string): void {
  const [before, ...drawn] = text.split('\r\u001b[K')
  expect([before, drawn.pop()]).toEqual(['', ''])
  expect(drawn.length).toBeGreaterThan(0)
  for (const one of drawn) expect(one).toMatch(/^[a-z]+ [█░]{30} \d+ %$/u)
}

test('a backup shows its progress: a bar on a terminal, plain lines otherwise', async () => {
  const plain = await run(['backup', join(folder, 'a.sqlite')], false)
  expect(plain.stderr).toMatch(/^(copy \d+ %\n)+verify 0 %\nverify 100 %\n$/)
  expect(plain.stdout).toContain(`${payments} payments`)
  expectBars((await run(['backup', join(folder, 'b.sqlite')], true)).stderr)
  // With --json, only JSON is printed.
  expect((await run(['backup', join(folder, 'c.sqlite'), '--json'], false)).stderr).toBe('')
})

test('an export shows its progress, and its file contains every payment', async () => {
  const file = join(folder, 'a.csv')
  const { stderr } = await run(['export', '--csv', file], false)
  expect(stderr).toBe('payments 0 %\npayments 41 %\npayments 83 %\npayments 100 %\n')
  expect(readFileSync(file, 'utf8').trimEnd().split('\r\n')).toHaveLength(1 + payments)
  expectBars((await run(['export', '--csv', join(folder, 'b.csv')], true)).stderr)
})
