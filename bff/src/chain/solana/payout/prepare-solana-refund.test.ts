import { Keypair } from '@solana/web3.js'
import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../../../core/money.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { DepositPayment } from '../../../payment/payment.ts'
import { finalizeOutgoing } from '../../../payout/outgoing-store.ts'
import { dueShares, markShareSent, type ParkedShare, saveParkedShare } from '../../../payout/parked-share-store.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaTerms, type SolanaTerms } from '../facts/solana-deposit-terms.ts'
import type { AccountState } from '../rpc/solana-adapter.ts'
import { createSolanaSigner } from '../signer/solana-signer.ts'
import { prepareSolanaRefund } from './prepare-solana-refund.ts'
import { createSolanaContext, type SolanaSweeperDeps } from './solana-context.ts'
import { insertSolanaTransaction } from './solana-outgoing-store.ts'

const nowMs = 1_800_000_000_000
const wallet = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
const other = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const terms: SolanaTerms = {
  ...{ genesisHash: 'cluster', mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', merchant: other, platform: other },
  ...{ amount: 25_000_000n, least: 25_000_000n, feeBps: 150, deadlineSeconds: 900, salt: 'ab'.repeat(32) },
}
const depositTerms = formatSolanaTerms(terms)
const signer = createSolanaSigner(Keypair.fromSeed(new Uint8Array(32).fill(7)).secretKey, new Uint8Array(32).fill(9))
const depositAddress = signer.ownerOf(depositTerms).toBase58()

let db: Db
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

type Token = NonNullable<AccountState['token']>

/** 30 came for 25, and 5 are to be returned. Every node has the account's whole history, which contains no refund. */
async function prepare({
  balance = 30_000_000n,
  payee = {},
  payment = {},
  timeMs = windowEndsAtMs + 1,
  amount = 5_000_000n,
}: {
  balance?: bigint
  payee?: Partial<Token>
  payment?: Partial<DepositPayment>
  timeMs?: number
  amount?: bigint
} = {}) {
  const token = (owner: string, amount: bigint): Token => ({ mint: terms.mint, owner, amount, isFrozen: false })
  const accounts = new Map([
    [tokenAccountOf(terms.mint, depositAddress), token(depositAddress, balance)],
    [tokenAccountOf(terms.mint, wallet), { ...token(wallet, 1n), ...payee }],
  ])
  const state = (address: string): AccountState | undefined => {
    const held = accounts.get(address)
    return held && { lamports: 1n, owner: 'program', token: held }
  }
  const sender = {
    accounts: (addresses: readonly string[]) => Promise.resolve(addresses.map(state)),
    history: () => Promise.resolve({ listed: [], isComplete: true }),
    findPayout: () => Promise.resolve(undefined),
    findRefund: () => Promise.resolve(undefined),
  }
  const deps = { db, sender, signer, network: { shortName: 'devnet', genesisHash: 'cluster' } }
  const runtime = { ...systemRuntime, nowMs: () => nowMs }
  const context = createSolanaContext({ ...deps, runtime } as unknown as SolanaSweeperDeps)
  const sums = { seen: baseUnits('30000000'), received: baseUnits('30000000') }
  const place = { depositAddress, depositTerms, tokenAddress: terms.mint }
  const paid = newPayment({ ...place, ...sums, sweep: 'queued', status: 'sweeping', ...payment })
  const due = { kind: 'refund', paymentId: paid.id, network: paid.network, token: terms.mint, failures: 0 } as const
  const payout = { ...due, depositAddress, depositTerms, tokenDecimals: 6, dollarRate: '1', waitingSinceMs: null }
  const planned = { address: wallet, amount }
  const result = await prepareSolanaRefund(context, payout, planned, { payment: paid, head: { number: 1, timeMs } })
  return 'refused' in result ? result.refused.reason : 'amount' in result ? result.amount : result
}

test('a refund is paid to the account that its wallet owns', async () => {
  expect(await prepare()).toBe(5_000_000n)
})

test('a refund to an account of another owner is refused', async () => {
  expect(await prepare({ payee: { owner: other } })).toContain(`${wallet} has no token account for USDC`)
})

test('a refund to a frozen account is refused', async () => {
  expect(await prepare({ payee: { isFrozen: true } })).toBe(`the account of ${wallet} is frozen`)
})

test('a payment that is not paid is not refunded before its deadline, to the millisecond', async () => {
  const payment = { sweep: 'none', status: 'cancelled', closedAs: 'cancelled' } as const
  for (const [timeMs, retryAtMs] of [
    [windowEndsAtMs - 1, nowMs + 1_001],
    [windowEndsAtMs, nowMs + 1_000],
    [windowEndsAtMs - 3_600_000, nowMs + 10_000],
  ] as const)
    expect(await prepare({ payment, timeMs })).toMatchObject({ retryAtMs })
  expect(await prepare({ payment, timeMs: windowEndsAtMs + 1 })).toBe(5_000_000n)
  expect(await prepare({ timeMs: windowEndsAtMs - 1 }), 'a paid one').toBe(5_000_000n)
})

test('the platform’s parked share is never part of a refund, even when money is missing', async () => {
  const share = { network: 'devnet', place: depositAddress, token: terms.mint, recipient: other, paymentId: null }
  const payment = { status: 'swept', sweep: 'confirmed', sweptAmount: baseUnits('25000000') } as const
  const save = (changed: Partial<ParkedShare>) =>
    db.write((tx) => saveParkedShare(tx, { ...share, amount: 6_000_000n, ...changed }, nowMs))
  for (const elsewhere of [{ network: 'mainnet' }, { place: other }, { token: wallet }]) await save(elsewhere)
  const refund = (balance: bigint) => prepare({ payment, balance })
  expect(await refund(5_000_000n), 'parked elsewhere').toBe(5_000_000n)
  await save({})
  expect(await refund(11_000_000n)).toBe(5_000_000n)
  expect(await refund(7_000_000n)).toBe(1_000_000n)
  expect(await refund(6_000_000n)).toContain('holds 6000000, of which 6000000 are held for merchant and platform')
  // While the share is being paid, the balance may lack it already.
  const attempt = {
    id: 'share',
    network: 'devnet',
    sender: 'payer',
    txId: 'share',
    raw: '',
    purpose: null,
    atMs: nowMs,
  }
  await db.write(async (tx) => {
    const due = (await dueShares(tx, 'devnet', nowMs, 9)).map(({ parse }) => parse())
    const found = due.find(({ place, token }) => place === depositAddress && token === terms.mint)
    if (found === undefined) throw new Error('It is due.')
    await insertSolanaTransaction(tx, { ...attempt, lastValidHeight: 1 })
    expect(await markShareSent(tx, found, { transactionId: 'share', dueAtMs: nowMs })).toBe(true)
  })
  expect(await refund(7_000_000n)).toEqual({ retryAtMs: nowMs + 10_000 })
  expect(await refund(11_000_000n)).toBe(5_000_000n)
  await db.write((tx) => finalizeOutgoing(tx, 'share', undefined))
  expect(await refund(7_000_000n), 'it is not paid').toBe(1_000_000n)
})

test('what is held for the merchant is never part of a refund, even when money is missing', async () => {
  // 40 came late for 25: 15 go back, and 25 wait for the merchant.
  const payment: Partial<DepositPayment> = {
    ...{ seen: baseUnits('0'), received: baseUnits('0'), late: baseUnits('40000000') },
    ...{ windowEnded: true, sweep: 'none' },
    status: 'expired',
  }
  const refund = (balance: bigint) => prepare({ payment, balance, amount: 15_000_000n })
  expect(await refund(40_000_000n)).toBe(15_000_000n)
  expect(await refund(30_000_000n)).toBe(5_000_000n)
  expect(await refund(25_000_000n)).toContain('holds 25000000, of which 25000000 are held for merchant and platform')
  expect(await refund(24_000_000n)).toContain('holds 24000000, of which 25000000 are held for merchant and platform')
})
