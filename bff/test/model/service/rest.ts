import { watchAfterWindowMs } from '@stablecoin-checkout/bff/testing/chain'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import { InvariantError } from '../sentences.ts'
import { workerNames } from './service.ts'
import type { World } from './service-world.ts'

/**
 * Rounds of an hour until everything due was retried and every window is over: the fourth refund of a payment waits for a day,
 * and so does a window whose bridge is pending.
 */
const restRounds = 32

/**
 * Transfers to be read or confirmed are work too, although no payment waits for them: money beyond the amount due counts later.
 */
const isIdle = async (world: World): Promise<boolean> => {
  const query = sql`
      select (select count(*) from payouts) + (select count(*) from outgoing_transactions where state in ('stored', 'replaced'))
             + (select count(*) from payments where status = 'pending') + (select count(*) from transfers where state = 'seen')
             + (select count(*) from parked_shares) + (select count(*) from second_reads) + (select count(*) from unmatched_second_reads)
             + (select count(*) from late_searches where from_block is not null) as work`
  return Number((await world.read((tx) => tx.get<{ work: number }>(query)))?.work) === 0
}

/** Rounds after the watch window, in which the late scan reaches every address. */
const scanRounds = 6

/**
 * Honest nodes, a working token and gas, until nothing is left to do. If no node may have shown a block's logs in either of its
 * two reads, money beyond the amount due is found when its deposit leaves the watch window.
 */
export async function rest(world: World): Promise<void> {
  await untilIdle(world)
  if (await report(world)) await untilIdle(world)
  if (!world.isBlind()) return
  world.chain.wait(watchAfterWindowMs / 1_000 + 86_400)
  for (let round = 0; round < scanRounds; round += 1) {
    await world.chain.mine(8, 60)
    for (const worker of ['watcher', 'late', 'late', 'late'] as const) await world.pass(worker, [])
    world.chain.wait(3_600)
  }
  await untilIdle(world)
}

/** Names the transactions that the watcher cannot know, or of which no node has shown it the logs. @returns whether there were any. */
async function report(world: World): Promise<boolean> {
  const unread = world.isBlind() ? world.walletPayments : []
  for (const payment of unread) await world.processOwn(payment)
  return (await world.reportRefunds(world.isBlind())) || unread.length > 0
}

async function untilIdle(world: World): Promise<void> {
  world.setBlocked(false)
  world.setPaused(false)
  world.setGas(false)
  world.chain.wait(3_600)
  for (let round = 0; round < restRounds; round += 1) {
    await world.chain.mine(8, 60)
    world.chain.wait(round < 4 ? 600 : 3_600)
    if (round > 3 && (await isIdle(world))) return
    for (const worker of workerNames) {
      for (let passes = 0; passes < 12; passes += 1) {
        const end = await world.pass(worker, [])
        if (end instanceof Error && round >= 2) throw new InvariantError(7, `${worker}: ${end.message}`)
        if (end !== 'more') break
      }
    }
  }
}
