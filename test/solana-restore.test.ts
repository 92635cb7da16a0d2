import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('solana-restore', { solana: true })
const { bff } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = solana

const isSwept = async ({ id }: PaymentBody) => (await bff.read(id))['status'] === 'swept'

async function onward(what: string, look: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await look()) return true
    await chain.advance(2)
    return false
  })
}

test('a restored backup finds on Solana what was paid and settled since, and pays nobody twice', async () => {
  const create = (orderId: string) => bff.createDeposit({ amount: '25.00', network: 'solana-devnet', orderId })
  const [open, seen] = [await create('open'), await create('seen')]
  for (const { depositAddress } of [open, seen]) {
    await onward('the accounts to be made', () => chain.hasAccount(depositAddress))
  }
  await chain.finalize()
  await chain.pay(seen.depositAddress, '25.00')
  await bff.shows(seen.id, { amountDetected: '25.00', outcome: 'pending' })
  const restore = await bff.backUp()

  await chain.pay(open.depositAddress, '25.00')
  for (const payment of [open, seen]) await onward('the payments to be settled', () => isSwept(payment))
  await chain.finalize()
  const earned = [await chain.units(merchant), await chain.units(platform)]
  expect(earned).toEqual([49_250_000n, 750_000n])
  const sweeps = await Promise.all([open, seen].map(async ({ id }) => (await bff.read(id))['sweepTxHash']))

  await bff.kill()
  await restore()
  await bff.start()
  for (const payment of [open, seen]) await onward('the sweeps to be found', () => isSwept(payment))
  for (const [index, { id }] of [open, seen].entries()) {
    expect(await bff.read(id)).toMatchObject({
      outcome: 'paid',
      amountReceived: '25.00',
      excessOwed: '0.00',
      sweepTxHash: sweeps[index],
    })
  }
  await chain.finalize()
  expect([await chain.units(merchant), await chain.units(platform)]).toEqual(earned)
})

test('a refund that a restored backup does not know is found on Solana, counted, and not sent again', async () => {
  const payment = await bff.createDeposit({ amount: '10.00', network: 'solana-devnet', orderId: 'overpaid' })
  await onward('the account to be made', () => chain.hasAccount(payment.depositAddress))
  const customer = await chain.newWallet()
  await chain.pay(payment.depositAddress, '12.00')
  await chain.finalize()
  // The sweep is sent, and no block makes it final: the refund waits for it.
  await bff.shows(payment.id, { outcome: 'paid', status: 'sweeping' })
  expect((await bff.requestRefund(payment.id, { address: customer })).status).toBe(200)
  const restore = await bff.backUp()

  await onward('the refund', async () => (await chain.balance(customer)) === '2.00')
  await chain.finalize()
  const state = async () => ((await bff.read(payment.id))['refund'] as { state: string }).state
  await onward('the refund to be final', async () => (await state()) === 'refunded')
  const { refund } = await bff.read(payment.id)

  await bff.kill()
  await restore()
  await bff.start()
  await onward('the refund to be found', async () => (await state()) === 'refunded')
  expect((await bff.read(payment.id))['refund']).toMatchObject({ txHash: (refund as { txHash: string }).txHash })
  expect(await chain.balance(customer)).toBe('2.00')
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
