import { systemRuntime as runtime, silentLog } from '@stablecoin-checkout/bff/testing/core'
import { openDatabase, sql } from '@stablecoin-checkout/bff/testing/db'
import { createEvmAdapter, createWatcher } from '@stablecoin-checkout/bff/testing/evm'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'

/**
 * The real watcher on a real database, in a process of its own: `node watching.ts <file or URL> <rpc url> <open deposits> <blocks> [direct]`. `direct`: the
 * deposits are at addresses of the merchant's own wallet. With no
 * open deposits it takes the database as it is.
 */
const [location = '', rpcUrl = '', openText = '0', blocksText = '0', kind = ''] = process.argv.slice(2)
const [open, blocks] = [Number(openText), Number(blocksText)]
/** Passes before the measurement, for the compiler. */
const warmUpBlocks = 50

const db = await openDatabase(location)
const network = { ...devnetFacts, rpcUrls: [rpcUrl] }
// What was stored of another chain is no part of this one.
await db.write((tx) => tx.run(sql`delete from headers`))
const endsAtMs = runtime.nowMs() + 900_000_000
await db.write(async (tx) => {
  if (open > 0)
    await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'm', 's', 1)`)
  for (let index = 0; index < open; index++) {
    const address = `0x${index.toString(16).padStart(40, '0')}`
    await tx.run(sql`
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
        status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms, is_direct)
      values (${String(index)}, 'm', 'deposit', 0, 'devnet', 'USDC', ${network.tokens[0]?.address ?? ''}, 6, '1', '1',
        'pending', 1, ${endsAtMs}, ${endsAtMs}, ${address}, '{}', ${kind === 'direct' ? 1 : 0})`)
  }
})
const ledger = createLedger(db, () => ({}))
const adapter = createEvmAdapter(network, { nowMs: Date.now, log: silentLog })
const watcher = createWatcher({ db, ledger, adapter, network, heads: createHeads(), runtime, log: silentLog })
const { signal } = new AbortController()
for (let block = 0; block < warmUpBlocks; block++) await watcher.pass(signal)
const before = process.cpuUsage()
process.send?.({ isStarting: true })
const startedMs = performance.now()
for (let block = 0; block < blocks; block++) await watcher.pass(signal)
const tookMs = performance.now() - startedMs
const { user, system } = process.cpuUsage(before)
process.send?.({ cpuMicroseconds: user + system, tookMs, memoryMb: process.memoryUsage().rss / 1e6 })
await db.close()
process.disconnect()
