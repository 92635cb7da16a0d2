import { factoryAddress } from '@stablecoin-checkout/bff/contracts'
import type { EvmNetwork } from '@stablecoin-checkout/bff/testing/core'
import { createVault, sql, type Unit } from '@stablecoin-checkout/bff/testing/db'
import { createMerchant, setWallets } from '@stablecoin-checkout/bff/testing/service'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnetFacts } from '../../devnet-facts.ts'
import { createTestDatabase } from '../../test-database.ts'
import { chainId, type Rules, tokenDomain } from './contracts.ts'
import type { Crash } from './crashing-database.ts'
import { type DepositKind, payerOf, walletNamed } from './deposit-kinds.ts'
import { type Arrangement, createEvmChain, gwei } from './evm-chain.ts'
import { createEvmNode, type NodeFault } from './evm-node.ts'
import { openProcesses } from './processes.ts'
import { seededRuntime } from './seeded-runtime.ts'
import { serveNodes } from './served-nodes.ts'
import { openService, type WorkerName, workerNames } from './service.ts'
import { runSplitter, splitter } from './splitter.ts'

const confirmations = 6
/** No reorg removes a confirmed block: what is final stays. */
export const reorgMax = confirmations - 1
const feeBps = 150

const startMs = Date.parse('2026-11-21T12:00:00Z')
export const keyOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const accounts = [11, 12, 13].map((number) => privateKeyToAccount(keyOf(number)))
const operatorKey = keyOf(21)
const operator = privateKeyToAccount(operatorKey).address
export const merchantWallet = privateKeyToAccount(keyOf(22)).address
export const platformWallet = privateKeyToAccount(keyOf(23)).address
export const stranger = privateKeyToAccount(keyOf(24)).address
export const relay = privateKeyToAccount(keyOf(25)).address
/** A wallet from which the merchant pays refunds, and which the service does not know. */
export const exchange = privateKeyToAccount(keyOf(26)).address

/** The configured tokens, and the one that replaces the first. */
export const tokens = {
  usdc: '0x00000000000000000000000000000000000000C1' as Hex,
  usdt: '0x00000000000000000000000000000000000000D2' as Hex,
  newUsdc: '0x00000000000000000000000000000000000000e3' as Hex,
}
export const enough = 10n ** 15n

/** `replicas`: default 1. `deposits`: the initial kind; default forwarders. `hasBlooms`: default true. */
export type Settings = {
  toleranceBps: number
  latePayments: 'report' | 'accept'
  replicas?: 1 | 2
  deposits?: DepositKind
  hasBlooms?: boolean
}
export type Site = Awaited<ReturnType<typeof openSite>>

/** The model's network with two nodes, and the service on it: one process, and another that lost its lease. */
export async function openSite(settings: Settings) {
  const rules: Rules = {
    factory: factoryAddress as Hex,
    tokens: new Set(Object.values(tokens).map((one) => one.toLowerCase())),
    blocked: new Set<string>(),
    hasBlooms: settings.hasBlooms ?? true,
    others: new Map([[splitter.toLowerCase(), runSplitter]]),
  }
  const chain = createEvmChain(rules, startMs)
  for (const token of Object.values(tokens)) {
    const merchants = (['forwarder', 'xpub', 'virtual'] as const).map((kind) => payerOf(kind, merchantWallet))
    for (const address of [...accounts.map((one) => one.address), relay, exchange, stranger, ...merchants])
      chain.mint(token, address, enough)
  }
  chain.setCoins(operator, 10n ** 18n)
  const reorg = (depth: number, kept: number) =>
    chain.reorg(depth, reorgMax, 0, { kept, place: 'first', isReversed: false })
  let interruption = async (): Promise<void> => undefined
  const meanwhile = () => interruption()
  const nodes = [createEvmNode(chain, reorg, meanwhile), createEvmNode(chain, reorg, meanwhile)]
  const leftOut = new Map(workerNames.map((worker) => [worker, new Set<Hex>()]))
  const served = serveNodes(nodes)
  const runtime = seededRuntime(chain.nowMs)
  const vault = createVault(Buffer.alloc(32, 7), runtime)

  const token = (symbol: string, address: Hex) => ({
    symbol,
    currency: 'USD',
    name: symbol,
    address,
    decimals: 6,
    permit: null,
    authorization: symbol === 'USDC' ? tokenDomain : null,
  })
  const signatureGas = { coinPrice: '50', perPayer: 10_000, perAddress: 10_000, dailyBudget: '10000' }
  /** The service accepts signatures only for addresses that it makes. */
  const ofKind = (deposits: DepositKind) => ({ deposits, signatureGas: deposits === 'forwarder' ? signatureGas : null })
  let network: EvmNetwork = {
    ...devnetFacts,
    chainId,
    rpcUrls: served.urls,
    confirmations,
    finalityBlocks: 12,
    pollMs: 50,
    highValue: { amount: '100', confirmations: confirmations + 2 },
    ...ofKind(settings.deposits ?? 'forwarder'),
    platformWallet,
    tokens: [token('USDC', tokens.usdc), token('USDT', tokens.usdt)],
  }

  let hasChangedWallets = false
  /** The client that waits for a verification. */
  let waiting = new AbortController()
  const processes = await openProcesses(await createTestDatabase(), settings.replicas ?? 1, {
    lease: network.shortName,
    openWith: (db, workersDb) =>
      openService({
        db,
        workersDb,
        network,
        runtime,
        vault,
        operatorKey,
        feeBps,
        onVerified: () => waiting.abort(),
      }),
  })
  const { db, restart } = processes
  const networks = new Map([[network.shortName, network as EvmNetwork]])
  const merchant = await createMerchant(
    { db, networks, runtime, vault },
    {
      name: 'Corner Coffee',
      wallets: new Map([['devnet', walletNamed(network.deposits, merchantWallet)]]),
      webhookSecret: 'whsec_a',
    },
  )
  await db.write((tx) =>
    tx.run(sql`
        update merchants set tolerance_bps = ${settings.toleranceBps}, tolerance_max_micros = '1000000000',
               late_payments = ${settings.latePayments}`),
  )
  const keys = { 'X-API-Key': merchant.apiKey, 'X-API-Secret': merchant.apiSecret }
  /**
   * @param signal - The client's. Aborted: it does not wait; otherwise this machine's speed would decide whether its response
   * precedes the block.
   */
  async function post(
    path: string,
    body: unknown,
    signal = AbortSignal.abort(),
  ): Promise<{ status: number; headers: Headers; body: never }> {
    const response = await processes.atDoor().app.request(`/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keys },
      body: JSON.stringify(body),
      signal,
    })
    const text = await response.text()
    if (processes.isDeadAtDoor()) await processes.restartAtDoor()
    return { status: response.status, headers: response.headers, body: JSON.parse(text || '{}') as never }
  }

  /** Waits until the transaction in the body has been verified once. */
  function postAndWait(path: string, body: unknown) {
    waiting = new AbortController()
    return post(path, body, waiting.signal)
  }

  /** Sends requests while nodes have these faults. */
  async function withFaults<T>(faults: readonly NodeFault[], work: () => Promise<T>): Promise<T> {
    for (const [place, node] of nodes.entries()) node.tell(faults[place] ?? { type: 'none' })
    try {
      return await work()
    } finally {
      for (const node of nodes) node.tell({ type: 'none' })
    }
  }

  return {
    chain,
    withFaults,
    postAndWait,
    rules,
    runtime,
    merchant,
    post,
    read: <T>(unit: Unit<T>) => db.read(unit),
    db: () => db,
    network: () => network,
    ledger: () => processes.atDoor().ledger,
    /** Blocks or unblocks the merchant's wallet at the issuer. */
    setBlocked(isBlocked: boolean): void {
      if (isBlocked) rules.blocked.add(merchantWallet.toLowerCase())
      else rules.blocked.clear()
    },
    /** Blocks or unblocks the platform's wallet, whose shares are parked at the contracts. */
    setPlatformBlocked(isBlocked: boolean): void {
      if (isBlocked) rules.blocked.add(platformWallet.toLowerCase())
      else rules.blocked.delete(platformWallet.toLowerCase())
    },
    /** Stops or resumes all transfers at the issuer. */
    setPaused(isPaused: boolean): void {
      rules.isPaused = isPaused
    },
    /** Blocks another address at the issuer. */
    addBlocked: (address: string) => void rules.blocked.add(address.toLowerCase()),
    setGas(isEmpty: boolean): void {
      chain.setCoins(operator, isEmpty ? 0n : 1_000_000n * gwei * gwei)
    },
    /** Configures another USDC from now on. */
    async replaceToken(): Promise<void> {
      network = { ...network, tokens: [token('USDC', tokens.newUsdc), token('USDT', tokens.usdt)] }
      await processes.restartAll()
    },
    /** Configures another kind of deposit address, and another wallet of the merchant, from now on. */
    async setDeposits(deposits: 'forwarder' | 'xpub'): Promise<void> {
      if (network.deposits === 'virtual') return
      network = { ...network, ...ofKind(deposits) }
      hasChangedWallets = true
      const named = new Map([[network.shortName, walletNamed(deposits, merchantWallet)]])
      await processes.restartAll()
      await setWallets({ db, networks: new Map([[network.shortName, network]]) }, merchant.merchantId, named)
    },
    hasChangedWallets: () => hasChangedWallets,
    restart: () => restart(),
    /** Number of processes. */
    processes: processes.count,
    setDoor: processes.setDoor,
    takeOver: processes.takeOver,
    /** What a node with the fault `meanwhile` waits for. */
    setInterruption(next: () => Promise<void>): void {
      interruption = next
    },
    reorg: (depth: number, longer: number, arrangement: Arrangement) =>
      chain.reorg(depth, reorgMax, longer, arrangement),

    /** One pass of a worker while nodes have these faults. A fault ends it, as in the loop; a crash starts a new process. */
    async pass(
      worker: WorkerName,
      faults: readonly NodeFault[],
      { dies, isFormer = false }: { dies?: Crash | undefined; isFormer?: boolean } = {},
    ): Promise<'done' | 'more' | Error | 'crash'> {
      const { service, database, place } = processes.worker(isFormer)
      for (const [at, node] of nodes.entries()) node.tell(faults[at] ?? { type: 'none' }, leftOut.get(worker))
      database.die(dies)
      try {
        return (await service.pass(worker)) ? 'more' : 'done'
      } catch (error) {
        if (!database.isDead()) return error as Error
        await restart(place)
        return 'crash'
      } finally {
        database.die(undefined)
        for (const node of nodes) node.tell({ type: 'none' })
      }
    },
    async end(): Promise<void> {
      await processes.end()
      served.close()
    },
  }
}
