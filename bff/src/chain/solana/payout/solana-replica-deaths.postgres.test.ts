import { PublicKey } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'

/** More commits than a payout has. */
const commitsMax = 30

let stage: SolanaStage
beforeAll(async () => {
  stage = await openSolanaStage()
})
afterAll(() => stage.close())

const mint = (to: string, amount: bigint) =>
  mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })

async function balanceOf(wallet: string): Promise<string> {
  const account = new PublicKey(tokenAccountOf(stage.mint().toBase58(), wallet))
  return (await stage.solana.connection.getTokenAccountBalance(account, 'confirmed')).value.amount
}

/** What the workers have to do, and what there is to be seen when they have done it once. */
type Owed = { id: PaymentId; expectOnce: (death: string) => Promise<void> }

async function owedSweep(): Promise<Owed> {
  const { id, depositAddress } = await stage.createDeposit()
  await mint(depositAddress, 25_000_000n)
  return { id, expectOnce: async () => undefined }
}

/** The 5.00 that a customer has paid too much, of a deposit that was swept before. */
async function owedRefund(): Promise<Owed> {
  const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
  await mint(wallet, 1n)
  const { id, depositAddress, clientSecret } = await stage.createDeposit()
  await mint(depositAddress, 30_000_000n)
  await stage.work()
  expect(await stage.stored(id)).toMatchObject({ status: 'swept', refunded: 0n })
  const { status } = await stage.post(`/deposits/refund-request/${id}`, { address: wallet, clientSecret })
  expect(status).toBe(200)
  return {
    id,
    async expectOnce(death) {
      expect([death, await balanceOf(wallet)]).toEqual([death, '5000001'])
      expect([death, await stage.stored(id)]).toMatchObject([death, { refunded: 5_000_000n, refunding: 0n }])
      const refunded = (await stage.events(id)).filter((type) => type === 'deposit.refunded')
      expect([death, refunded]).toEqual([death, ['deposit.refunded']])
    },
  }
}

/** Detected, queued, stored before broadcast, marked as broadcast, and counted; a refund is not detected. */
const payouts = [
  { kind: 'deposit’s payout', make: owedSweep, deathsMin: 10 },
  { kind: 'refund', make: owedRefund, deathsMin: 6 },
]

for (const { kind, make, deathsMin } of payouts) {
  test(`replicas die one after the other at each commit of a ${kind}: the next one continues, and the money is shared once`, async () => {
    const died: string[] = []
    let { merchant, platform } = await stage.balances()
    for (let commit = 1; commit <= commitsMax; commit++) {
      for (const at of ['inside', 'after'] as const) {
        const { id, expectOnce } = await make()
        const { db, isDead } = openDyingDb(stage.db, { commit, at })
        await stage
          .openWorkers(db)
          .work()
          .catch((error: unknown) => {
            if (!isDead()) throw error
          })
        if (isDead()) died.push(`${commit} ${at}`)
        await stage.openWorkers(stage.db).work()
        merchant += 24_625_000n
        platform += 375_000n
        expect([commit, at, await stage.stored(id)]).toMatchObject([commit, at, { status: 'swept' }])
        expect(await stage.balances()).toEqual({ merchant, platform })
        await expectOnce(`${commit} ${at}`)
      }
      if (!died.includes(`${commit} inside`)) break
    }
    expect(died.length).toBeGreaterThanOrEqual(deathsMin)
  }, 240_000)
}
