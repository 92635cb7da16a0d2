import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSqlite, SQLite } from '@stablecoin-checkout/bff/testing/db'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { buildWhatIsOld } from '../../demo/build.mjs'
import type { Measure } from './fixtures.ts'

const payments = 1_000_000
const openDeposits = 100_000

/** What was paid lies so far back, evenly: late money is watched for a week. */
const yearsMs = 3 * 365 * 24 * 60 * 60 * 1000

/** After this the watcher has taken in all that is open, and nothing is left to do. */
const restMs = 5_000

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What an operator asks before buying a machine: how soon it is there, how much memory it takes, how large it is. */
export async function benchOperation(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  buildWhatIsOld(() => undefined)
  const devnet = await startDevnet({ dataDir: folder })
  try {
    const binary = join(folder, 'stablecoin-checkout')
    execFileSync(process.execPath, [join(root, 'bff/binary/build.mjs'), binary], { stdio: 'ignore' })
    const full = await fill(join(folder, 'full.sqlite'), payments, 'swept')
    const busy = await fill(join(folder, 'busy.sqlite'), openDeposits, 'pending')
    const empty = await measure(folder, devnet, join(folder, 'empty.sqlite'), binary)
    const afterYears = await measure(folder, devnet, full, binary)
    const underLoad = await measure(folder, devnet, busy, binary)
    const megabytes = (bytes: number) => Math.round(bytes / 1e6)
    return [
      { name: 'binary: size', value: megabytes(statSync(binary).size), unit: 'MB' },
      { name: 'start to ready, empty', value: empty.readyMs, unit: 'ms' },
      { name: 'start to ready, 1,000,000 payments', value: afterYears.readyMs, unit: 'ms' },
      { name: 'file, 1,000,000 payments with their transfers', value: megabytes(statSync(full).size), unit: 'MB' },
      { name: 'memory, idle', value: empty.rssMb, unit: 'MB' },
      { name: 'memory, 1,000,000 payments in the file', value: afterYears.rssMb, unit: 'MB' },
      { name: 'memory, 100,000 open deposits watched', value: underLoad.rssMb, unit: 'MB' },
    ]
  } finally {
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Terms as long as real ones. */
const terms = JSON.stringify({
  feeBps: 150,
  ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, '0'.repeat(66)])),
})

/** @returns the path of a file with so many payments of one status, and a transfer for each that was paid. */
async function fill(path: string, count: number, status: 'swept' | 'pending'): Promise<string> {
  // Brings the tables.
  await openSqlite(path).close()
  const db = new SQLite(path)
  db.pragma('synchronous = off')
  const nowMs = Date.now()
  db.exec("insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'm', 's', 1)")
  // Ids in no order, as real ones are: a multiplication by an odd number gives each 32-bit number once.
  db.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < @count)
     insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
       seen, received, window_ended, sweep, status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms)
     select printf('%08x-0000-4000-8000-%012x', (i * 2654435761) & 4294967295, i), 'm', 'deposit', 0, 'devnet', 'USDC',
            '0x5fbdb2315678afecb367f032d93f642f64180aa3', 6, '25000000', '25000000', @paid, @paid, @ended, @sweep, @status,
            @nowMs - (@count - i) * @apartMs, @nowMs - (@count - i) * @apartMs + 900000, @nowMs - (@count - i) * @apartMs + 900000, printf('0x%040x', (i * 2654435761) & 4294967295), @terms from n`,
  ).run({
    count,
    nowMs,
    terms,
    status,
    apartMs: status === 'swept' ? Math.floor(yearsMs / count) : 0,
    ...(status === 'swept'
      ? { paid: '25000000', ended: 1, sweep: 'confirmed' }
      : { paid: '0', ended: 0, sweep: 'none' }),
  })
  if (status === 'swept') {
    db.exec(
      `insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash, block_time_ms, state, is_late)
       select 'devnet', printf('0x%064x', number), 0, id, '0x5fbdb2315678afecb367f032d93f642f64180aa3', due, 1, '0x01', 1, 'confirmed', 0
         from payments`,
    )
  }
  db.close()
  return path
}

/** Starts the binary on the file. @returns how soon it was ready, and what it holds once it rests. */
async function measure(folder: string, { networks, operator }: Devnet, database: string, binary: string) {
  const [{ shortName, name, chainId, rpcUrl, factory, platformWallet, tokens }] = networks
  const config = join(folder, 'bench.config.json')
  const network = {
    shortName,
    name,
    chainId,
    factory,
    platformWallet,
    rpcUrls: [rpcUrl],
    confirmations: 3,
    tokens: [{ symbol: 'USDC', name: 'USD Coin', ...tokens.USDC }],
  }
  writeFileSync(config, JSON.stringify({ port: 0, database, networks: [network] }))
  const env = { ...process.env, BFF_CONFIG: config, OPERATOR_PRIVATE_KEY: operator.privateKey }
  const startedMs = performance.now()
  const child = spawn(binary, [], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await ready(child)
    const readyMs = Math.round(performance.now() - startedMs)
    await new Promise((rested) => setTimeout(rested, restMs))
    return { readyMs, rssMb: Math.round(residentBytes(child.pid) / 1e6) }
  } finally {
    child.kill('SIGKILL')
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
    if (child.stdout === null) return reject(new Error('The service has no output.'))
    createInterface({ input: child.stdout }).on('line', (line) => line.includes('"msg":"ready"') && resolve())
  })
}

/** As Linux counts it. */
function residentBytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
