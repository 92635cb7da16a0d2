import { readFileSync } from 'node:fs'
import { silentLog as log, systemRuntime as runtime, type SolanaNetwork } from '@stablecoin-checkout/bff/testing/core'
import { openDatabase } from '@stablecoin-checkout/bff/testing/db'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import {
  createSolanaAdapter,
  createSolanaRpc,
  createSolanaSubmissions,
  createSplitWatcher,
} from '@stablecoin-checkout/bff/testing/solana'
import { everyNetworkPayable as health } from '@stablecoin-checkout/rig/app-defaults'

/** The first pass of the real watcher of wallet payments, in a process of its own: `node starting-solana.ts <database> <rpc url>`. */
const [location = '', rpcUrl = ''] = process.argv.slice(2)

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
  tokens: [],
}

const db = await openDatabase(location)
const ledger = createLedger(db, () => ({}))
const adapter = createSolanaAdapter(network, createSolanaRpc(network, { nowMs: Date.now, log }), log)
const parts = { db, ledger, runtime, log, adapter }
const verifySubmission = createSolanaSubmissions({ ...parts, health, feePayer: null, lenientClients: false })
const startedMs = performance.now()
await createSplitWatcher({ ...parts, network, isPayable: () => true, verifySubmission }).pass(
  new AbortController().signal,
)
const tookMs = performance.now() - startedMs
// The most that the process has held in memory since its start, as Linux counts it.
const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
process.send?.({ tookMs, memoryMb: (Number(kilobytes) * 1_024) / 1e6 })
await db.close()
