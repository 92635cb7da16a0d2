import { createFreezeAccountInstruction, createThawAccountInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BaseUnits } from '../../../core/money.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { reconcileNetwork } from '../../../ops/reconcile/reconcile.ts'
import { countParkedShares } from '../../../payout/parked-share-store.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaTerms } from '../facts/solana-deposit-terms.ts'
import { sharesOf } from './solana-sweeps.ts'

const never = new AbortController().signal

const termsOf = (amount: bigint, feeBps: number) => ({ amount, feeBps }) as SolanaTerms

describe('the shares of a sweep', () => {
  test.each([
    [1n, 9_999, 0n],
    [3n, 5_000, 1n],
    [9_999n, 1, 0n],
    [10_000n, 1, 1n],
    [25_000_001n, 150, 375_000n],
    [25_000_066n, 150, 375_000n],
    [25_000_067n, 150, 375_001n],
  ])('of %s with a fee of %s hundredths of a percent: the platform has %s, rounded down', (held, feeBps, fee) => {
    expect(sharesOf(held, termsOf(held, feeBps))).toEqual({ paid: held, fee })
  })

  test('pay the balance up to the amount, and the fee is never more than its part', () => {
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(amounts, amounts, fc.integer({ min: 0, max: 10_000 }), (held, amount, feeBps) => {
        const { paid, fee } = sharesOf(held, termsOf(amount, feeBps))
        expect(paid).toBeLessThanOrEqual(held)
        expect(paid).toBeLessThanOrEqual(amount)
        expect([held, amount]).toContain(paid)
        expect(fee * 10_000n).toBeLessThanOrEqual(paid * BigInt(feeBps))
        expect((fee + 1n) * 10_000n).toBeGreaterThan(paid * BigInt(feeBps))
      }),
    )
  })
})

describe('a platform whose account is frozen', () => {
  let stage: SolanaStage
  beforeEach(async () => {
    stage = await openSolanaStage()
  })
  afterEach(() => stage.close())

  const accountOf = (wallet: string) => new PublicKey(tokenAccountOf(stage.mint().toBase58(), wallet))
  const mint = (to: string, amount: bigint) =>
    mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })
  const heldBy = async (wallet: string) =>
    (await stage.solana.connection.getTokenAccountBalance(accountOf(wallet), 'confirmed')).value.amount

  type Share = Record<string, string>
  const sharesParked = () => stage.db.read((tx) => tx.all<Share>(sql`select * from parked_shares`))
  const park = ({
    network = '',
    place = '',
    token = '',
    recipient = '',
    payment_id: id = '',
    amount = '',
  }: Share = {}) =>
    stage.db.write((tx) =>
      tx.run(sql`
        insert into parked_shares (network, place, token, recipient, payment_id, amount, parked_at_ms, due_at_ms)
        values (${network}, ${place}, ${token}, ${recipient}, ${id}, ${amount}, 0, 0)`),
    )

  test('has its share parked at the deposit address, and the merchant gets its full share', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const { id, depositAddress } = await stage.createDeposit()
    await mint(depositAddress, 25_000_000n)
    await stage.work(4)
    expect(await stage.stored(id)).toMatchObject({ status: 'swept', sweep: 'confirmed' })
    expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 1n })
    expect(await heldBy(depositAddress)).toBe('375000')
    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    const next = await stage.createDeposit()
    await mint(next.depositAddress, 25_000_000n)
    await stage.work(4)
    expect((await stage.balances()).platform).toBeGreaterThanOrEqual(375_001n)
  })

  test('is paid its share when the account is thawed, once, and never from money owed to a payer', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const { id, depositAddress } = await stage.createDeposit()
    await mint(depositAddress, 25_000_007n)
    await stage.work(4)
    expect(await heldBy(depositAddress)).toBe('375007')
    // The books know the balance, so nothing is searched for.
    for (let passes = 0; passes < 3; passes++) await stage.watch()
    expect(await stage.db.read((tx) => tx.all(sql`select error from watch_faults`))).toEqual([])
    stage.later(60_000)
    await stage.payout()
    expect(await stage.db.read(countParkedShares)).toMatchObject([
      { network: 'solana-devnet', count: 1, failing: 1, reason: 'the platform cannot be paid: its account is frozen' },
    ])

    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    stage.later(3_600_000)
    await stage.work(4)
    expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_001n })
    expect(await heldBy(depositAddress)).toBe('7')
    expect(await stage.db.read(countParkedShares)).toEqual([])
    expect(await stage.stored(id)).toMatchObject({ status: 'swept' })
    const asked = { period: { kind: 'all' as const }, onProgress: () => undefined, runtime: systemRuntime }
    const networks = new Map([[stage.network.shortName, stage.network]])
    const books = await reconcileNetwork({ ...asked, db: stage.db, networks }, stage.network, never)
    expect(books).toMatchObject({
      differences: [],
      lines: [{ came: 25_000_007n, merchant: 24_625_000n, fee: 375_000n, closing: 7n }],
    })
  })

  test('is not paid its share while the rest of the balance is owed to a payer', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const { depositAddress } = await stage.createDeposit()
    await mint(depositAddress, 25_400_000n)
    await stage.work(4)
    const [parked] = await sharesParked()
    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    stage.later(3_600_000)
    await stage.work(4)
    expect(await heldBy(depositAddress)).toBe('400000')
    await park({ ...parked, amount: '300000' })
    await stage.work(2)
    expect([await heldBy(depositAddress), await heldBy(stage.platformWallet)]).toEqual(['400000', '375001'])
    expect(await stage.db.read(countParkedShares)).toMatchObject([
      { reason: expect.stringContaining('of which 400000 are owed to payers') },
    ])
  })

  test('was paid a share that a restored database still has parked: it is not paid again, and the payer gets all that is owed', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
    await mint(wallet, 1n)
    const { id, depositAddress, clientSecret } = await stage.createDeposit()
    await mint(depositAddress, 25_400_000n)
    await stage.work(4)
    const [parked] = await sharesParked()
    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    stage.later(3_600_000)
    await stage.work(4)
    expect([await heldBy(depositAddress), await heldBy(stage.platformWallet)]).toEqual(['400000', '375001'])
    await stage.db.write((tx) => tx.run(sql`delete from outgoing_transactions where purpose is null`))
    await park(parked)
    await stage.post(`/deposits/refund-request/${id}`, { address: wallet, clientSecret })
    for (let rounds = 0; rounds < 3; rounds++) {
      stage.later(3_600_000)
      await stage.work(4)
    }
    expect([await heldBy(wallet), await heldBy(stage.platformWallet)]).toEqual(['400001', '375001'])
    expect(await stage.db.read(countParkedShares)).toEqual([])
  })

  test('is paid the share that a restored database has lost together with its sweep', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const { id, depositAddress } = await stage.createDeposit()
    await stage.work(1)
    await mint(depositAddress, 25_000_000n)
    for (let round = 0; round < 3; round++) {
      await stage.watch()
      await stage.solana.advance(40)
    }
    await stage.payout()
    await stage.solana.advance(40)
    expect(await heldBy(depositAddress)).toBe('375000')
    await stage.db.write(async (tx) => {
      await tx.run(sql`delete from parked_shares`)
      await tx.run(sql`delete from outgoing_payouts where kind = 'sweep'`)
      await tx.run(sql`delete from outgoing_transactions where purpose = 'sweep'`)
      await tx.run(sql`update payouts set state = 'queued', transaction_id = null, due_at_ms = 0 where kind = 'sweep'`)
    })
    await stage.work(4)
    expect(await stage.stored(id)).toMatchObject({ status: 'swept', sweptAmount: 25_000_000n })
    expect(await stage.db.read(countParkedShares)).toMatchObject([{ count: 1 }])
    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    stage.later(3_600_000)
    await stage.work(4)
    expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_001n })
  })

  test('has its share, which is not mistaken for a refund lost by a restored database', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
    await mint(wallet, 1n)
    const { id, depositAddress, clientSecret } = await stage.createDeposit()
    await mint(depositAddress, 26_000_000n)
    await stage.work(4)
    await stage.post(`/deposits/refund-request/${id}`, { address: wallet, clientSecret })
    await stage.work(4)
    expect(await heldBy(wallet)).toBe('1000001')
    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    stage.later(3_600_000)
    await stage.work(4)
    expect((await stage.balances()).platform).toBe(375_001n)
    await stage.db.write(async (tx) => {
      await tx.run(sql`delete from outgoing_transactions where purpose = 'refund'`)
      await tx.run(sql`delete from outgoing_payouts where kind = 'refund'`)
      await tx.run(sql`
          insert into payouts (payment_id, kind, network, token, state, due_at_ms)
          values (${id}, 'refund', 'solana-devnet', ${stage.mint().toBase58()}, 'queued', 0)`)
      await tx.run(sql`update payments set refunded = '0', refund = 'queued', refund_tx_id = null where id = ${id}`)
    })
    await stage.work(4)
    expect(await stage.stored(id)).toMatchObject({ refunded: 1_000_000n, refund: 'none' })
  })

  test('is not paid twice when a node reports that the first transaction has expired', async () => {
    const { tokenOwner } = stage.solana
    await mint(stage.platformWallet, 1n)
    const account = accountOf(stage.platformWallet)
    await stage.solana.send([createFreezeAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    const { depositAddress } = await stage.createDeposit()
    await mint(depositAddress, 25_000_000n)
    await stage.work(4)
    await stage.solana.send([createThawAccountInstruction(account, stage.mint(), tokenOwner.publicKey)], tokenOwner)
    await stage.solana.advance(2)
    stage.later(60_000)
    await stage.payout()
    await stage.solana.advance(40)
    // As after a false response, with more money that was not counted yet.
    await stage.db.write((tx) =>
      tx.run(sql`update outgoing_transactions set state = 'failed' where state = 'stored' and purpose is null`),
    )
    await mint(depositAddress, 400_000n)
    stage.later(60_000)
    await stage.payout()
    await stage.solana.advance(6)
    expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_001n })
    expect(await stage.db.read(countParkedShares)).toEqual([])
  })
})

describe('a sweep', () => {
  let stage: SolanaStage
  beforeEach(async () => {
    stage = await openSolanaStage()
  })
  afterEach(() => stage.close())

  /** A deposit to which this was sent, and is final. */
  async function deposit(amount: bigint) {
    const { id, depositAddress } = await stage.createDeposit()
    await stage.work(1)
    await pay(depositAddress, amount)
    return id
  }

  async function pay(to: string, amount: bigint) {
    const mint = stage.mint().toBase58()
    await mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint, to, amount })
    for (let round = 0; round < 3; round++) {
      await stage.watch()
      await stage.solana.advance(40)
    }
  }

  /** As if the database were restored from before the sweep. */
  const loseSweep = () =>
    stage.db.write(async (tx) => {
      await tx.run(sql`delete from outgoing_payouts where kind = 'sweep'`)
      await tx.run(sql`delete from outgoing_transactions where purpose = 'sweep'`)
      await tx.run(sql`update payouts set state = 'queued', transaction_id = null, due_at_ms = 0 where kind = 'sweep'`)
    })

  test('of less than the minimum is not sent, although the books contain more', async () => {
    const id = await deposit(24_000_000n)
    const known = await stage.stored(id)
    const transfer = {
      ...{ network: stage.network.shortName, txId: 'zz', logIndex: 0, payer: '', amount: 1_000_000n as BaseUnits },
      ...{
        blockNumber: known?.lastBlock ?? 0,
        blockHash: String(known?.lastBlock),
        blockTimeMs: systemRuntime.nowMs(),
      },
    }
    await stage.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: systemRuntime.nowMs() })
    expect(await stage.stored(id)).toMatchObject({ status: 'sweeping' })
    await stage.payout()
    await stage.solana.advance(40)
    await stage.payout()
    expect(await stage.balances()).toEqual({ merchant: 0n, platform: 0n })
    expect(await stage.db.read((tx) => tx.all(sql`select failures from payouts where kind = 'sweep'`))).toEqual([
      { failures: 1 },
    ])
  })

  test('that a restored database has lost is not sent again from what is owed back', async () => {
    const id = await deposit(50_000_000n)
    await stage.payout()
    await stage.solana.advance(40)
    expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
    await loseSweep()
    await stage.work(4)
    expect(await stage.stored(id)).toMatchObject({ status: 'swept', sweptAmount: 25_000_000n })
    expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
  })

  test('to a merchant who is the platform too that a restored database has lost is not sent again from what is owed back', async () => {
    await stage.db.write((tx) => tx.run(sql`update settlement_wallets set address = ${stage.platformWallet}`))
    const id = await deposit(50_000_000n)
    await stage.payout()
    await stage.solana.advance(40)
    expect(await stage.balances()).toEqual({ merchant: 0n, platform: 25_000_000n })
    await loseSweep()
    await stage.work(4)
    expect(await stage.stored(id)).toMatchObject({ status: 'swept', sweptAmount: 25_000_000n })
    expect(await stage.balances()).toEqual({ merchant: 0n, platform: 25_000_000n })
  })

  test('within the tolerance that a restored database has lost is not sent again from a second payment', async () => {
    await stage.db.write((tx) =>
      tx.run(sql`update merchants set tolerance_bps = 200, tolerance_max_micros = '1000000'`),
    )
    const { id, depositAddress } = await stage.createDeposit()
    await stage.work(1)
    await pay(depositAddress, 24_700_000n)
    await stage.payout()
    await stage.solana.advance(40)
    expect(await stage.balances()).toEqual({ merchant: 24_329_500n, platform: 370_500n })
    await pay(depositAddress, 30_000_000n)
    await loseSweep()
    await stage.work(4)
    expect(await stage.stored(id)).toMatchObject({ status: 'swept', sweptAmount: 24_700_000n })
    expect(await stage.balances()).toEqual({ merchant: 24_329_500n, platform: 370_500n })
  })
})
