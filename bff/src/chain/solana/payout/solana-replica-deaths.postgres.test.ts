import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** More commits than a deposit's payout has. */
const commitsMax = 30

let stage: SolanaStage
beforeAll(async () => {
  stage = await openSolanaStage()
})
afterAll(() => stage.close())

test('replicas die one after the other at each commit of a deposit’s payout: the next one continues, and the money is shared once', async () => {
  const died: string[] = []
  let [merchant, platform] = [0n, 0n]
  for (let commit = 1; commit <= commitsMax; commit++) {
    for (const at of ['inside', 'after'] as const) {
      const { id, depositAddress } = await stage.createDeposit()
      await mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, {
        ...{ mint: stage.mint().toBase58(), to: depositAddress, amount: 25_000_000n },
      })
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
    }
    if (!died.includes(`${commit} inside`)) break
  }
  // Detected, queued, stored before broadcast, marked as broadcast, and counted.
  expect(died.length).toBeGreaterThanOrEqual(10)
}, 240_000)
