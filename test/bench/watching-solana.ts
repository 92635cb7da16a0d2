import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { systemRuntime as runtime, type SolanaNetwork, silentLog } from '@stablecoin-checkout/bff/testing/core'
import { openSqlite, sql } from '@stablecoin-checkout/bff/testing/db'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import { createDepositWatcher, createSolanaAdapter, createSolanaRpc } from '@stablecoin-checkout/bff/testing/solana'

/** The real watcher on a real file, in a process of its own: `node watching-solana.ts <database> <rpc url> <open deposits> <passes>`. */
const [path = '', rpcUrl = '', openText = '0', passesText = '0'] = process.argv.slice(2)
const [open, passes] = [Number(openText), Number(passesText)]
/** Passes before the measurement, for the compiler; the first also finds every account's address. */
const warmUpPasses = 20

const zero = '11111111111111111111111111111111'
const network: SolanaNetwork = {
  shortName: 'solana',
  name: 'Solana',
  family: 'solana',
  chainId: 101,
  isTestnet: false,
  genesisHash: zero,
  rpcUrls: [rpcUrl],
  confirmations: 32,
  highValue: null,
  signatureGas: null,
  pollMs: 2_000,
  explorerUrl: null,
  platformWallet: zero,
  tokens: [
    {
      symbol: 'USDC',
      currency: 'USD',
      name: 'USD Coin',
      address: zero,
      decimals: 6,
      permit: null,
      authorization: null,
    },
  ],
}
/** An address for each, the same at every run. */
const addressOf = (index: number) => new PublicKey(createHash('sha256').update(String(index)).digest()).toBase58()

const db = openSqlite(path)
await db.write((tx) =>
  tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'm', 's', 1)`),
)
const endsAtMs = runtime.nowMs() + 900_000_000
await db.write(async (tx) => {
  for (let index = 0; index < open; index++) {
    await tx.run(sql`
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
        status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms)
      values (${String(index)}, 'm', 'deposit', 0, 'solana', 'USDC', ${zero}, 6, '1', '1',
        'pending', 1, ${endsAtMs}, ${endsAtMs}, ${addressOf(index)}, '{}')`)
  }
})
const ledger = createLedger(db, () => ({}))
const rpc = createSolanaRpc(network, { nowMs: Date.now, log: silentLog })
const adapter = createSolanaAdapter(network, rpc, silentLog)
const watcher = createDepositWatcher({ db, ledger, adapter, network, heads: createHeads(), runtime, log: silentLog })
const { signal } = new AbortController()
for (let pass = 0; pass < warmUpPasses; pass++) await watcher.pass(signal)
const before = process.cpuUsage()
process.send?.({ isStarting: true })
for (let pass = 0; pass < passes; pass++) await watcher.pass(signal)
const { user, system } = process.cpuUsage(before)
process.send?.({ cpuMicroseconds: user + system })
await db.close()
