import { setMaxListeners } from 'node:events'
import { createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { type Runtime, type SolanaNetwork, silentLog } from '@stablecoin-checkout/bff/testing/core'
import type { createVault, Db } from '@stablecoin-checkout/bff/testing/db'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import { createApp } from '@stablecoin-checkout/bff/testing/service'
import {
  createDepositWatcher,
  createSolanaAdapter,
  createSolanaAuthorizer,
  createSolanaRpc,
  createSolanaSender,
  createSolanaSubmissions,
  createSolanaSweeper,
  type SolanaSigner,
} from '@stablecoin-checkout/bff/testing/solana'
import { appDefaults, everyNetworkPayable } from '../../app-defaults.ts'

const feeBps = 150
const log = silentLog

type Parts = {
  db: Db
  network: SolanaNetwork
  runtime: Runtime
  vault: ReturnType<typeof createVault>
  signer: SolanaSigner
}

/** One process of the service as `serve` connects it, whose workers run only on command. */
export function openSolanaService({ db, network, runtime, vault, signer }: Parts) {
  const networks = new Map([[network.shortName, network]])
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads)
  const ledger = createLedger(db, viewer.merchant)
  const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log })
  const adapter = createSolanaAdapter(network, rpc, log)
  const sender = createSolanaSender(adapter, rpc)
  const parts = { db, ledger, network, runtime, log, adapter, heads, sender, signer }
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const { signatureGas } = network
  const authorizer =
    signatureGas &&
    createSolanaAuthorizer({
      network: { ...network, signatureGas },
      sender,
      signer,
      nowMs: runtime.nowMs,
      wake: () => undefined,
    })
  const feePayer = signer.feePayer.toBase58()
  const verifySubmission = createSolanaSubmissions({
    ...parts,
    feePayer,
    lenientClients: false,
    health: everyNetworkPayable,
  })
  const chains = new Map(authorizer ? [[network.shortName, { verifySubmission, authorizer }]] : [])
  const app = createApp({
    ...appDefaults({ db, runtime }, log),
    db,
    ledger,
    networks,
    heads,
    viewer,
    runtime,
    vault,
    feeBps,
    solanaOwner: (terms) => signer.ownerOf(terms).toBase58(),
    contracts: {
      splitters: everyNetworkPayable,
      chains,
      windowMs: 1_800_000,
      waitMs: 0,
      waitsMax: 10,
      stopping: stopping.signal,
    },
  })
  const watcher = createDepositWatcher(parts)
  const sweeper = createSolanaSweeper(parts)
  return {
    app,
    stop: () => stopping.abort(),
    pass: { watcher: () => watcher.pass(stopping.signal), sweeper: () => sweeper.pass(stopping.signal) },
  }
}
