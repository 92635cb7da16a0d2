import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { formatSolanaSplitTerms } from '@stablecoin-checkout/bff/testing/solana'
import { startPostgres, urlOf } from '@stablecoin-checkout/rig/postgres-server'
import { bundle } from './bundle.ts'
import { fillWalletPayments } from './filled.ts'
import type { Measure } from './fixtures.ts'
import { ask, startServer } from './server.ts'

const counts = [10_000, 1_000_000]
const merchants = 20
const startMaxMs = 10_000
const memoryMaxMb = 500
/** Which cluster it is, the head and its time, the balances of all accounts, and one list for each account. */
const callsMax = 4 + merchants

/** The start of the watcher of wallet payments on Solana, by the number of payments of the last week. */
export async function benchGrowthSolana(database: 'SQLite' | 'PostgreSQL'): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const server = database === 'PostgreSQL' ? await startPostgres(['max_wal_size=4GB']) : undefined
  const node = await startServer('solana-node', [])
  const calls = async () => (await ask<{ calls: number }>(node, 'calls')).calls
  try {
    const file = await bundle('starting-solana')
    const measures: Measure[] = []
    for (const count of counts) {
      const name = `bench_${count}`
      await server?.run(`create database ${name}`)
      const location = server ? urlOf(server.url, name) : join(folder, `${name}.sqlite`)
      await fillWalletPayments(location, count, terms())
      // The first start, once after an upgrade, finds the accounts of all payments; each later one has them stored.
      for (const start of ['first start', 'start']) {
        const before = await calls()
        const child = fork(file, [location, node.url], { execArgv: [] })
        const ended = once(child, 'exit')
        const failed = ended.then(([code]) => Promise.reject(new Error(`starting-solana ended with ${code}`)))
        const [{ tookMs, memoryMb }] = (await Promise.race([once(child, 'message'), failed])) as [
          { tookMs: number; memoryMb: number },
        ]
        await ended
        const asked = (await calls()) - before
        const of = `${count.toLocaleString('en')} payments`
        measures.push(
          {
            name: start,
            case: of,
            value: Math.round(tookMs),
            unit: 'ms',
            ...(start === 'start' && { target: `<= ${startMaxMs} ms`, isGood: tookMs <= startMaxMs }),
          },
          {
            name: `${start}, most memory`,
            case: of,
            value: Math.round(memoryMb),
            unit: 'MB',
            target: `<= ${memoryMaxMb} MB`,
            isGood: memoryMb <= memoryMaxMb,
          },
          {
            name: `${start}, RPC calls`,
            case: of,
            value: asked,
            unit: 'calls',
            target: `<= ${callsMax}`,
            isGood: asked <= callsMax,
          },
        )
      }
    }
    return measures
  } finally {
    node.child.kill('SIGKILL')
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const terms = () =>
  Array.from({ length: merchants }, () => {
    const newAddress = () => Keypair.generate().publicKey.toBase58()
    return formatSolanaSplitTerms({
      family: 'solana',
      genesisHash: 'cluster',
      mint: newAddress(),
      decimals: 6,
      amount: 25_000_000n,
      paymentId: 'p',
      merchant: newAddress(),
      platform: newAddress(),
      feeBps: 150,
      deadlineSeconds: 1,
    })
  })
