import { setMaxListeners } from 'node:events'
import { createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { type EvmNetwork, type Runtime, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { createVault, type Db } from '@stablecoin-checkout/bff/testing/db'
import {
  type contractCall,
  createEvmAdapter,
  createEvmSubmissions,
  createHoldingsReader,
  createNonceReader,
  createPromptCheck,
  createRefundVerification,
  createWatcher,
  type EvmAdapter,
  isSignedByWallet,
} from '@stablecoin-checkout/bff/testing/evm'
import { createGasBalances, createHeads, type NetworkHealth } from '@stablecoin-checkout/bff/testing/network'
import { createLedger, loadPayment, type Payment, type PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { type AppDeps, createApp, createMerchant } from '@stablecoin-checkout/bff/testing/service'
import type { Hex } from 'viem'
import { appDefaults, everyNetworkPayable } from './app-defaults.ts'
import { openContractChain } from './contract-chain.ts'
import { receiptOf } from './devnet/receipt.ts'
import { devnetFacts } from './devnet-facts.ts'
import { createLeavingClients } from './leaving-clients.ts'
import { openSignatureParts } from './signature-parts.ts'
import { createTestDatabase } from './test-database.ts'

export const silent = { debug() {}, info() {}, warn() {}, error() {} }
/** Maximum passes for catching up before it counts as stuck. */
const passesMax = 40
const circle = { name: 'USD Coin', version: '2' }
export const confirmations = 3
/** Of 25.00 with a fee of 1.5 %, rounded down. */
export const shares = { merchant: 24_625_000n, platform: 375_000n }

type ContractCall = ReturnType<typeof contractCall>

export type Created = Record<string, unknown> & { id: PaymentId; contractCall: ContractCall; merchantWallet: Hex }
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { payment: Created } }
type Changes = {
  chainId?: number
  /** How long `process` waits. By default, the client disconnects once its transaction was verified and may be verified again. */
  waitMs?: number
  waitsMax?: number
  adapter?: Partial<EvmAdapter>
  health?: NetworkHealth
  highValue?: EvmNetwork['highValue']
  feeBps?: number
  /** Absent: paying by signature is not offered. */
  signatureGas?: EvmNetwork['signatureGas']
  l1FeeOracle?: string
  deposits?: EvmNetwork['deposits']
  /** The account that the merchant gives instead of a wallet, where deposits use the merchant's own addresses. */
  account?: string
  dashboardFiles?: AppDeps['dashboardFiles']
  /** Registry of virtual addresses, which this chain lacks. */
  readMaster?: AppDeps['readMaster']
  runtime?: Runtime
}

/** The dashboard's reads of a chain. Wallets with a key are verified by their signature. */
function dashboardDeps({ tokens }: EvmNetwork, adapter: EvmAdapter, { dashboardFiles, readMaster }: Changes) {
  const readHoldings = createHoldingsReader(tokens, adapter)
  return {
    ...(dashboardFiles && { dashboardFiles }),
    ...(readMaster && { readMaster }),
    isSignedBy: ((_, signed, signal) =>
      isSignedByWallet({ ask: async () => ({ answer: '0x' }) }, signed, signal)) satisfies AppDeps['isSignedBy'],
    readHoldings: ((_, addresses, signal) => readHoldings(addresses, signal)) satisfies AppDeps['readHoldings'],
  }
}

export type ContractStage = Awaited<ReturnType<typeof openContractStage>>

function openWalletPayments(
  parts: Parameters<typeof createEvmSubmissions>[0] &
    Parameters<typeof createPromptCheck>[0] &
    Parameters<typeof createNonceReader>[0],
  { observed }: ReturnType<typeof createLeavingClients>,
) {
  return {
    verifySubmission: observed(createEvmSubmissions(parts)),
    verifyRefund: createRefundVerification(parts),
    isPromptOver: createPromptCheck(parts),
    nonceOf: createNonceReader(parts),
  }
}

/**
 * A real chain with the real contracts, the whole application on a real file, and a watcher that passes only when a test calls
 * it. For tests.
 */
export async function openContractStage({ chainId = 31_337, waitsMax = 200, feeBps = 150, ...changes }: Changes = {}) {
  const opened = await openContractChain(chainId)
  const { chain, owner, operator: relayer, customer, tokens, rpcUrl } = opened
  const network: EvmNetwork = {
    ...devnetFacts,
    chainId,
    rpcUrls: [rpcUrl],
    publicRpcUrls: ['https://rpc.example'],
    pollMs: 50,
    highValue: changes.highValue ?? null,
    signatureGas: changes.signatureGas ?? null,
    ...(changes.l1FeeOracle && { l1FeeOracle: changes.l1FeeOracle }),
    ...(changes.deposits && { deposits: changes.deposits }),
    platformWallet: opened.platform,
    tokens: [
      { symbol: 'USDC', currency: 'USD', name: 'USD Coin', ...tokens.USDC, permit: circle, authorization: circle },
      { symbol: 'USDT', currency: 'USD', name: 'Tether USD', ...tokens.USDT, permit: null, authorization: 'permit2' },
    ],
  }
  const database = await createTestDatabase()
  const db = await database.open()
  const runtime = changes.runtime ?? systemRuntime
  const networks = new Map([['devnet', network]])
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads)
  const ledger = createLedger(db, viewer.merchant)
  const evm = createEvmAdapter(network, { nowMs: runtime.nowMs, log: silent })
  const adapter = { ...evm, ...changes.adapter }
  const watcherDeps = { db, ledger, heads, runtime, log: silent }
  const watcher = createWatcher({ ...watcherDeps, adapter, network })
  const health = changes.health ?? everyNetworkPayable
  const stopping = new AbortController()
  // As in `serve.ts`: every waiting request listens to it.
  setMaxListeners(0, stopping.signal)
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const clients = createLeavingClients(changes.waitMs)
  const gasBalances = createGasBalances()
  const signatureDeps = { db, ledger, runtime, operatorKey: opened.keys.operator, gasBalances }
  const signatures = openSignatureParts({ ...signatureDeps, network })
  /** The HTTP side, on its own connection to the database. */
  function openApp(db: Db, network: EvmNetwork, { authorizer }: Pick<typeof signatures, 'authorizer'>) {
    const ledger = createLedger(db, viewer.merchant)
    const networks = new Map([['devnet', network]])
    const walletPayments = openWalletPayments({ db, ledger, health, network, adapter, runtime }, clients)
    return createApp({
      ...appDefaults({ db, runtime }, silent),
      ...dashboardDeps(network, adapter, changes),
      db,
      ledger,
      networks,
      heads,
      viewer,
      runtime,
      vault,
      feeBps,
      health,
      operator: owner.address,
      gasBalances,
      contracts: {
        splitters: everyNetworkPayable,
        chains: new Map([['devnet', { ...walletPayments, ...(authorizer && { authorizer }) }]]),
        windowMs: 1_800_000,
        waitMs: clients.waitMs,
        waitsMax,
        stopping: stopping.signal,
      },
    })
  }
  const app = openApp(db, network, signatures)
  const wallets = new Map([['devnet', changes.account ?? (opened.merchant as string)]])
  const openMerchant = (name: string) =>
    createMerchant({ db, networks, runtime, vault }, { name, wallets, webhookSecret: 'whsec_a' })
  const merchant = await openMerchant('Corner Coffee')

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json', 'X-Public-Key': merchant.publicKey, ...init.headers }
    const response = await app.request(path, { ...init, headers })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    ask(path, { ...init, method: 'POST', body: JSON.stringify(body) })

  /** Sends a call and waits until it is mined, whether it succeeds or not. */
  async function send({ to, data }: { to: string; data: Hex }, account = customer) {
    const hash = await chain.sendTransaction({ account, to: to as Hex, data, gas: 600_000n })
    return await receiptOf(chain, hash)
  }

  return {
    app,
    fetch: async (path: string, init: RequestInit = {}) => await app.request(path, init),
    deps: { db, runtime },
    chain,
    evm,
    db,
    ledger,
    network,
    networks,
    viewer,
    merchant,
    openMerchant,
    customer,
    relayer,
    tokenOwner: owner,
    stopping,
    ask,
    post,
    send,
    signatures,
    wallets: { merchant: opened.merchant, platform: opened.platform },
    merchantAccount: opened.merchantAccount,

    async create(order: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Created> {
      const body = { amount: '25.00', currency: 'USDC', network: 'devnet', ...order }
      const answer = await post('/api/v1/payments/create', body, {
        headers: { 'Idempotency-Key': runtime.newUuid(), ...headers },
      })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body.payment
    },

    /** Pays as a wallet does, using only the create response. */
    async pay({ contractCall }: Created, how: 'plain' | 'before' = 'before', account = customer) {
      const { approval, contractAddress, data, before } = contractCall
      await send({ to: approval.to, data: approval.data }, account)
      return await send({ to: contractAddress, data: how === 'plain' ? data : before.data }, account)
    },

    /** A second replica on the same database. */
    async openReplica() {
      const other = await database.open()
      const replica = openApp(other, network, signatures)
      return {
        process: async (id: string, transactionHash: string) =>
          await replica.request('/api/v1/payments/process', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'X-Public-Key': merchant.publicKey },
            body: JSON.stringify({ paymentId: id, network: 'devnet', transactionHash }),
          }),
        close: () => other.close(),
      }
    },

    process: (id: string, transactionHash: string, init: RequestInit = {}, more: object = {}) =>
      clients.ask(id, (signal) => {
        const body = { paymentId: id, network: 'devnet', transactionHash, ...more }
        return post('/api/v1/payments/process', body, { ...init, signal })
      }),

    /** The application of the same service, restarted with another configuration. */
    restartedApp(changed: Partial<EvmNetwork>) {
      const other = { ...network, ...changed }
      return openApp(db, other, openSignatureParts({ ...signatureDeps, network: other }))
    },

    /** A watcher of the same service with another configuration. */
    otherWatcher(changed: Partial<EvmNetwork>, more: Partial<Parameters<typeof createWatcher>[0]> = {}) {
      const other = { ...network, ...changed }
      const otherAdapter = createEvmAdapter(other, { nowMs: runtime.nowMs, log: silent })
      return createWatcher({ ...watcherDeps, adapter: otherAdapter, network: other, ...more })
    },

    /** One pass of the watcher. */
    pass: () => watcher.pass(new AbortController().signal),

    /** Runs passes of the watcher until it has read the newest block. */
    async watch(): Promise<void> {
      const signal = new AbortController().signal
      for (let passes = 0; passes < passesMax; passes++) {
        const head = await chain.getBlockNumber()
        await watcher.pass(signal)
        if ((heads.get('devnet')?.number ?? -1) >= Number(head)) return
      }
      throw new Error('The watcher does not catch up')
    },

    async load(id: PaymentId): Promise<Payment> {
      const payment = await db.read((tx) => loadPayment(tx, id))
      if (!payment) throw new Error(`There is no payment ${id}`)
      return payment
    },

    status: async (id: string) => (await ask(`/api/v1/payments/${id}/status`)).body.payment,

    balanceOf: opened.balanceOf,
    reorg: opened.reorg,

    async close() {
      stopping.abort()
      await db.close()
      await database.drop()
      await opened.stop()
    },
  }
}
