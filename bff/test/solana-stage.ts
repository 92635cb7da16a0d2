import { setMaxListeners } from 'node:events'
import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { type Runtime, type SolanaNetwork, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { createVault, type Db } from '@stablecoin-checkout/bff/testing/db'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger, loadPayment, type PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { createApp, createMerchant } from '@stablecoin-checkout/bff/testing/service'
import {
  createSolanaAdapter,
  createSolanaRpc,
  createSolanaSender,
  createSolanaSigner,
  createSolanaSubmissions,
  createSplitWatcher,
  createTransactionRequests,
  type SolanaAdapter,
} from '@stablecoin-checkout/bff/testing/solana'
import { appDefaults, everyNetworkPayable } from './app-defaults.ts'
import { silent } from './contract-stage.ts'
import { openSolana } from './devnet/solana/fixtures.ts'
import { createLeavingClients } from './leaving-clients.ts'
import { solanaNetwork } from './solana-facts.ts'
import { plainTransfers } from './solana-transfers.ts'
import { balancesOf, eventsOf, openDepositWorkers, openRefundWatcher } from './solana-workers.ts'
import { createTestDatabase } from './test-database.ts'

const publicUrl = 'https://pay.example'

type StageOptions = {
  /** How long `process` waits. By default, the client disconnects once its transaction was verified and may be verified again. */
  waitMs?: number
  waitsMax?: number
  feeBps?: number
  lenientClients?: boolean
  highValue?: SolanaNetwork['highValue']
  /** If set, wallets are offered transactions whose fee the service pays. */
  signatureGas?: SolanaNetwork['signatureGas']
  /** The nodes to call, given the URL of the true one. */
  nodes?: (truth: string) => Promise<string[]>
}

type Body = Record<string, unknown> & { payment: Record<string, unknown> & { id: PaymentId } }
export type SolanaAnswer = { status: number; body: Body }
export type SolanaStage = Awaited<ReturnType<typeof openSolanaStage>>

const order = { amount: '25.00', currency: 'USDC', network: 'solana-devnet' }

/** A local Solana, the whole application on a real file, and watchers that pass only when a test calls them. For tests. */
export async function openSolanaStage(options: StageOptions = {}) {
  const { waitsMax = 200, feeBps = 150, lenientClients = false, highValue = null, signatureGas = null, nodes } = options
  const solana = await openSolana()
  const merchantAccount = Keypair.generate()
  const merchantWallet = merchantAccount.publicKey.toBase58()
  const platformWallet = Keypair.generate().publicKey.toBase58()
  const network = solanaNetwork({
    rpcUrls: (await nodes?.(solana.rpcUrl)) ?? [solana.rpcUrl],
    platformWallet,
    genesisHash: await solana.connection.getGenesisHash(),
    highValue,
    signatureGas,
    tokens: solana.tokens,
  })
  const database = await createTestDatabase()
  const db = await database.open()
  let aheadMs = 0
  const runtime: Runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
  const networks = new Map([[network.shortName, network]])
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, { publicUrl })
  const ledger = createLedger(db, viewer.merchant)
  let asked = 0
  const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log: silent })
  const adapter = createSolanaAdapter(network, rpc, silent)
  const chain = new Proxy(adapter, {
    get(target, verb: keyof SolanaAdapter) {
      asked += 1
      return target[verb]
    },
  })
  const health = everyNetworkPayable
  const feePayer = solana.operator.publicKey.toBase58()
  const verifySubmission = createSolanaSubmissions({
    db,
    ledger,
    health,
    runtime,
    log: silent,
    adapter: chain,
    lenientClients,
    feePayer,
  })
  const stopping = new AbortController()
  const refundParts = { db, ledger, health, network, runtime, log: silent, adapter: chain, feePayer }
  const { refundsOfWallets, ...refundWatchers } = openRefundWatcher(refundParts, stopping.signal)
  const clients = createLeavingClients(options.waitMs)
  const walletPayments = {
    verifySubmission: clients.observed(verifySubmission),
    ...refundsOfWallets,
    plainSender: async (address: string, signal: AbortSignal) => ({
      address,
      afterSlot: await chain.newestSlot(signal),
    }),
    requestedTransaction: createTransactionRequests({ network, health, adapter: chain, runtime, log: silent }),
  }
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  // As in `serve.ts`: every waiting request listens to it.
  setMaxListeners(0, stopping.signal)
  const signer = createSolanaSigner(solana.operator.secretKey, new Uint8Array(32).fill(5))
  const sender = createSolanaSender(adapter, rpc)
  const ofWorkers = { ledger, network, runtime, log: silent, adapter, heads, sender, signer }
  /** A replica's workers. */
  const openWorkers = (own: Db) => openDepositWorkers({ ...ofWorkers, db: own }, chain, solana, stopping.signal)
  const workers = openWorkers(db)
  const app = createApp({
    ...appDefaults({ db, runtime }, silent),
    db,
    ledger,
    networks,
    heads,
    viewer,
    runtime,
    vault,
    feeBps,
    solanaOwner: (terms) => signer.ownerOf(terms).toBase58(),
    lenientClients,
    publicUrl,
    contracts: {
      splitters: everyNetworkPayable,
      chains: new Map([[network.shortName, walletPayments]]),
      windowMs: 1_800_000,
      waitMs: clients.waitMs,
      waitsMax,
      stopping: stopping.signal,
    },
  })
  const wallets = new Map([[network.shortName, merchantWallet]])
  const merchant = await createMerchant(
    { db, networks, runtime, vault },
    { name: 'Corner Coffee', wallets, webhookSecret: 'whsec_a' },
  )
  const newSplitWatcher = (own: SolanaAdapter = chain) =>
    createSplitWatcher({ ...ofWorkers, db, isPayable: () => true, adapter: own, verifySubmission })
  let splitWatcher = newSplitWatcher()

  async function ask(path: string, init: RequestInit = {}): Promise<SolanaAnswer> {
    const headers = { 'Content-Type': 'application/json', 'X-Public-Key': merchant.publicKey, ...init.headers }
    const response = await app.request(`/api/v1${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as Body }
  }

  const post = (path: string, body: unknown, key = merchant.publicKey) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-Public-Key': key } })

  /** Requests the transaction and signs the returned bytes, as a wallet does. */
  async function handOut(id: string, account: Keypair = solana.customer, more: object = {}): Promise<Transaction> {
    const asked = { account: account.publicKey.toBase58(), ...more }
    const { status, body } = await post(`/payments/solana-pay/${id}`, asked)
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
    return Transaction.from(Buffer.from(String(body['transaction']), 'base64'))
  }

  return {
    solana,
    app,
    db,
    adapter,
    ledger,
    merchant,
    network,
    merchantWallet,
    merchantAccount,
    platformWallet,
    ask,
    post,
    handOut,
    createAnswer: (more: object = {}, key = merchant.publicKey) => post('/payments/create', { ...order, ...more }, key),
    async create(more: object = {}) {
      const { status, body } = await this.createAnswer({ orderId: systemRuntime.newUuid(), ...more })
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
      return body.payment
    },
    /** The customer's wallet pays. On return, it is in a block without votes. */
    async pay(id: string, more: object = {}): Promise<string> {
      const transaction = await handOut(id, solana.customer, more)
      transaction.sign(solana.customer)
      return await solana.connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' })
    },
    process: (id: string, transactionHash: string, more: object = {}) =>
      clients.ask(id, (signal) => {
        const body = JSON.stringify({ paymentId: id, network: 'solana-devnet', transactionHash, ...more })
        return ask('/payments/process', { method: 'POST', body, signal })
      }),
    async createDeposit(more: object = {}) {
      const { status, body } = await post('/deposits/create', { ...order, orderId: systemRuntime.newUuid(), ...more })
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
      return body.payment as SolanaAnswer['body']['payment'] & { depositAddress: string; clientSecret: string }
    },
    /** Runs the deposit workers, and makes the blocks that finalize their transactions. */
    work: workers.work,
    openWorkers,
    /** Two transfers without a reference, or one if there is no fee, as older clients send them. */
    async sendPlain(shares: { merchant: bigint; platform: bigint }, from: Keypair = solana.customer): Promise<string> {
      const recipients = [[merchantWallet, shares.merchant] as const, [platformWallet, shares.platform] as const]
      const instructions = plainTransfers(from.publicKey, network.tokens[0]?.address ?? '', recipients)
      return await solana.send(instructions, from)
    },
    /** One pass of the deposit watcher. */
    watch: workers.watch,
    /** One pass of the payouts. */
    payout: workers.payout,
    /** One pass of the late scan. */
    scanLate: workers.scanLate,
    ...refundWatchers,
    find: async () => await splitWatcher.pass(stopping.signal),
    /** Number of calls to the chain since the start. */
    calls: () => asked,
    /** A restarted watcher, which knows only what is stored. */
    restartSplitWatcher(changed?: Partial<SolanaAdapter>) {
      splitWatcher = newSplitWatcher(changed ? { ...adapter, ...changed } : chain)
    },
    stored: async (id: PaymentId) => await db.read((tx) => loadPayment(tx, id)),
    /** The types of the payment's events, in order. */
    events: (id: PaymentId) => eventsOf(db, id),
    balances: (mint = network.tokens[0]?.address ?? '') =>
      balancesOf(chain, mint, [merchantWallet, platformWallet], stopping.signal),
    later(ms: number) {
      aheadMs += ms
    },
    mint: () => new PublicKey(network.tokens[0]?.address ?? ''),
    async close() {
      stopping.abort()
      await db.close()
      await solana.stop()
      await database.drop()
    },
  }
}
