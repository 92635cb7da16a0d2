import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openPayer } from './harness/payer.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

const story = await openStory('crash', { gated: true })
const { bff, chain, receiver, gates, devnet, openTill, sweep, hears } = story
const payer = openPayer(story)

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

/** What each commit writes that a payment goes through; `nth` where the same is written more than once. */
const commits: { name: string; writes: string[]; nth?: number }[] = [
  { name: 'the watcher sees the transfer', writes: ['insert into transfers', 'insert into headers'] },
  { name: 'the watcher confirms it and queues its sweep', writes: ['insert into payouts', 'insert into headers'] },
  {
    name: 'the signed sweep is stored',
    writes: ['insert into outgoing_transactions', 'insert into outgoing_payouts'],
  },
  { name: 'it is noted that a node has the sweep', writes: ['update outgoing_transactions set sent_at_ms'] },
  { name: 'the final sweep ends the payment', writes: ["'confirmed' else 'failed'", 'delete from payouts'] },
  { name: 'the first delivery is noted', writes: ['insert into attempts'] },
  { name: 'the last delivery is noted', writes: ['insert into attempts'], nth: 4 },
]

/** One payment from the transfer to the last webhook, or until the service dies on the way. */
async function play({ id, depositAddress }: PaymentBody): Promise<void> {
  const reaches = (what: string, look: () => Promise<boolean> | boolean) =>
    until(what, async () => bff.isDead() || (await look()))
  await chain.pay(depositAddress, '25.00')
  await reaches('the transfer to be seen', async () => (await bff.read(id))['amountDetected'] === '25.00')
  await chain.mine(2)
  await reaches('the sweep to be in a block', () => chain.hasCode(depositAddress))
  await chain.mine(2)
  await reaches('the end', async () => (await bff.read(id))['status'] === 'swept')
  await until('the service to die', () => bff.isDead())
}

const dueDeliveries = async () => (await bff.query("select number from deliveries where state = 'due'")).length

const operatorNonce = () =>
  chain.node().reader.getTransactionCount({ address: devnet.operator.address, blockTag: 'pending' })

async function startAgain(failpoint?: Failpoint): Promise<void> {
  // What the test before left to be noted would end this one at its failpoint.
  if (failpoint) await until('all deliveries to be noted', async () => bff.isDead() || (await dueDeliveries()) === 0)
  await bff.kill()
  await bff.start({ failpoint })
}

for (const { name, writes, nth = 1 } of commits) {
  for (const at of ['inside', 'after'] as const) {
    const where = at === 'inside' ? 'before it is committed' : 'the moment it is committed'
    test(`killed when ${name}, ${where}: the payment is settled once and the merchant gets every event, each under one id`, async () => {
      await startAgain({ writes, nth, at })
      const earned = await openTill()
      const nonce = await operatorNonce()
      const payment = await bff.createDeposit({ amount: '25.00' })
      await play(payment)
      await startAgain()
      await chain.mine(2)
      await sweep([payment])

      expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
      expect(await operatorNonce()).toBe(nonce + 1)
      expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00' })
      await hears(payment, paidInFull)
      const ids = receiver.tries(payment.id).map(({ id, sequence }) => `${id} ${sequence}`)
      expect(new Set(ids).size).toBe(paidInFull.length)
    })
  }
}

test('killed when the logs of a block were read and nothing was stored, it reads them again', async () => {
  await startAgain()
  const payment = await bff.createDeposit({ amount: '25.00' })
  gates.devnet.hold('eth_getLogs', 'after')
  await chain.pay(payment.depositAddress, '25.00')
  await gates.devnet.held('eth_getLogs')
  await bff.kill()
  gates.devnet.release()
  await bff.start()
  await chain.mine(2)
  await sweep([payment])
  await hears(payment, paidInFull)
})

const creates = [
  { at: 'inside', where: 'before its commit', amount: '25.01', isReplayed: null },
  { at: 'after', where: 'the moment it was committed', amount: '25.02', isReplayed: 'true' },
] as const

for (const { at, where, amount, isReplayed } of creates) {
  test(`a create that is killed ${where}, and its repeats, are one payment`, async () => {
    await startAgain({ writes: ['insert into payments', 'insert into idempotency_keys'], nth: 1, at })
    const key = { 'idempotency-key': randomUUID() }
    await expect(bff.postDeposit({ amount }, key)).rejects.toThrow()
    await startAgain()
    const first = await bff.postDeposit({ amount }, key)
    const second = await bff.postDeposit({ amount }, key)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body['payment']).toEqual(first.body['payment'])
    expect(first.headers.get('idempotent-replayed')).toBe(isReplayed)
    expect(
      await bff.query('select id from payments where due = ?', amount.replace('.', '').padEnd(8, '0')),
    ).toHaveLength(1)
  })
}

const handIns = [
  { at: 'inside', where: 'before it was noted' },
  { at: 'after', where: 'the moment it was noted' },
  { at: 'verified', where: 'when its receipt was read and nothing was applied' },
] as const

for (const { at, where } of handIns) {
  test(`a transaction that was handed in, its service killed ${where}, completes the payment once`, async () => {
    await startAgain(at === 'verified' ? undefined : { writes: ['insert into submissions'], nth: 1, at })
    const earned = await openTill()
    const payment = await bff.createPayment({ amount: '25.00' })
    if (at === 'verified') {
      // The watcher would be faster: it is kept from the logs.
      gates.devnet.hold('eth_getLogs', 'before')
      gates.devnet.hold('eth_getTransactionReceipt', 'after')
    }
    const txId = await payer.pay(payment.contractCall)
    const answer = bff.process(payment, txId).catch(() => 'lost')
    if (at === 'verified') {
      await gates.devnet.held('eth_getTransactionReceipt')
      await bff.kill()
      gates.devnet.release()
    }
    expect(await answer).toBe('lost')
    await startAgain()
    await chain.mine(2)
    await bff.shows(payment.id, { outcome: 'paid', status: 'completed' })
    expect((await bff.process(payment, txId)).body).toMatchObject({ isAlreadyCompleted: true })
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    await hears(payment, ['payment.created', 'payment.detected', 'payment.completed'])
  })
}

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
