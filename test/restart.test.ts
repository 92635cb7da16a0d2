import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, gates, devnet, openTill, sweep, hears, caughtUp } = await openStory('restart', {
  gated: true,
})

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

/** Where the service is when it is killed, and what it finds changed when it starts again. */
type Stage = {
  name: string
  reach(payment: PaymentBody): Promise<void>
  whileDown?(payment: PaymentBody): Promise<void>
  /** Blocks that the payment still needs after the start. */
  blocksToGo?: number
}

const pay = async ({ depositAddress }: PaymentBody) => void (await chain.pay(depositAddress, '25.00'))

const confirm = async (payment: PaymentBody) => {
  await pay(payment)
  await chain.mine(2)
}

const setOperatorWei = (wei: bigint) =>
  chain.node().rpc('anvil_setBalance', devnet.operator.address, `0x${wei.toString(16)}`)

const stages: Stage[] = [
  {
    name: 'the payment was created, and it is paid and confirmed while the service is down',
    reach: async ({ id }) => void (await until('its event', () => receiver.types(id).length > 0)),
    whileDown: confirm,
  },
  {
    name: 'the transfer was seen',
    async reach(payment) {
      await pay(payment)
      await bff.shows(payment.id, { amountDetected: '25.00', outcome: 'pending' })
    },
    blocksToGo: 2,
  },
  {
    name: 'the payment was confirmed and its sweep is not begun',
    async reach(payment) {
      await setOperatorWei(0n)
      await confirm(payment)
      await bff.shows(payment.id, { outcome: 'paid', status: 'sweeping' })
    },
    whileDown: async () => void (await setOperatorWei(10n ** 18n)),
  },
  {
    name: 'the sweep was signed and stored, and no node has it',
    async reach(payment) {
      gates.devnet.hold('eth_sendRawTransaction', 'before')
      await confirm(payment)
      await gates.devnet.held('eth_sendRawTransaction')
    },
    whileDown: async () => gates.devnet.release(),
  },
  {
    name: 'the sweep was broadcast, and the service does not know it',
    async reach(payment) {
      gates.devnet.hold('eth_sendRawTransaction', 'after')
      await confirm(payment)
      await gates.devnet.held('eth_sendRawTransaction')
    },
    whileDown: async () => gates.devnet.release(),
  },
  {
    name: 'the sweep is in a block, and becomes final while the service is down',
    async reach(payment) {
      await confirm(payment)
      await until('the sweep to be in a block', () => chain.hasCode(payment.depositAddress))
    },
    whileDown: async () => await chain.mine(2),
  },
  {
    name: 'the money is in the wallets, and the merchant’s server has not answered its event',
    async reach(payment) {
      receiver.answer(({ type }) => (type === 'deposit.swept' ? 'silent' : 200))
      await confirm(payment)
      await sweep([payment])
      await until('the last event', () => receiver.tries(payment.id).some(({ type }) => type === 'deposit.swept'))
    },
    whileDown: async () => receiver.answer(),
  },
]

for (const { name, reach, whileDown, blocksToGo = 0 } of stages) {
  test(`killed when ${name}, it settles the payment once and the merchant gets every event`, async () => {
    const earned = await openTill()
    const payment = await bff.createDeposit({ amount: '25.00' })
    await reach(payment)
    await bff.kill()
    await whileDown?.(payment)
    await bff.start()
    await chain.mine(blocksToGo)
    await sweep([payment])

    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00' })
    await hears(payment, paidInFull)
    const ids = receiver.tries(payment.id).map(({ id, sequence }) => `${id} ${sequence}`)
    expect(new Set(ids).size).toBe(paidInFull.length)
  })
}

test('a create whose answer was lost in a kill is the same payment when it is repeated', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const first = await bff.postDeposit({ amount: '25.00' }, key)
  await bff.kill()
  await bff.start()
  const second = await bff.postDeposit({ amount: '25.00' }, key)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.body['payment']).toEqual(first.body['payment'])
})

test('killed after every block, it settles twelve payments once each', async () => {
  const earned = await openTill()
  const payments = await Promise.all(Array.from({ length: 12 }, () => bff.createDeposit({ amount: '0.99' })))
  const [half = [], otherHalf = []] = [payments.slice(0, 6), payments.slice(6)]
  const payAll = (some: PaymentBody[]) =>
    chain.payTogether(some.map((one) => ({ to: one.depositAddress, amount: '0.99' })))
  const blocks = [
    () => payAll(half),
    () => chain.mine(1),
    () => payAll(otherHalf),
    ...Array(4).fill(() => chain.mine(1)),
  ]
  for (const makeBlock of blocks) {
    await makeBlock()
    await caughtUp()
    await bff.kill()
    await bff.start()
  }
  await sweep(payments)
  expect(await earned()).toEqual({ merchant: '11.7018', platform: '0.1782' })
  for (const payment of payments) await hears(payment, paidInFull)
})

test('asked to stop, it ends in order with work in hand, and takes it up again', async () => {
  receiver.answer(({ type }) => (type === 'payment.detected' ? 'silent' : 200))
  const payment = await bff.createDeposit({ amount: '25.00' })
  await pay(payment)
  await until('a try in hand', () => receiver.tries(payment.id).some(({ type }) => type === 'payment.detected'))
  expect(await bff.stop()).toBe(0)

  receiver.answer()
  await chain.mine(2)
  await bff.start()
  await sweep([payment])
  await hears(payment, paidInFull)
})
