import { createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { silentLog, systemRuntime, type TronNetwork } from '@stablecoin-checkout/bff/testing/core'
import { createVault } from '@stablecoin-checkout/bff/testing/db'
import { createWatcher } from '@stablecoin-checkout/bff/testing/evm'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import {
  createLedger,
  loadPayment,
  type Payment,
  type PaymentId,
  recordedAddresses,
} from '@stablecoin-checkout/bff/testing/payment'
import { createApp, createMerchant } from '@stablecoin-checkout/bff/testing/service'
import {
  addressHex,
  createTronAdapter,
  tronAddressAt,
  tronAddressOf,
  tronStoredAddress,
} from '@stablecoin-checkout/bff/testing/tron'
import type { Address } from 'viem'
import { HDKey } from 'viem/accounts'
import { appDefaults } from './app-defaults.ts'
import { openTronChain } from './devnet/tron/tron.ts'
import { createTestDatabase } from './test-database.ts'

/** Maximum passes for catching up before it counts as stuck. */
const passesMax = 60

const accountPath = "m/44'/195'/0'"

/** 19 of 27 witnesses. */
export const tronConfirmations = 19

export type TronStage = Awaited<ReturnType<typeof openTronStage>>

/** A wallet's new account: only its extended public key leaves the wallet. */
const newAccount = (seed: Uint8Array): string => HDKey.fromMasterSeed(seed).derive(accountPath).publicExtendedKey

/**
 * A chain in Tron's form with two nodes, the whole application on a real file, and a watcher that passes only when a test calls
 * it. For tests.
 */
export async function openTronStage({ highValue = null }: { highValue?: TronNetwork['highValue'] } = {}) {
  const tron = await openTronChain()
  const { usdt, chainId } = tron
  const network: TronNetwork = {
    family: 'tron',
    shortName: 'tron',
    name: 'Tron',
    chainId,
    isTestnet: true,
    rpcUrls: tron.nodes.map(({ rpcUrl }) => rpcUrl),
    confirmations: tronConfirmations,
    finalityBlocks: 64,
    highValue,
    pollMs: 50,
    signatureGas: null,
    explorerUrl: 'https://tronscan.org/#',
    platformWallet: tronAddressOf(`0x${'0'.repeat(40)}`),
    nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
    tokens: [
      {
        symbol: 'USDT',
        currency: 'USD',
        name: 'Tether USD',
        address: tronAddressOf(usdt),
        decimals: 6,
        permit: null,
        authorization: null,
      },
    ],
  }
  const database = await createTestDatabase()
  const db = await database.open()
  const runtime = systemRuntime
  const networks = new Map([['tron', network]])
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads)
  const ledger = createLedger(db, viewer.merchant)
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const app = createApp({
    ...appDefaults({ db, runtime }),
    db,
    ledger,
    networks,
    heads,
    viewer,
    runtime,
    vault,
    feeBps: 0,
    contracts: {
      splitters: { get: () => ({ isPayable: true, reason: null }) },
      chains: new Map(),
      windowMs: 1_800_000,
      waitMs: 1_000,
      waitsMax: 60,
      stopping: new AbortController().signal,
    },
  })
  const xpub = newAccount(runtime.randomBytes(32))
  const first = tronAddressAt({ source: xpub, number: 0 })
  const merchant = await createMerchant(
    { db, networks, runtime, vault },
    { name: 'Corner Coffee', wallets: new Map([['tron', `${xpub}@${first}`]]), webhookSecret: 'whsec_a' },
  )

  const newWatcher = (change: Partial<TronNetwork> = {}) => {
    const current = { ...network, ...change }
    const readTokens = () => db.read((tx) => recordedAddresses(tx, network.shortName))
    const adapter = createTronAdapter(current, { nowMs: runtime.nowMs, log: silentLog }, undefined, readTokens)
    const deps = { db, ledger, heads, runtime, log: silentLog, network: current, storedAddress: tronStoredAddress }
    return { adapter, watcher: createWatcher({ ...deps, adapter }) }
  }
  let { adapter, watcher } = newWatcher()
  const { signal } = new AbortController()

  return {
    ...tron,
    network,
    networks,
    db,
    ledger,
    heads,
    xpub,
    firstAddress: first,
    app,
    merchant,
    adapter: () => adapter,

    async create(fields: Record<string, unknown> = {}): Promise<{ status: number; body: Record<string, unknown> }> {
      const response = await app.request('/api/v1/deposits/create', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Public-Key': merchant.publicKey,
          'Idempotency-Key': runtime.newUuid(),
        },
        body: JSON.stringify({ amount: '25.00', currency: 'USDT', network: 'tron', ...fields }),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    },

    async deposit(amount = '25.00'): Promise<{ id: PaymentId; address: string }> {
      const { status, body } = await this.create({ amount })
      if (status !== 200) throw new Error(JSON.stringify(body))
      const { id, depositAddress } = body['payment'] as unknown as { id: PaymentId; depositAddress: string }
      return { id, address: depositAddress }
    },

    /** A customer's transfer, in base units. */
    pay: (address: string, amount: bigint, token: Address = usdt) =>
      tron.transfer(addressHex(address) as Address, amount, token),

    /** Runs passes of the watcher until it has read the newest block of any node. */
    async watch(): Promise<void> {
      for (let passes = 0; passes < passesMax; passes++) {
        const head = Number(await tron.chain.getBlockNumber())
        const lag = Math.min(...tron.nodes.map(({ switches }) => (switches.isDown ? 1_000 : switches.lagBlocks)))
        await watcher.pass(signal)
        if ((heads.get('tron')?.number ?? -1) >= head - lag) return
      }
      throw new Error('The watcher does not catch up')
    },

    /** One pass, whatever it reads. */
    pass: () => watcher.pass(signal),

    /** Simulates a restart, possibly with another configuration: nothing stays in memory. */
    restart(change: Partial<TronNetwork> = {}) {
      ;({ adapter, watcher } = newWatcher(change))
    },

    async load(id: PaymentId): Promise<Payment> {
      const payment = await db.read((tx) => loadPayment(tx, id))
      if (!payment) throw new Error(`There is no payment ${id}`)
      return payment
    },

    async close() {
      await db.close()
      await database.drop()
      await tron.stop()
    },
  }
}
