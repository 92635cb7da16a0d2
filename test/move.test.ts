import { startPostgres } from '@stablecoin-checkout/rig/postgres-server'
import { afterAll, expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { runBeside } from './harness/bff.ts'
import { readBooks } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const server = await startPostgres()
afterAll(() => server.stop())
const story = await openStory('move', { solana: true })
const { bff, chain, files, hears, openTill, sweep } = story
const solana = story.onSolana?.chain
if (!solana) throw new Error('The story is not on Solana')

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

const fileEnv = { ...files.env }
const move = () => runBeside(['move', '--to', server.url], fileEnv)

async function onSolana(what: string, isSo: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await isSo()) return true
    await solana?.advance(2)
    return false
  })
}

async function readFeed(): Promise<unknown[]> {
  const { body } = await bff.get('/events?after=0&limit=100')
  return body['events'] as unknown[]
}

const isSwept = async ({ id }: PaymentBody) => (await bff.read(id))['status'] === 'swept'

test('a database that is moved to PostgreSQL loses nothing: what was in flight is paid and swept there', async () => {
  const earned = await openTill()
  const swept = await bff.createDeposit({ amount: '25.00', orderId: 'swept' })
  const seen = await bff.createDeposit({ amount: '30.00', orderId: 'seen' })
  const wallet = await bff.createPayment({ amount: '5.00', orderId: 'by-wallet' })
  const onOther = await bff.createDeposit({ amount: '10.00', network: 'solana-devnet', orderId: 'on-solana' })
  await chain.pay(swept.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([swept])
  await hears(swept, paidInFull)
  await onSolana('the account to be made', () => solana.hasAccount(onOther.depositAddress))
  await chain.pay(seen.depositAddress, '30.00')
  await bff.shows(seen.id, { amountDetected: '30.00', outcome: 'pending' })
  const feed = await readFeed()

  const early = await move()
  expect([early.exitCode, early.stderr]).toEqual([1, expect.stringContaining('is in use. Stop the service first')])
  await bff.stop()
  const { exitCode, stdout, stderr } = await move()
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`SECRETS_KEY_FILE=${files.databasePath}.key`)])
  expect(stdout).toMatch(/^payments +4 +due 70000000, /m)
  expect(stderr).toContain('copying and verifying rows 100 %')

  const mistaken = await runBeside([], fileEnv)
  expect([mistaken.exitCode, mistaken.stderr]).toEqual([1, expect.stringContaining('was moved to postgres://')])

  delete files.env['DATABASE_PATH']
  files.env['DATABASE_URL'] = server.url
  files.env['SECRETS_KEY_FILE'] = `${files.databasePath}.key`
  await bff.start()
  expect((await readFeed()).slice(0, feed.length)).toEqual(feed)
  await chain.mine(2)
  await sweep([seen])
  await hears(seen, paidInFull)
  expect(await earned()).toEqual({ merchant: '54.175', platform: '0.825' })
  await bff.shows(swept.id, { outcome: 'paid', status: 'swept' })
  expect((await bff.get(`/payments/${wallet.id}`)).status).toBe(200)
  // Its account's key comes from the seed, which is sealed in the database.
  await solana.pay(onOther.depositAddress, '10.00')
  await onSolana('the payment on Solana to be settled', () => isSwept(onOther))

  await chain.mine(3)
  await solana.finalize()
  await expect
    .poll(async () => {
      const { exitCode, books } = await readBooks(story)
      return { exitCode, payments: books?.networks.map(({ payments }) => payments) }
    })
    .toEqual({ exitCode: 0, payments: expect.arrayContaining([3, 1]) })
}, 180_000)
