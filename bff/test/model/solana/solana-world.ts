import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { createVault, type Db, sql, type Unit } from '@stablecoin-checkout/bff/testing/db'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { createMerchant } from '@stablecoin-checkout/bff/testing/service'
import { createSolanaSigner, tokenAccountOf } from '@stablecoin-checkout/bff/testing/solana'
import { createSolanaNode } from '../../devnet/solana/node.ts'
import { makeTestTokens, mintTestTokens } from '../../devnet/solana/tokens.ts'
import { solanaNetwork } from '../../solana-facts.ts'
import { createTestDatabase } from '../../test-database.ts'
import { type Crash, CrashError, crashingDatabase } from '../service/crashing-database.ts'
import { seededRuntime } from '../service/seeded-runtime.ts'
import { modelFetch, serveNodes } from '../service/served-nodes.ts'
import { createSolanaCharges } from './solana-charges.ts'
import { creditsOf } from './solana-credits.ts'
import { freezeTestTokens } from './solana-freeze.ts'
import { createLyingSolanaNode, type SolanaFault } from './solana-node.ts'
import type { SolanaPayment } from './solana-proofs.ts'
import { openSolanaService } from './solana-service.ts'

const startMs = Date.parse('2026-11-21T12:00:00Z')
const keypair = (number: number) => Keypair.fromSeed(new Uint8Array(32).fill(number))
const [customer, operator, tokenOwner] = [keypair(1), keypair(2), keypair(3)]
const merchantWallet = keypair(4).publicKey.toBase58()
const platformWallet = keypair(5).publicKey.toBase58()
/** Two token accounts and a thousand sweeps, as `doctor` counts. */
const lamportsKept = 56_000_000
/** For twenty more accounts, one for each signer of a charge. */
const lamportsForCharges = 41_000_000
const depths = { confirmed: 1, finalized: 4 }

/** `takesSignatures`: whether the service sends what customers sign; default: no. */
export type SolanaSettings = { latePayments: 'report' | 'accept'; takesSignatures?: boolean }
export type SolanaWorld = Awaited<ReturnType<typeof openSolanaWorld>>

/** Withdraws all but this from the fee payer. */
async function keepLamports(connection: Connection, kept: number): Promise<void> {
  const spare = (await connection.getBalance(operator.publicKey)) - kept
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const away = new Transaction({ feePayer: operator.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: operator.publicKey, toPubkey: customer.publicKey, lamports: spare }),
  )
  away.sign(operator)
  await connection.sendRawTransaction(away.serialize(), { skipPreflight: true })
}

/** The payment at an address, and the end of its window. */
async function placeOf(db: Db, address: string): Promise<{ id: PaymentId; endsAtMs: number }> {
  const row = await db.read((tx) =>
    tx.get<{ id: PaymentId; endsAtMs: number }>(
      sql`select id, window_ends_at_ms as "endsAtMs" from payments where deposit_address = ${address}`,
    ),
  )
  if (!row) throw new Error(`There is no payment at ${address}`)
  return { id: row.id, endsAtMs: Number(row.endsAtMs) }
}

const countPayments = async (db: Db): Promise<number> =>
  Number((await db.read((tx) => tx.get<{ count: number }>(sql`select count(*) as count from payments`)))?.count)

async function newestAddress(db: Db): Promise<string> {
  const row = await db.read((tx) =>
    tx.get<{ address: string }>(sql`select deposit_address as address from payments order by number desc limit 1`),
  )
  return row?.address ?? ''
}

const testPeople = { tokenOwner, customer: customer.publicKey, operator: operator.publicKey }
const signatureGas = { coinPrice: '150', perPayer: 10_000, perAddress: 10_000, dailyBudget: '10000' }

/** The service with one Solana network on a real file, with the model's chain, nodes and clock. */
export async function openSolanaWorld(settings: SolanaSettings) {
  let nowMs = startMs
  const node = createSolanaNode({ slotMs: null, depths, nowMs: () => nowMs })
  const nodes = [createLyingSolanaNode(node), createLyingSolanaNode(node)]
  const served = serveNodes(nodes)
  const connection = new Connection(served.urls[0] ?? '', { commitment: 'processed', fetch: modelFetch as never })
  const tokens = await makeTestTokens(connection, testPeople)
  const control = (method: string, ...params: unknown[]) =>
    void node.answer({ id: 1, method: `devnet_${method}`, params })
  await keepLamports(connection, lamportsKept + (settings.takesSignatures ? lamportsForCharges : 0))
  control('advance', depths.finalized)

  let network = solanaNetwork({
    rpcUrls: served.urls,
    platformWallet,
    genesisHash: await connection.getGenesisHash(),
    signatureGas: settings.takesSignatures ? signatureGas : null,
    tokens,
  })
  const mint = tokens.USDC.address
  const runtime = seededRuntime(() => nowMs)
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const database = crashingDatabase(await createTestDatabase())
  await database.open()
  const { db } = database
  const signer = createSolanaSigner(operator.secretKey, new Uint8Array(32).fill(5))
  const merchant = await createMerchant(
    { db, networks: new Map([[network.shortName, network]]), runtime, vault },
    { name: 'Corner Coffee', wallets: new Map([[network.shortName, merchantWallet]]), webhookSecret: 'whsec_a' },
  )
  await db.write((tx) => tx.run(sql`update merchants set late_payments = ${settings.latePayments}`))

  const open = () => openSolanaService({ db, network, runtime, vault, signer })
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
      // The presenter of a proof does not wait; otherwise this machine's speed would decide whether the response precedes the
      // block.
      ...(path.startsWith('/x402/') && { signal: AbortSignal.abort() }),
    })
    const { status, headers } = response
    return { status, headers, body: JSON.parse((await response.text()) || '{}') as never }
  }

  const payments: SolanaPayment[] = []
  let orders = 0
  const at = (index: number) => payments[index % Math.max(1, payments.length)]
  const create = (isPublic: boolean) => {
    orders += 1
    const order = { amount: '25.00', currency: 'USDC', network: network.shortName, orderId: `o${orders}` }
    return post('/deposits/create', order, isPublic)
  }

  async function pass(
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
  }

  const charges = createSolanaCharges({
    connection,
    customer,
    mint,
    payments,
    post,
    restart,
    countPayments: () => countPayments(db),
    placeOf: (address) => placeOf(db, address),
    async isNewestReady() {
      const account = new PublicKey(tokenAccountOf(mint, await newestAddress(db)))
      return (await connection.getAccountInfo(account, 'confirmed')) !== null
    },
    async send() {
      control('advance', depths.finalized)
      for (const worker of ['watcher', 'sweeper'] as const) await pass(worker, [])
    },
  })

  return {
    ...charges,
    payments,
    network: () => network,
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
      const money = {
        due: 25_000_000n,
        refundTo: null,
        before: 0n,
        windowEndsAtMs: (await placeOf(db, address)).endsAtMs,
      }
      payments.push({ id, address, clientSecret, ...money, charge: null, proofs: [], served: 0 })
    },
    /** Creates payments with the public key, and pays nothing. */
    async flood(creates: number): Promise<void> {
      for (let made = 0; made < creates; made += 1) await create(true)
    },
    async pay(index: number, amount: bigint): Promise<void> {
      const payment = at(index)
      if (!payment) return
      await mintTestTokens(connection, tokenOwner, { mint, to: payment.address, amount })
    },
    /** Pays in a block this many seconds after the end of a payment's window. @returns false if that time has passed. */
    async payAtWindowEnd(index: number, seconds: number, amount: bigint): Promise<boolean> {
      const payment = at(index)
      const atMs = (payment?.windowEndsAtMs ?? 0) + seconds * 1_000
      if (!payment || atMs < nowMs) return false
      nowMs = atMs
      await mintTestTokens(connection, tokenOwner, { mint, to: payment.address, amount })
      return true
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
      // A recipient without a token account first gets one, with one unit.
      if (payment.before === 0n) await mintTestTokens(connection, tokenOwner, { mint, to, amount: 1n })
      payment.before = 1n
      control('advance', depths.finalized)
      const { clientSecret } = payment
      // The merchant returns all late money; the customer requests what is owed.
      const asked = byMerchant ? { address: to } : { address: to, clientSecret }
      const { status } = await post(`/deposits/refund-request/${payment.id}`, asked, !byMerchant)
      if (status === 200) payment.refundTo = to
    },
    acceptLate: async (index: number) => {
      const payment = at(index)
      if (payment) await post(`/payments/${payment.id}/accept-late`, {})
    },
    restart,
    /** Removes the newest blocks; transactions whose bits are set land again. */
    fork(blocks: number, kept: number): void {
      control('fork', blocks, { kept })
    },
    /** Freezes or thaws the merchant's account at the issuer. */
    async setFrozen(isFrozen: boolean): Promise<void> {
      await freezeTestTokens(connection, tokenOwner, { mint, owner: merchantWallet, isFrozen })
    },
    /** Removes USDC from the configuration. */
    async removeToken(): Promise<void> {
      network = { ...network, tokens: network.tokens.filter(({ symbol }) => symbol !== 'USDC') }
      await restart()
    },
    pass,
    creditsOf: ({ address, windowEndsAtMs }: SolanaPayment) =>
      creditsOf(connection, { mint, owner: address, untilMs: windowEndsAtMs }),
    /** Base units in the wallet's account of the token, in the newest block. */
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
