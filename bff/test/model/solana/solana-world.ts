import { setMaxListeners } from 'node:events'
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { createSolanaNode } from '../../../../demo/devnet/solana/node.ts'
import { makeTestTokens, mintTestTokens } from '../../../../demo/devnet/solana/tokens.ts'
import { createApp } from '../../../src/app.ts'
import { createHeads } from '../../../src/chain/chain-adapter.ts'
import { tokenAccountOf } from '../../../src/chain/solana/associated-token-account.ts'
import { createSolanaSender } from '../../../src/chain/solana/payout/solana-sender.ts'
import { createSolanaSweeper } from '../../../src/chain/solana/payout/solana-sweeper.ts'
import { createSolanaAdapter } from '../../../src/chain/solana/rpc/solana-adapter.ts'
import { createSolanaRpc } from '../../../src/chain/solana/rpc/solana-rpc.ts'
import { createSolanaSigner } from '../../../src/chain/solana/signer/solana-signer.ts'
import { createDepositWatcher } from '../../../src/chain/solana/watch/deposit-watcher.ts'
import { createPaymentViewer } from '../../../src/checkout/read/payment-view.ts'
import type { SolanaNetwork } from '../../../src/core/families.ts'
import { silentLog } from '../../../src/core/log.ts'
import { sql, type Unit } from '../../../src/db/db.ts'
import { createApiErrors } from '../../../src/http/api-errors.ts'
import { createMerchant } from '../../../src/merchant/accounts.ts'
import { createVault } from '../../../src/merchant/vault.ts'
import { createLedger } from '../../../src/payment/ledger.ts'
import type { PaymentId } from '../../../src/payment/payment.ts'
import { createGasBalances } from '../../../src/payout/gas-balances.ts'
import { createRates } from '../../../src/rates/rates.ts'
import { everyNetworkPayable, noElementFiles, noRateLimits, noSystem } from '../../app-defaults.ts'
import { createTestDatabase } from '../../test-database.ts'
import { type Crash, CrashError, crashingDatabase } from '../service/crashing-database.ts'
import { seededRuntime } from '../service/seeded-runtime.ts'
import { modelFetch, serveNodes } from '../service/served-nodes.ts'
import { createLyingSolanaNode, type SolanaFault } from './solana-node.ts'

const feeBps = 150
const startMs = Date.parse('2026-11-21T12:00:00Z')
const keypair = (number: number) => Keypair.fromSeed(new Uint8Array(32).fill(number))
const [customer, operator, tokenOwner] = [keypair(1), keypair(2), keypair(3)]
const merchantWallet = keypair(4).publicKey.toBase58()
const platformWallet = keypair(5).publicKey.toBase58()
/** Two token accounts and a thousand sweeps, as `doctor` counts. */
const lamportsKept = 56_000_000
const depths = { confirmed: 1, finalized: 4 }

export type SolanaPayment = {
  id: PaymentId
  address: string
  due: bigint
  clientSecret: string
  refundTo: string | null
  /** Base units that its refund address had before. */
  before: bigint
  /** All that was paid to its address. */
  paidIn: bigint
}

export type SolanaSettings = { latePayments: 'report' | 'accept' }
export type SolanaWorld = Awaited<ReturnType<typeof openSolanaWorld>>

/** Takes all else from the fee payer. */
async function keepLamports(connection: Connection): Promise<void> {
  const spare = (await connection.getBalance(operator.publicKey)) - lamportsKept
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const away = new Transaction({ feePayer: operator.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: operator.publicKey, toPubkey: customer.publicKey, lamports: spare }),
  )
  away.sign(operator)
  await connection.sendRawTransaction(away.serialize(), { skipPreflight: true })
}

/** The service with one network of Solana on a real file, before a chain, nodes and a clock of the model's own. */
export async function openSolanaWorld(settings: SolanaSettings) {
  let nowMs = startMs
  const node = createSolanaNode({ slotMs: null, depths, nowMs: () => nowMs })
  const nodes = [createLyingSolanaNode(node), createLyingSolanaNode(node)]
  const served = serveNodes(nodes)
  const connection = new Connection(served.urls[0] ?? '', { commitment: 'processed', fetch: modelFetch as never })
  const people = { tokenOwner, customer: customer.publicKey, operator: operator.publicKey }
  const tokens = await makeTestTokens(connection, people)
  const control = (method: string, ...params: unknown[]) =>
    void node.answer({ id: 1, method: `devnet_${method}`, params })
  await keepLamports(connection)
  control('advance', depths.finalized)

  const network: SolanaNetwork = {
    ...{ shortName: 'solana-devnet', name: 'Solana devnet', family: 'solana', chainId: 103, isTestnet: true },
    ...{ rpcUrls: served.urls, confirmations: 32, highValue: null, signatureGas: null, pollMs: 50, explorerUrl: null },
    platformWallet,
    genesisHash: await connection.getGenesisHash(),
    tokens: (['USDC', 'USDT'] as const).map((symbol) => ({
      ...{ symbol, name: symbol, ...tokens[symbol], permit: null, authorization: null },
    })),
  }
  const mint = tokens.USDC.address
  const runtime = seededRuntime(() => nowMs)
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const database = crashingDatabase(await createTestDatabase())
  await database.open()
  const { db } = database
  const networks = new Map([[network.shortName, network]])
  const signer = createSolanaSigner(operator.secretKey, new Uint8Array(32).fill(5))
  const log = silentLog
  const merchant = await createMerchant(
    { db, networks, runtime, vault },
    { name: 'Corner Coffee', wallets: new Map([[network.shortName, merchantWallet]]), webhookSecret: 'whsec_a' },
  )
  await db.write((tx) => tx.run(sql`update merchants set late_payments = ${settings.latePayments}`))

  function open() {
    const heads = createHeads()
    const viewer = createPaymentViewer(networks, heads)
    const ledger = createLedger(db, viewer.merchant)
    const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log })
    const adapter = createSolanaAdapter(network, rpc, log)
    const sender = createSolanaSender(adapter, rpc)
    const parts = { db, ledger, network, runtime, log, adapter, heads, sender, signer }
    const stopping = new AbortController()
    setMaxListeners(0, stopping.signal)
    const app = createApp({
      ...{ db, ledger, networks, heads, viewer, runtime, vault, log, feeBps, health: everyNetworkPayable },
      ...{ gasBalances: createGasBalances(), limits: noRateLimits, bridges: null, lenientClients: false },
      solanaOwner: (terms) => signer.ownerOf(terms).toBase58(),
      ...{ operator: null, webhookTargets: 'any', elementFiles: noElementFiles, dashboardFiles: new Map() },
      ...{ isSignedBy: async () => false, system: noSystem, observe: () => undefined, publicUrl: null },
      isReady: () => ({ isReady: true, reasons: [] }),
      walletconnectProjectId: null,
      trustedProxies: [],
      apiErrors: createApiErrors({ db, nowMs: runtime.nowMs, log }),
      readRates: createRates({ kind: 'parity' }, { runtime, log }),
      contracts: {
        ...{ splitters: everyNetworkPayable, chains: new Map(), windowMs: 1_800_000, waitMs: 0, waitsMax: 10 },
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
  let service = open()

  async function restart(): Promise<void> {
    service.stop()
    await database.reopen()
    service = open()
  }

  async function post(path: string, body: unknown, isPublic = false) {
    const keys = isPublic
      ? { 'X-Public-Key': merchant.publicKey }
      : { 'X-API-Key': merchant.apiKey, 'X-API-Secret': merchant.apiSecret }
    const response = await service.app.request(`/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keys },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') as never }
  }

  const payments: SolanaPayment[] = []
  let orders = 0
  const at = (index: number) => payments[index % Math.max(1, payments.length)]
  const create = (isPublic: boolean) => {
    orders += 1
    const order = { amount: '25.00', currency: 'USDC', network: network.shortName, orderId: `o${orders}` }
    return post('/deposits/create', order, isPublic)
  }

  return {
    payments,
    network,
    runtime,
    merchant,
    mint,
    db: () => db,
    read: <T>(unit: Unit<T>) => db.read(unit),
    async create(): Promise<void> {
      const { status, body } = await create(false)
      if (status !== 200) return
      type Created = { id: PaymentId; depositAddress: string; clientSecret: string }
      const { id, depositAddress: address, clientSecret } = (body as { payment: Created }).payment
      const money = { due: 25_000_000n, refundTo: null, before: 0n, paidIn: 0n }
      payments.push({ id, address, clientSecret, ...money })
    },
    /** Somebody with the public key, who pays nothing. */
    async flood(creates: number): Promise<void> {
      for (let made = 0; made < creates; made += 1) await create(true)
    },
    async pay(index: number, amount: bigint): Promise<void> {
      const payment = at(index)
      if (!payment) return
      await mintTestTokens(connection, tokenOwner, { mint, to: payment.address, amount })
      payment.paidIn += amount
    },
    advance: (blocks: number) => control('advance', blocks),
    wait(seconds: number): void {
      nowMs += seconds * 1_000
      control('advance', 1)
    },
    async requestRefund(index: number, byMerchant: boolean): Promise<void> {
      const payment = at(index)
      if (!payment || payment.refundTo !== null) return
      const to = keypair(100 + payments.indexOf(payment)).publicKey.toBase58()
      // Who has no token account yet is paid by his own.
      if (payment.before === 0n) await mintTestTokens(connection, tokenOwner, { mint, to, amount: 1n })
      payment.before = 1n
      control('advance', depths.finalized)
      const { clientSecret } = payment
      // The merchant returns the whole of what came late; the customer asks for what is owed.
      const asked = byMerchant ? { address: to } : { address: to, clientSecret }
      const { status } = await post(`/deposits/refund-request/${payment.id}`, asked, !byMerchant)
      if (status === 200) payment.refundTo = to
    },
    acceptLate: async (index: number) => {
      const payment = at(index)
      if (payment) await post(`/payments/${payment.id}/accept-late`, {})
    },
    restart,
    async pass(
      worker: 'watcher' | 'sweeper',
      faults: readonly SolanaFault[],
      dies?: Crash,
    ): Promise<'done' | 'more' | 'crash' | Error> {
      for (const [place, one] of nodes.entries()) one.tell(faults[place] ?? { type: 'none' })
      database.die(dies)
      try {
        return (await service.pass[worker]()) ? 'more' : 'done'
      } catch (error) {
        if (!database.isDead() && !(error instanceof CrashError)) return error as Error
        await restart()
        return 'crash'
      } finally {
        database.die(undefined)
        for (const one of nodes) one.tell({ type: 'none' })
      }
    },
    /** Base units of the token that the wallet's account has, in the newest block. */
    async balanceOf(owner: string): Promise<bigint> {
      const info = await connection.getAccountInfo(new PublicKey(tokenAccountOf(mint, owner)), 'processed')
      return info === null ? 0n : info.data.readBigUInt64LE(64)
    },
    wallets: { merchant: merchantWallet, platform: platformWallet },
    async end(): Promise<void> {
      service.stop()
      await database.close()
      served.close()
      node.stop()
    },
  }
}
