import { getAddress } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { runBeside } from './harness/bff.ts'
import { openReceiver } from './harness/receiver.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, files, receiver, sweep } = await openStory('operator')
const { merchantId } = bff.merchant

/** The endpoint has a secret of its own. */
let endpointSecret = ''
const endpoint = await openReceiver(() => endpointSecret)
afterAll(endpoint.close)

/** Runs a command beside the running service. @returns its answer. */
async function run(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await runBeside([...args, '--json'], files.env)
  if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('an operator sees a payment’s whole history at the command line, and sends back what was paid too much', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'A-1042' })
  await chain.pay(payment.depositAddress, '30.00')
  await chain.mine(2)
  await sweep([payment])
  const payer = getAddress(`0x${'7e'.repeat(20)}`)
  const refused = await runBeside(['payments', 'refund', payment.id, '--to', '0x12'], files.env)
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('address must be an address') })
  expect(await run('payments', 'refund', payment.id, '--to', payer)).toMatchObject({
    excessOwed: '5.00',
    refund: { state: 'sending', address: payer },
  })
  await until('the refund to reach a block', async () => (await chain.balance('USDC', payer)) === 5_000_000n)
  await chain.mine(2)
  await bff.shows(payment.id, { refund: { state: 'refunded', amountRefunded: '5.00' } })

  const { history } = (await run('payments', 'show', payment.id)) as { history: { kind: string; says: string }[] }
  const lines = history.filter(({ kind }) => kind !== 'webhook').map(({ kind, says }) => `${kind}: ${says}`)
  expect(lines[0]).toBe('event: payment.created')
  for (const expected of [
    /^transfer: 30.00 USDC from 0x\w{40}, confirmed \(0x\w{64}\)$/,
    /^event: payment.completed$/,
    /^transaction: sweep 0x\w{64}, nonce \d+, confirmed$/,
    new RegExp(`^refund request: refund to ${payer}, said by the merchant$`),
    /^transaction: refund 0x\w{64}, nonce \d+, confirmed$/,
    /^event: deposit.refunded$/,
  ]) {
    expect(lines).toContainEqual(expect.stringMatching(expected))
  }
  const text = (await runBeside(['payments', 'show', payment.id], files.env)).stdout
  expect(text).toMatch(/^order id +A-1042$/m)
  expect(text).toMatch(/^status +swept$/m)
  expect(await run('payments', 'list', merchantId, '--status', 'paid', '--search', 'A-1042')).toMatchObject({
    payments: [{ id: payment.id, status: 'swept' }],
    totalCount: 1,
  })
  expect((await runBeside(['payments', 'show', 'nobody'], files.env)).stderr).toBe('there is no payment "nobody"\n')
})

test('an operator takes late money with one command', async () => {
  const payment = await bff.createDeposit({ amount: '27.00' })
  expect(await runBeside(['payments', 'accept-late', payment.id], files.env)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The payment is still open'),
  })
  await chain.mine(1)
  await chain.travel(901)
  await bff.shows(payment.id, { status: 'expired' })
  await chain.pay(payment.depositAddress, '27.00')
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'failed', excessOwed: '27.00' })
  expect(await run('payments', 'accept-late', payment.id)).toMatchObject({ outcome: 'paid' })
  await sweep([payment])
})

test('an endpoint is tried at once, and what it refused is sent again when somebody says so', async () => {
  const headers = { 'x-api-key': bff.merchant.apiKey, 'x-api-secret': bff.merchant.apiSecret }
  const { body } = await bff.ask('/api/v1/webhooks/endpoints', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: endpoint.url }),
  })
  const id = String((body['endpoint'] as Record<string, unknown>)['id'])
  endpointSecret = String(body['secret'])
  for (const server of [receiver, endpoint]) server.answer(() => 500)
  expect(await runBeside(['webhooks', 'test', merchantId, id, '--json'], files.env)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('"code":500'),
  })
  const payment = await bff.createDeposit({ amount: '26.00' })
  const deliveries = async () =>
    (await run('webhooks', 'list', merchantId, '--payment', payment.id))['deliveries'] as Record<string, unknown>[]
  const refused = await until('both to be refused', async () => {
    const rows = await deliveries()
    return rows.length === 2 && rows.every(({ last }) => (last as { code: number } | null)?.code === 500) && rows
  })
  for (const server of [receiver, endpoint]) server.answer(() => 204)
  const numbers = refused.map(({ delivery }) => String(delivery))
  await run('webhooks', 'redeliver', merchantId, ...numbers)
  await until('both to be delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'))
  expect(await runBeside(['webhooks', 'test', merchantId, id], files.env)).toMatchObject({ exitCode: 0 })
  expect(await run('webhooks', 'list', merchantId)).toMatchObject({
    endpoints: [{ id, url: endpoint.url, disabledReason: null }],
  })
  expect((await runBeside(['webhooks', 'redeliver', merchantId, '9999999'], files.env)).stderr).toContain(
    'There is no webhook delivery 9999999',
  )
})
