import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { openSolana } from '../../../demo/devnet/solana/fixtures.ts'
import { createApp } from '../app.ts'
import { createHeads } from '../chain/adapter.ts'
import { everyNetworkPayable } from '../chain/network-health.ts'
import type { SolanaNetwork } from '../chain/networks.ts'
import { tokenAccountOf } from '../chain/solana-split-call.ts'
import { createSolanaSplitChain, type SolanaSplitChain } from '../chain/solana-split-chain.ts'
import { noElementFiles } from '../checkout-page/element-files.ts'
import { sql } from '../db/db.ts'
import { openDb } from '../db/open.ts'
import { noRateLimits } from '../http/rate-limit.ts'
import { createMerchant } from '../merchant/create.ts'
import { createVault } from '../merchant/vault.ts'
import { createLedger } from '../payment/apply.ts'
import type { PaymentId } from '../payment/payment.ts'
import { loadPayment } from '../payment/payment-store.ts'
import { createPaymentViewer } from '../payment/view.ts'
import { createRates } from '../rates/rates.ts'
import { type Runtime, systemRuntime } from '../runtime.ts'
import { createGasTanks } from '../settlement/gas-tanks.ts'
import { silent } from './fixtures.ts'
import { createSolanaFinder } from './solana-finder.ts'
import { createSolanaLook } from './solana-look.ts'

const publicUrl = 'https://pay.example'

type Body = Record<string, unknown> & { payment: Record<string, unknown> & { id: PaymentId } }
export type SolanaAnswer = { status: number; body: Body }
export type SolanaStage = Awaited<ReturnType<typeof openSolanaStage>>

/** A local Solana, the whole application on a real file, and a finder that looks when it is told. For tests. */
export async function openSolanaStage({ waitMs = 3_000, waitsMax = 60 } = {}) {
  const solana = await openSolana()
  const [merchantWallet, platformWallet] = [
    Keypair.generate().publicKey.toBase58(),
    Keypair.generate().publicKey.toBase58(),
  ]
  const network: SolanaNetwork = {
    ...{ shortName: 'solana-devnet', name: 'Solana devnet', family: 'solana', chainId: 103, isTestnet: true },
    ...{ rpcUrls: [solana.rpcUrl], confirmations: 32, highValue: null, pollMs: 50, explorerUrl: null, platformWallet },
    genesisHash: await solana.connection.getGenesisHash(),
    tokens: (['USDC', 'USDT'] as const).map((symbol) => ({
      ...{ symbol, name: symbol, ...solana.tokens[symbol], permit: null, authorization: null },
    })),
  }
  const folder = mkdtempSync(join(tmpdir(), 'solana-payment-'))
  const db = openDb(join(folder, 'checkout.sqlite'))
  let aheadMs = 0
  const runtime: Runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
  const networks = new Map([[network.shortName, network]])
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, { publicUrl })
  const ledger = createLedger(db, viewer.merchant)
  let asked = 0
  const chain = new Proxy(createSolanaSplitChain(network), {
    get(target, verb: keyof SolanaSplitChain) {
      asked += 1
      return target[verb]
    },
  })
  const solanaChains = new Map([[network.shortName, chain]])
  const health = everyNetworkPayable
  const lookAtSolana = createSolanaLook({ db, ledger, health, runtime, chains: solanaChains })
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const stopping = new AbortController()
  const app = createApp({
    ...{ db, ledger, networks, heads, viewer, runtime, vault, health, log: silent, feeBps: 150 },
    gasTanks: createGasTanks(),
    ...{ solanaOwner: null, operator: null, limits: noRateLimits, lenientClients: false, webhookTargets: 'any' },
    ...{
      elementFiles: noElementFiles,
      isReady: () => ({ isReady: true, reasons: [] }),
      observe: () => undefined,
      bridges: null,
      publicUrl,
      trustedProxies: [],
    },
    readRates: createRates({ kind: 'parity' }, { runtime, log: silent }),
    contracts: {
      ...{ splitters: everyNetworkPayable, chains: new Map(), windowMs: 1_800_000, waitsMax },
      ...{ solanaChains, lookAtSolana, waitMs, stopping: stopping.signal },
    },
  })
  const wallets = new Map([[network.shortName, merchantWallet]])
  const merchant = await createMerchant(
    { db, networks, runtime, vault },
    { name: 'Corner Coffee', wallets, webhookSecret: 'whsec_a' },
  )
  const newFinder = () =>
    createSolanaFinder({ db, ledger, network, isPayable: () => true, chain, look: lookAtSolana, runtime, log: silent })
  let finder = newFinder()

  async function ask(path: string, init: RequestInit = {}): Promise<SolanaAnswer> {
    const headers = { 'Content-Type': 'application/json', 'X-Public-Key': merchant.publicKey, ...init.headers }
    const response = await app.request(`/api/v1${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as Body }
  }

  const post = (path: string, body: unknown, key = merchant.publicKey) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-Public-Key': key } })

  /** As a wallet does: asks for the transaction, and signs the bytes that it gets. */
  async function handOut(id: string, account: Keypair = solana.customer): Promise<Transaction> {
    const { status, body } = await post(`/payments/solana-pay/${id}`, { account: account.publicKey.toBase58() })
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
    return Transaction.from(Buffer.from(String(body['transaction']), 'base64'))
  }

  return {
    ...{ solana, app, db, ledger, merchant, network, merchantWallet, platformWallet, ask, post, handOut },
    createAnswer: (more: object = {}, key = merchant.publicKey) =>
      post('/payments/create', { amount: '25.00', currency: 'USDC', network: 'solana-devnet', ...more }, key),
    async create(more: object = {}) {
      const { status, body } = await this.createAnswer({ orderId: systemRuntime.newUuid(), ...more })
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
      return body.payment
    },
    /** The customer's wallet pays; it is in a block when this returns, which nothing has voted for yet. */
    async pay(id: string): Promise<string> {
      const transaction = await handOut(id)
      transaction.sign(solana.customer)
      const bytes = transaction.serialize()
      return await solana.connection.sendRawTransaction(bytes, { preflightCommitment: 'processed' })
    },
    process: (id: string, transactionHash: string, more: object = {}) =>
      post('/payments/process', { paymentId: id, network: 'solana-devnet', transactionHash, ...more }),
    find: async () => await finder.pass(stopping.signal),
    /** What another start of the service knows: only what is stored. */
    /** How often the chain was asked since the start. */
    calls: () => asked,
    restartFinder() {
      finder = newFinder()
    },
    stored: async (id: PaymentId) => await db.read((tx) => loadPayment(tx, id)),
    /** What the merchant is told of it, in order. */
    async events(id: PaymentId): Promise<string[]> {
      const query = sql`select type from events where payment_id = ${id} order by number`
      return (await db.read((tx) => tx.all<{ type: string }>(query))).map(({ type }) => type)
    },
    /** Base units that both hold. */
    async balances(mint = network.tokens[0]?.address ?? '') {
      const accounts = [merchantWallet, platformWallet].map((owner) => tokenAccountOf(mint, owner))
      const [ours, platform] = await chain.balances(accounts)
      return { merchant: ours ?? 0n, platform: platform ?? 0n }
    },
    later(ms: number) {
      aheadMs += ms
    },
    mint: () => new PublicKey(network.tokens[0]?.address ?? ''),
    async close() {
      stopping.abort()
      await db.close()
      await solana.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
