import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { toHex } from 'viem'
import { HDKey, hdKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import { takeNumber } from '../../merchant/address-source-store.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { insertPayment } from '../../payment/store/payment-store.ts'
import { runCli } from './program.ts'
import { systemInput } from './terminal.ts'

const { merchantId } = newPayment()
const wallet = HDKey.fromMasterSeed(systemRuntime.randomBytes(32))
const xpub = wallet.derive("m/44'/60'/0'").publicExtendedKey
const branch = wallet.derive("m/44'/60'/0'/0")
const addressAt = (index: number) =>
  privateKeyToAddress(toHex(branch.deriveChild(index).privateKey ?? new Uint8Array()))

let folder: string
let database: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-wallets-'))
  database = join(folder, 'checkout.sqlite')
  const network = { shortName: 'base', rpcUrls: ['https://node.example'], platformWallet: addressAt(0) }
  writeFileSync(
    join(folder, 'checkout.json'),
    JSON.stringify({ database, networks: [{ ...network, deposits: 'xpub' }] }),
  )
  const db = openSqlite(database)
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'Corner Coffee', 's', 0)`),
  )
  await db.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(...args: string[]) {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli(['wallets', ...args], {
    env: () => ({ BFF_CONFIG: join(folder, 'checkout.json') }),
    folder,
    program: { command: 'checkout', start: null },
    input: { ...systemInput(), isTerminal: false },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  })
  return { exitCode, stdout, stderr }
}

/** Payments with the next addresses, as creates store them; the first one is paid. */
async function give(count: number): Promise<PaymentId[]> {
  const db = openSqlite(database)
  const ids = Array.from({ length: count }, () => systemRuntime.newUuid() as PaymentId)
  await db.write(async (tx) => {
    for (const [index, id] of ids.entries()) {
      const fields = { id, network: 'base', depositAddress: addressAt(index + 1), isDirect: true }
      const payment = newPayment(index === 0 ? { ...fields, received: newPayment().due } : fields)
      await takeNumber(tx, payment, 1_000_000)
      await insertPayment(tx, payment)
    }
  })
  await db.close()
  return ids
}

test('an account is named by its key and first address, and refused where they do not belong together', async () => {
  const set = (text: string) => run('set', merchantId, `base=${text}`)
  const wrong = await set(`${xpub}@${addressAt(1)}`)
  expect(wrong.exitCode).not.toBe(0)
  expect(wrong.stderr).toContain(`the first address of this key is ${addressAt(0)}`)
  const secret = wallet.derive("m/44'/60'/0'").privateExtendedKey
  const leaked = await set(`${secret}@${addressAt(0)}`)
  expect(leaked.stderr).toContain('this is a private key: never give it to anybody')
  expect(leaked.stderr + leaked.stdout).not.toContain(secret.slice(0, 20))
  expect(await set(`${xpub}@${addressAt(0)}`)).toMatchObject({ exitCode: 0, stderr: '' })
})

test('the addresses that payments were given are listed with their paths, which lead a wallet to their keys', async () => {
  await run('set', merchantId, `base=${xpub}@${addressAt(0)}`)
  const [first, second] = await give(2)
  const { exitCode, stdout } = await run('addresses', merchantId, 'base', '--json')
  expect(exitCode).toBe(0)
  const { addresses, hasMore } = JSON.parse(stdout)
  const account = addresses[0].account as string
  expect(addresses).toEqual([
    {
      path: '0/1',
      address: addressAt(1),
      received: '25.00',
      currency: 'USDC',
      outcome: 'pending',
      paymentId: first,
      account,
    },
    {
      path: '0/2',
      address: addressAt(2),
      received: '0.00',
      currency: 'USDC',
      outcome: 'pending',
      paymentId: second,
      account,
    },
  ])
  expect(hasMore).toBe(false)
  for (const { path, address } of addresses) {
    expect(hdKeyToAccount(wallet, { path: `m/44'/60'/0'/${path}` }).address).toBe(address)
  }
  const { stdout: table } = await run('addresses', merchantId, 'base')
  expect(table).toContain(addressAt(2))
  expect((await run('addresses', merchantId, 'elsewhere', '--json')).stdout).toContain('"addresses":[]')
})

test('more than a terminal shows are written to a file, which only its owner reads and nothing overwrites', async () => {
  await run('set', merchantId, `base=${xpub}@${addressAt(0)}`)
  await give(501)
  const { stdout } = await run('addresses', merchantId, 'base')
  expect(stdout).toContain('There are more: use --csv.')
  expect(stdout).not.toContain(addressAt(501))
  const file = join(folder, 'addresses.csv')
  expect(await run('addresses', merchantId, 'base', '--csv', file)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('501 addresses'),
  })
  const lines = readFileSync(file, 'utf8').trim().split('\r\n')
  expect(lines).toHaveLength(502)
  expect(lines[0]).toBe('path,address,received,currency,outcome,payment,account')
  expect(lines.at(-1)).toMatch(new RegExp(`^0/501,${addressAt(501)},0.00,USDC,pending,`))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await run('addresses', merchantId, 'base', '--csv', file)
  expect(again.exitCode).not.toBe(0)
  expect(again.stderr).toContain(file)
})
