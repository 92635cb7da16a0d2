import { Keypair, PublicKey } from '@solana/web3.js'
import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { type Runtime, systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaTerms } from '../facts/solana-deposit-terms.ts'
import { createSolanaAdapter } from '../rpc/solana-adapter.ts'
import { createSolanaRpc } from '../rpc/solana-rpc.ts'
import { createSolanaSigner } from '../signer/solana-signer.ts'
import { createDepositWatcher } from '../watch/deposit-watcher.ts'
import { createSolanaSender, type SolanaSender } from './solana-sender.ts'
import { createSolanaSweeper } from './solana-sweeper.ts'

const { signal } = new AbortController()
const warnings: string[] = []
const log = { debug() {}, info() {}, warn: (_: object, text: string) => void warnings.push(text), error() {} }
const clock = { aheadMs: 0 }
const runtime: Runtime = { ...systemRuntime, nowMs: () => Date.now() + clock.aheadMs }
const database = await createTestDatabase()
const db = await database.open()
const ledger = createLedger(db, ({ id, status }) => ({ id, status }))
const wallets = { merchant: Keypair.generate().publicKey.toBase58(), platform: Keypair.generate().publicKey.toBase58() }

let solana: SolanaFixture
let network: SolanaNetwork
let stage: ReturnType<typeof openStage>

/** Long enough for the window to end and the rent to be reclaimed. */
const afterClosingSeconds = 900 + 3_600 + 60

beforeAll(async () => {
  solana = await openSolana()
  network = {
    ...{
      shortName: 'solana',
      name: 'Solana',
      family: 'solana',
      chainId: 103,
      isTestnet: true,
      highValue: null,
      signatureGas: null,
    },
    ...{ genesisHash: await solana.connection.getGenesisHash(), rpcUrls: [solana.rpcUrl], confirmations: 4 },
    ...{ pollMs: 20, explorerUrl: null, platformWallet: wallets.platform },
    tokens: [
      { symbol: 'USDC', currency: 'USD', name: 'USD Coin', ...solana.tokens.USDC, permit: null, authorization: null },
    ],
  }
  const { merchantId, merchantName } = newPayment()
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`),
  )
  stage = openStage(solana.operator)
})

afterAll(async () => {
  await solana.stop()
  await db.close()
  await database.drop()
})

function openStage(feePayer: Keypair) {
  const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log })
  const signer = createSolanaSigner(feePayer.secretKey, new Uint8Array(32).fill(5))
  const shared = { db, ledger, network, runtime, log }
  const adapter = createSolanaAdapter(network, rpc, log)
  const watcher = createDepositWatcher({ ...shared, adapter, heads: createHeads() })
  const sender = createSolanaSender(adapter, rpc)
  const asked = { balances: 0 }
  const counted: SolanaSender = {
    ...sender,
    lamports(address) {
      asked.balances += 1
      return sender.lamports(address)
    },
  }
  const newSweeper = () => createSolanaSweeper({ ...shared, sender: counted, signer })
  const sweeper = newSweeper()
  /** Both workers, and the blocks that finalize their transactions. */
  const work = async (rounds = 3) => {
    for (let round = 0; round < rounds; round++) {
      await watcher.pass(signal)
      await sweeper.pass(signal)
      await solana.advance(6)
    }
    await sweeper.pass(signal)
  }
  const watch = () => watcher.pass(signal)
  const sweep = () => sweeper.pass(signal)
  return { signer, work, asked, newSweeper, watch, sweep }
}

async function newDeposit(
  mint = solana.tokens.USDC.address,
): Promise<{ id: PaymentId; account: string; owner: string }> {
  const windowEndsAtMs = runtime.nowMs() + 900_000
  const depositTerms = formatSolanaTerms({
    ...{ genesisHash: network.genesisHash, mint, amount: 25_000_000n, least: 25_000_000n },
    ...{ merchant: wallets.merchant, platform: wallets.platform, feeBps: 150 },
    deadlineSeconds: Math.ceil(windowEndsAtMs / 1000),
    salt: Buffer.from(runtime.randomBytes(32)).toString('hex'),
  })
  const owner = stage.signer.ownerOf(depositTerms).toBase58()
  const payment = newPayment({
    ...{ id: runtime.newUuid() as PaymentId, network: 'solana', depositAddress: owner, depositTerms, sequence: 0 },
    ...{ tokenAddress: mint, createdAtMs: runtime.nowMs(), windowEndsAtMs },
  })
  await db.write((tx) => ledger.createIn(tx, payment))
  return { id: payment.id, owner, account: tokenAccountOf(mint, owner) }
}

const exists = async (account: string) => (await solana.connection.getAccountInfo(new PublicKey(account))) !== null
const lamports = () => solana.connection.getBalance(solana.operator.publicKey)
async function dueAtMs(id: PaymentId): Promise<number> {
  const row = sql`select due_at_ms as "dueAtMs" from solana_accounts where payment_id = ${id}`
  return (await db.read((tx) => tx.get<{ dueAtMs: number }>(row)))?.dueAtMs ?? 0
}
const statusOf = async (id: PaymentId) => (await db.read((tx) => loadPayment(tx, id)))?.status

async function travel(seconds: number): Promise<void> {
  await solana.control('travel', seconds)
  clock.aheadMs += seconds * 1_000
  await solana.advance(2)
}

test('accounts of new deposits are created together, and those of unpaid deposits return their rent', async () => {
  const before = await lamports()
  const deposits = [await newDeposit(), await newDeposit(), await newDeposit()]
  await stage.work()
  for (const { account } of deposits) expect(await exists(account)).toBe(true)
  expect(before - (await lamports())).toBeGreaterThan(3 * 2_039_280)
  const made = await db.read((tx) => tx.all(sql`select id from outgoing_transactions where purpose = 'open'`))
  expect(made).toHaveLength(1)

  await travel(1_000)
  await stage.work()
  for (const { id, account } of deposits) {
    expect(await statusOf(id)).toBe('expired')
    // Late money may still come from a sender that cannot create the account.
    expect(await exists(account)).toBe(true)
  }
  await travel(afterClosingSeconds)
  await stage.work(4)
  for (const { account } of deposits) expect(await exists(account)).toBe(false)
  // Signatures cost 5,000 lamports each: one for creating, four for closing.
  expect(before - (await lamports())).toBeLessThan(5 * 5_000 + 1_000)
})

test('an account that cannot be created keeps no other deposit without one', async () => {
  const none = Keypair.generate().publicKey.toBase58()
  const [impossible, other] = [await newDeposit(none), await newDeposit()]
  await stage.work()
  expect([await exists(impossible.account), await exists(other.account)]).toEqual([false, true])
  expect(await dueAtMs(impossible.id), 'it is not refused again in every pass').toBeGreaterThan(
    runtime.nowMs() + 500_000,
  )
})

test('nine new accounts take two transactions, and so do six that are closed', async () => {
  const sent = async (purpose: string) =>
    (await db.read((tx) => tx.all(sql`select id from outgoing_transactions where purpose = ${purpose}`))).length
  const [opened, closed] = [await sent('open'), await sent('close')]
  const deposits = []
  for (let count = 0; count < 9; count++) deposits.push(await newDeposit())
  await stage.work(4)
  for (const { account } of deposits) expect(await exists(account)).toBe(true)
  expect(await sent('open')).toBe(opened + 2)
  await travel(1_000)
  await stage.work()
  await travel(afterClosingSeconds)
  await stage.work(4)
  for (const { account } of deposits) expect(await exists(account)).toBe(false)
  expect(await sent('close')).toBe(closed + 2)
})

test('no account is created once no payment is expected, even if that is not stored yet', async () => {
  const [late, cancelled] = [await newDeposit(), await newDeposit()]
  await stage.watch()
  await db.write((tx) =>
    tx.run(sql`update payments set status = 'cancelled', closed_as = 'cancelled' where id = ${cancelled.id}`),
  )
  const open = await newDeposit()
  await stage.watch()
  await db.write((tx) => tx.run(sql`update payments set window_ends_at_ms = 1 where id = ${late.id}`))
  await stage.sweep()
  await solana.advance(6)
  expect(await statusOf(late.id)).toBe('pending')
  expect([await exists(late.account), await exists(cancelled.account)]).toEqual([false, false])
  expect(await exists(open.account)).toBe(true)
})

test('the account of a payment that has not ended in the books is not closed, however late it is', async () => {
  const { id, account } = await newDeposit()
  await stage.work()
  await travel(afterClosingSeconds)
  for (let passes = 0; passes < 2; passes++) {
    await stage.sweep()
    await solana.advance(6)
  }
  expect([await statusOf(id), await exists(account)]).toEqual(['pending', true])
  await stage.work()
  await travel(afterClosingSeconds)
  await stage.work(4)
  expect([await statusOf(id), await exists(account)]).toEqual(['expired', false])
})

test('the empty account of a cancelled payment stays until an hour after the window, for late money', async () => {
  const { id, account } = await newDeposit()
  await stage.work()
  await db.write(async (tx) => {
    await tx.run(sql`update payments set status = 'cancelled', closed_as = 'cancelled' where id = ${id}`)
    await tx.run(sql`update solana_accounts set due_at_ms = 0 where payment_id = ${id}`)
  })
  await stage.work()
  expect(await exists(account)).toBe(true)
  await travel(afterClosingSeconds)
  await stage.work(4)
  expect(await exists(account)).toBe(false)
})

test('the empty account of a swept deposit is closed at once', async () => {
  const { id, account } = await newDeposit()
  await stage.work()
  await db.write(async (tx) => {
    await tx.run(sql`update payments set status = 'swept', sweep = 'confirmed' where id = ${id}`)
    await tx.run(sql`update solana_accounts set due_at_ms = 0 where payment_id = ${id}`)
  })
  await stage.work()
  expect(await exists(account)).toBe(false)
})

test('two processes create an account by one transaction', async () => {
  const { id, account } = await newDeposit()
  await stage.watch()
  await Promise.all([stage.newSweeper().pass(signal), stage.newSweeper().pass(signal)])
  await solana.advance(6)
  expect(await exists(account)).toBe(true)
  const sent = sql`select transaction_id from outgoing_accounts where payment_id = ${id}`
  expect(await db.read((tx) => tx.all(sent))).toHaveLength(1)
  await stage.work()
})

test('an account with money in it is never closed', async () => {
  const { id, account, owner } = await newDeposit()
  await stage.work()
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    ...{ mint: solana.tokens.USDC.address, to: owner, amount: 1_000_000n },
  })
  await stage.work()
  await travel(afterClosingSeconds)
  await stage.work(4)
  expect(await statusOf(id)).toBe('expired')
  expect((await solana.connection.getTokenAccountBalance(new PublicKey(account))).value.amount).toBe('1000000')
  await travel(700)
  await stage.work()
  expect(await dueAtMs(id), 'it is read once a day').toBeGreaterThan(runtime.nowMs() + 20 * 3_600_000)
})

test('an account whose payment cannot be read is closed once it can be, and delays the closing of no other one', async () => {
  const [broken, other] = [await newDeposit(), await newDeposit()]
  await stage.work()
  await travel(1_000)
  await stage.work()
  const setMetadata = (metadata: string | null) =>
    db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${broken.id}`))
  await setMetadata('{')
  await travel(afterClosingSeconds)
  await stage.work(4)
  expect([await exists(broken.account), await exists(other.account)]).toEqual([true, false])
  await setMetadata(null)
  await travel(afterClosingSeconds)
  await stage.work(4)
  expect(await exists(broken.account)).toBe(false)
})

test('an account whose terms were changed in the database is not closed, and is not read again in every pass', async () => {
  const { id, account } = await newDeposit()
  await stage.work()
  await travel(1_000)
  await stage.work()
  await db.write((tx) => tx.run(sql`update payments set deposit_terms = deposit_terms || ' ' where id = ${id}`))
  await travel(afterClosingSeconds)
  await stage.work()
  expect(await exists(account)).toBe(true)
  expect(await dueAtMs(id)).toBeGreaterThan(runtime.nowMs())
})

test('without lamports nothing is lost: a warning is logged, and work continues after a refill', async () => {
  const poor = Keypair.generate()
  const own = openStage(poor)
  const { account, owner } = await newDeposit()
  await own.work(1)
  expect(await exists(account)).toBe(false)
  expect(warnings).toContain('Deposits wait: the fee payer’s SOL balance is too low. Send SOL to its address.')
  expect(owner).not.toBe('')
  const { balances } = own.asked
  await own.work(2)
  expect(own.asked.balances, 'it is not asked for in every pass').toBe(balances)
  await solana.connection.requestAirdrop(poor.publicKey, 1_000_000_000)
  await solana.advance(2)
  clock.aheadMs += 20_000
  await own.work()
  expect(await exists(account)).toBe(true)
})
