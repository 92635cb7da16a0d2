import { PublicKey, SystemProgram } from '@solana/web3.js'
import { silent } from '@stablecoin-checkout/rig/contract-stage'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { diagnoseCluster } from '../rpc/diagnose-cluster.ts'
import { createSolanaRpc } from '../rpc/solana-rpc.ts'
import { payoutReserve, planOpenings, type RentHolder, tokenAccountRent } from './rent-shares.ts'

const rent = Number(tokenAccountRent)
const reserve = Number(payoutReserve)

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

const lamports = () => stage.solana.connection.getBalance(stage.solana.operator.publicKey, 'confirmed')

/** Sets the fee payer's balance in lamports. */
async function keep(kept: number): Promise<void> {
  const { solana } = stage
  const excess = (await lamports()) - 5_000 - kept
  const { publicKey: fromPubkey } = solana.operator
  const rest = SystemProgram.transfer({ fromPubkey, toPubkey: solana.customer.publicKey, lamports: excess })
  await solana.send([rest], solana.operator)
  await solana.advance(2)
}

const mint = (to: string, amount: bigint) =>
  mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })

const isMade = async (owner: string) => {
  const account = new PublicKey(tokenAccountOf(stage.mint().toBase58(), owner))
  return (await stage.solana.connection.getAccountInfo(account, 'confirmed')) !== null
}

async function passes(count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    await stage.work(0)
    await stage.solana.advance(6)
    stage.later(16_000)
  }
}

test('unpaid deposits do not use up what payouts need: a paid one is swept', async () => {
  await keep(56_000_000)
  for (let count = 0; count < 40; count++) await stage.createDeposit()
  await passes(8)
  expect(await lamports()).toBeGreaterThan(reserve)
  const { id, depositAddress } = await stage.createDeposit()
  await mint(depositAddress, 25_000_000n)
  await passes(8)
  expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
  expect(await stage.stored(id)).toMatchObject({ status: 'swept' })
})

test('with only the reserve left no account is created, and a payout creates those it needs', async () => {
  await keep(reserve)
  const { id, depositAddress } = await stage.createDeposit()
  await passes(3)
  expect(await isMade(depositAddress)).toBe(false)
  await mint(depositAddress, 25_000_000n)
  await passes(6)
  expect(await stage.stored(id)).toMatchObject({ status: 'swept' })
})

test('one client has accounts for five of its unpaid deposits, and other clients still get theirs', async () => {
  const deposits = []
  for (let count = 0; count < 7; count++) deposits.push(await stage.createDeposit())
  await stage.db.write((tx) => tx.run(sql`update payments set public_key = 'pk_shop', client = 'one'`))
  await passes(4)
  const made = await Promise.all(deposits.map(({ depositAddress }) => isMade(depositAddress)))
  expect(made.filter(Boolean)).toHaveLength(5)
  const other = await stage.createDeposit()
  await stage.db.write((tx) =>
    tx.run(sql`update payments set public_key = 'pk_shop', client = 'other' where id = ${other.id}`),
  )
  await passes(3)
  expect(await isMade(other.depositAddress)).toBe(true)
  // One of the five is paid: its account is no longer counted, and the next is created.
  const paid = deposits[made.indexOf(true)]
  await mint(paid?.depositAddress ?? '', 25_000_000n)
  await passes(10)
  const later = await Promise.all(deposits.map(({ depositAddress }) => isMade(depositAddress)))
  expect(later.filter((now, index) => now && made[index] === false)).toHaveLength(1)
})

test('a client that sends dust to its deposits gets no more accounts than one that sends nothing', async () => {
  const open = async () => {
    const { id, depositAddress } = await stage.createDeposit()
    await stage.db.write((tx) => tx.run(sql`update payments set public_key = 'pk', client = 'one' where id = ${id}`))
    return { id, depositAddress }
  }
  const dusted = []
  for (let count = 0; count < 5; count++) dusted.push(await open())
  await passes(3)
  for (const { depositAddress } of dusted) await mint(depositAddress, 1n)
  await passes(3)
  for (const { id } of dusted) expect(await stage.stored(id)).toMatchObject({ seen: 1n })
  const { depositAddress } = await open()
  await passes(3)
  expect(await isMade(depositAddress)).toBe(false)
})

test('a client’s share lasts as long as its accounts, even after its payments ended', async () => {
  const open = async () => {
    const { id, depositAddress } = await stage.createDeposit()
    await stage.db.write((tx) => tx.run(sql`update payments set public_key = 'pk', client = 'one' where id = ${id}`))
    return { id, depositAddress }
  }
  for (let count = 0; count < 5; count++) await open()
  await passes(3)
  await stage.solana.control('travel', 901)
  stage.later(901_000)
  await passes(2)
  const { depositAddress } = await open()
  await passes(3)
  expect(await isMade(depositAddress)).toBe(false)
  // The window's end plus an hour; an account that was not closed then is read again after ten minutes.
  for (const seconds of [3_700, 700]) {
    await stage.solana.control('travel', seconds)
    stage.later(seconds * 1_000)
    await passes(4)
  }
  const again = await open()
  await passes(3)
  expect(await isMade(again.depositAddress)).toBe(true)
})

test('a sweep whose accounts cannot be funded does not stop refunds, and is sent when a closed account has returned its rent', async () => {
  const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
  await mint(wallet, 1n)
  const short = await stage.createDeposit()
  await mint(short.depositAddress, 10_000_000n)
  await stage.work()
  await stage.solana.control('travel', 901)
  stage.later(901_000)
  const paid = await stage.createDeposit()
  await stage.work()
  await keep(890_880 + 2 * rent - 100_000)
  await mint(paid.depositAddress, 25_000_000n)
  await passes(4)
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'sweeping' })
  await stage.post(`/deposits/refund-request/${short.id}`, { address: wallet, clientSecret: short.clientSecret })
  await passes(6)
  expect(await stage.stored(short.id)).toMatchObject({ refunded: 10_000_000n })
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'swept' })
})

test.each([
  [4_000_000, 'bad', 'about 0 sweeps beside the rent of accounts, and the rent of 0 more deposits'],
  [reserve, 'warning', 'about 300 sweeps beside the rent of accounts, and the rent of 0 more deposits'],
  [56_000_000, 'good', 'about 1020 sweeps beside the rent of accounts, and the rent of 17 more deposits'],
])('with %s lamports in the fee payer, doctor reports what they cover: %s', async (kept, state, says) => {
  await keep(kept)
  const { network, solana } = stage
  const rpc = createSolanaRpc(network, { nowMs: Date.now, log: silent })
  const feePayerKey = solana.operator.secretKey
  const findings = await diagnoseCluster({ network, rpc, feePayerKey, nowMs: Date.now })
  const gas = findings.find(({ check }) => check === 'gas')
  expect(gas).toMatchObject({ state, says: expect.stringContaining(says) })
})

const holder = (merchantId: string, publicKey: string | null, client: string | null): RentHolder => ({
  ...{ merchantId, publicKey, client },
})

test('of the possible accounts a merchant has half, a key a quarter, a client an eighth, and each at least one', () => {
  const many = (count: number, one: RentHolder) => Array.from({ length: count }, () => one)
  const planned = (wanted: RentHolder[], affordable: number, held: (RentHolder & { count: number })[] = []) =>
    planOpenings(wanted, held, affordable).length
  expect(planned(many(50, holder('m', null, null)), 40)).toBe(20)
  const clients = Array.from({ length: 50 }, (_, index) => holder('m', 'pk', String(index)))
  expect(planned(clients, 40)).toBe(10)
  expect(planned(many(50, holder('m', 'pk', 'c')), 24)).toBe(3)
  expect(planned(many(50, holder('m', 'pk', 'c')), 400)).toBe(5)
  expect(planned(many(50, holder('m', 'pk', 'c')), 1)).toBe(1)
  expect(planned(many(50, holder('m', 'pk', 'c')), 0)).toBe(0)
  // Existing accounts count, and a client is the same with every key.
  expect(planned(many(9, holder('m', 'pk', 'c')), 392, [{ ...holder('n', 'other', 'c'), count: 4 }])).toBe(1)
  expect(planned([...many(9, holder('m', 'pk', 'c')), holder('m', 'pk', 'd')], 400)).toBe(6)
})
