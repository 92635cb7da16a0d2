import { expect, test } from 'vitest'
import { runBeside } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('tolerance')
const { bff, chain, files, openTill, sweep, hears } = story

const set = (...args: string[]) => runBeside(['merchants', 'set', bff.merchant.merchantId, ...args], files.env)

test('a withdrawal from which an exchange has kept its fee pays where the merchant accepts it, and is forwarded', async () => {
  const before = await bff.createDeposit({ amount: '100.00' })
  expect(await set('--tolerance', '100,1.50')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('tolerance 100,1.50\nlate payments report\npublic reports off\n'),
  })
  const created = async () => await bff.createDeposit({ amount: '100.00' })
  // The service remembers a key's merchant for a second.
  await expect
    .poll(async () => {
      const { id } = await created()
      return await bff.query<{ least: string }>('select least from payments where id = ?', id)
    })
    .toEqual([{ least: '99000000' }])

  const earned = await openTill()
  const payment = await created()
  expect(await bff.read(payment.id)).toMatchObject({ amount: '100.00', amountRemaining: '100.00' })
  await chain.pay(payment.depositAddress, '98.50')
  await bff.shows(payment.id, { outcome: 'pending', paymentState: 'underpaid', amountRemaining: '1.50' })
  await chain.pay(payment.depositAddress, '0.50')
  await bff.shows(payment.id, { amountDetected: '99.00', amountRemaining: '0.00' })
  await chain.mine(2)
  await bff.shows(payment.id, {
    outcome: 'paid',
    paymentState: 'completed',
    amountReceived: '99.00',
    excessOwed: '0.00',
  })
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '97.515', platform: '1.485' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.underpaid', 'payment.completed', 'deposit.swept'],
  ])

  // The rest comes after the payout: the merchant does not have it, so it is owed back.
  await chain.pay(payment.depositAddress, '1.00')
  await chain.mine(2)
  await bff.shows(payment.id, {
    paymentState: 'overpaid_refunding',
    excessOwed: '1.00',
    settlement: { state: 'settled' },
  })
  const payer = `0x${'c0ffee'.repeat(6)}0001`
  expect((await bff.requestRefund(payment.id, { address: payer })).status).toBe(200)
  await until('the rest to be back', async () => (await chain.balance('USDC', payer)) === 1_000_000n)
  await chain.mine(2)
  await bff.shows(payment.id, { paymentState: 'completed', excessOwed: '0.00', refund: { state: 'refunded' } })
  expect(await earned()).toEqual({ merchant: '97.515', platform: '1.485' })
  await expectBooksToClose(story)

  await chain.pay(before.depositAddress, '99.00')
  await chain.mine(2)
  await bff.shows(before.id, { outcome: 'pending', paymentState: 'underpaid', amountRemaining: '1.00' })
})

test('a setting that cannot be says why, and changes nothing', async () => {
  expect((await set()).stderr).toMatch(/^error: there is no setting to change\n/)
  expect((await set('--tolerance', '2000,1')).stderr).toMatch(/at most 1000 basis points/)
  const nobody = await runBeside(['merchants', 'set', 'nobody', '--tolerance', '1,1'], files.env)
  expect(nobody.stderr).toMatch(/there is no merchant "nobody"/)
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
