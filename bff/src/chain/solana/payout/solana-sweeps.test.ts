import { createFreezeAccountInstruction, createThawAccountInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mintTestTokens } from '../../../../../demo/devnet/solana/tokens.ts'
import { openSolanaStage, type SolanaStage } from '../../../../test/solana-stage.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaTerms } from '../deposit/solana-deposit-terms.ts'
import { sharesOf } from './solana-sweeps.ts'

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

  test('pay all that is there up to the amount, and the fee is never a unit more than its part', () => {
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

  test('waits for its share at the deposit address, and the merchant has all of his', async () => {
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
    expect((await stage.balances()).platform).toBe(375_001n)
  })
})
