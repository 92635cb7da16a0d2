import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import { insertPayment } from '../../payment/store/payment-store.ts'
import { loadConfig } from '../config/config.ts'
import { type Running, serve } from './serve.ts'

let folder: string
let database: string
let running: Running[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-start-'))
  database = join(folder, 'checkout.sqlite')
  running = []
})
afterEach(async () => {
  for (const one of running) await one.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(networks: object[] = [], secrets: Record<string, string> = {}): Promise<Running> {
  const path = join(folder, 'checkout.json')
  writeFileSync(path, JSON.stringify({ port: 0, logLevel: 'silent', database, networks }))
  const one = await serve(loadConfig({ BFF_CONFIG: path, ...secrets }), systemRuntime, { firstVerificationMaxMs: 0 })
  running.push(one)
  return one
}

/** An open payment whose deposit the service has to pay out. */
async function insertOpenPayment(network: string): Promise<void> {
  const db = openSqlite(database)
  const payment = newPayment({ network })
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${payment.merchantId}, 'm', 's', 0)`)
    await insertPayment(tx, payment)
  })
  await db.close()
}

async function reasonsOf({ url }: Running): Promise<string[]> {
  const response = await fetch(`${url}/api/ready`)
  return ((await response.json()) as { reasons: string[] }).reasons
}
const replaced = 'Another process has taken over the database.'

test('a process whose start is refused takes nothing over from the one that runs; one that starts does, which the other says', async () => {
  const first = await start()
  await insertOpenPayment('gone')
  await expect(start()).rejects.toThrow('the network gone is not configured, but 1 payments on it are unfinished')
  const db = openSqlite(database)
  // The running process writes by its lease.
  const leases = () => db.read((tx) => tx.all<{ epoch: number }>(sql`select epoch from leases`))
  expect(await leases()).toEqual([{ epoch: 1 }])
  expect(await reasonsOf(first)).not.toContain(replaced)
  await db.write((tx) => tx.run(sql`delete from payments`))
  await start()
  await expect.poll(leases, { interval: 5 }).toEqual([{ epoch: 2 }])
  // What the first process notices by its next write.
  await expect.poll(() => reasonsOf(first), { interval: 50, timeout: 90_000 }).toContain(replaced)
  await db.close()
})

test('a start without the operator’s key is refused while it has a deposit to pay out; with the key it is not', async () => {
  const operatorKey = generatePrivateKey()
  const token = { symbol: 'USDC', name: 'USD Coin', address: `0x${'a'.repeat(40)}`, decimals: 6 }
  const known = { name: 'Base', family: 'evm', chainId: 8_453, rpcUrls: ['http://127.0.0.1:9'], confirmations: 1 }
  const network = { shortName: 'base', ...known, tokens: [token], platformWallet: privateKeyToAddress(operatorKey) }
  const networks = [{ ...network, deposits: 'xpub' }]
  await start(networks)
  await running.pop()?.stop()
  await insertOpenPayment('base')
  await expect(start(networks)).rejects.toThrow('OPERATOR_PRIVATE_KEY is required until 1 payments on base')
  await start(networks, { OPERATOR_PRIVATE_KEY: operatorKey })
})
