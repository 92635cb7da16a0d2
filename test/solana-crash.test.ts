import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

const story = await openStory('solana-crash', { solana: true })
const { bff, receiver, hears } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = solana

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

/** What each commit writes that a deposit on Solana goes through; `nth` where the same is written more than once. */
const commits: { name: string; writes: string[]; nth?: number }[] = [
  { name: 'the account of the deposit is written down', writes: ['insert into solana_accounts'] },
  {
    name: 'the transaction that makes the account is stored',
    writes: ['insert into outgoing_accounts', 'insert into outgoing_transactions'],
  },
  { name: 'the account is made', writes: ["'confirmed' else 'failed'", 'update solana_accounts set state'] },
  {
    name: 'the watcher sees the transfer',
    writes: ['insert into transfers', 'update solana_accounts set read_amount'],
  },
  { name: 'the watcher finds it final and queues its sweep', writes: ['insert into payouts'] },
  {
    name: 'the signed sweep is stored',
    writes: ['insert into outgoing_transactions', 'insert into outgoing_payouts'],
  },
  { name: 'it is noted that a node has the sweep', writes: ['update outgoing_transactions set sent_at_ms'], nth: 2 },
  { name: 'the final sweep ends the payment', writes: ["'confirmed' else 'failed'", 'delete from payouts'] },
]

/** Blocks come until there is to be seen what is looked for, or the service has died on the way. */
async function onward(what: string, look: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (bff.isDead() || (await look())) return true
    await chain.advance(2)
    return false
  })
}

const isSwept = async ({ id }: PaymentBody) => (await bff.read(id))['status'] === 'swept'

/** One payment from its account to the last webhook, or until the service dies on the way. */
async function play(payment: PaymentBody): Promise<void> {
  const { depositAddress } = payment
  await onward('the account to be made', () => chain.hasAccount(depositAddress))
  await chain.finalize()
  await chain.pay(depositAddress, '25.00')
  await onward('the end', () => isSwept(payment))
  await until('the service to die', () => bff.isDead())
}

async function startAgain(failpoint?: Failpoint): Promise<void> {
  await bff.kill()
  await bff.start({ failpoint })
}

for (const { name, writes, nth = 1 } of commits) {
  for (const at of ['inside', 'after'] as const) {
    const where = at === 'inside' ? 'before it is committed' : 'the moment it is committed'
    test(`killed when ${name}, ${where}: the payment is settled once and the merchant gets every event, each under one id`, async () => {
      await startAgain({ writes, nth, at })
      const before = [await chain.units(merchant), await chain.units(platform)]
      const payment = await bff.createDeposit({ amount: '25.00', network: 'solana-devnet' })
      await play(payment)
      await startAgain()
      await onward('the payment to be settled', () => isSwept(payment))
      await chain.finalize()

      const after = [await chain.units(merchant), await chain.units(platform)]
      expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([24_625_000n, 375_000n])
      expect(await chain.hasAccount(payment.depositAddress)).toBe(false)
      expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00' })
      await hears(payment, paidInFull)
      const ids = receiver.tries(payment.id).map(({ id, sequence }) => `${id} ${sequence}`)
      expect(new Set(ids).size).toBe(paidInFull.length)
      const sweeps = await bff.query<{ state: string }>(
        `select x.state from outgoing_transactions x join outgoing_payouts o on o.transaction_id = x.id
          where o.payment_id = ? and x.state <> 'failed'`,
        payment.id,
      )
      expect(sweeps).toEqual([{ state: 'confirmed' }])
    })
  }
}

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
