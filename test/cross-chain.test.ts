import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import type { As, CrossChainBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openRelay } from './harness/relay.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

// The customer pays on devnet-b, the merchant is paid on devnet.

const relay = await openRelay(inject('devnet'))
afterAll(relay.close)
afterEach(relay.behaves)
const story = await openStory('cross-chain', {
  settings: { relay: { baseUrl: relay.url, pollMs: 50, minimumAmount: '0.10', reindexAfterSeconds: 1 } },
})
const { bff, chain, receiver, devnet, openTill } = story

const post = (change: object = {}, headers: Record<string, string> = {}, as: As = 'server') =>
  bff.postCrossChain({ amount: '25.00', ...change }, headers, as)

async function create(change: object = {}): Promise<CrossChainBody> {
  const { status, body } = await post(change)
  if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
  return body['payment'] as CrossChainBody
}

async function bridge(id: string): Promise<Record<string, unknown>> {
  const { body } = await bff.get(`/payments/cross-chain/status/${id}`)
  return body['payment'] as Record<string, unknown>
}

const bridgeShows = (id: string, expected: Record<string, unknown>) =>
  expect.poll(() => bridge(id)).toMatchObject(expected)

/** The customer sends on the origin chain; by default exactly what was asked. */
const send = ({ relayDepositAddress, amountToSendFormatted }: CrossChainBody, amount = amountToSendFormatted) =>
  chain.pay(relayDepositAddress, amount, { network: 'devnet-b' })

/** Sees what was delivered through to the merchant's wallet. */
async function settle({ id, destination }: CrossChainBody): Promise<void> {
  await chain.mine(2)
  await until('the money to be forwarded', () => chain.hasCode(destination.address))
  await chain.mine(2)
  await bff.shows(id, { status: 'swept', outcome: 'paid', settlement: { state: 'settled' } })
}

/** What the customer has on the origin chain. */
const purse = () => chain.balance('USDC', devnet.customer.address, 'devnet-b')

const types = (id: string) => receiver.types(id).filter((type) => type !== 'bridge.moved')
const bridgeStatuses = (id: string) =>
  receiver.events(id).flatMap(({ type, data }) => (type === 'bridge.moved' ? [data['bridgeStatus']] : []))

const completed = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

test('money sent on one chain reaches the merchant and the platform on another, and every step is shown and notified', async () => {
  const [earned, before] = [await openTill(), await purse()]
  const payment = await create({ orderId: 'cc-1', metadata: { table: 7 } })
  expect(payment).toMatchObject({
    status: 'pending',
    originChainId: 31_338,
    originCurrency: 'USDC',
    depositAddress: null,
    amountToSend: '25075000',
    amountToSendFormatted: '25.075',
    bridgeStatus: 'waiting',
    destination: { network: 'devnet', currency: 'USDC', amount: '25.00' },
  })
  const txId = await send(payment)
  await bridgeShows(payment.id, { bridgeStatus: 'success', originTxHash: txId })
  const { destinationTxHash, outcome } = await bridge(payment.id)
  // The relay has said that it delivered; the chain has not confirmed it.
  expect(outcome).toBe('pending')
  await bff.shows(payment.id, { amountDetected: '25.00', outcome: 'pending', transactionHash: destinationTxHash })
  await settle(payment)

  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect(before - (await purse())).toBe(25_075_000n)
  expect(await chain.balance('USDC', payment.relayDepositAddress, 'devnet-b')).toBe(0n)
  expect(await bridge(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00' })
  await expect.poll(() => types(payment.id)).toEqual(completed)
  expect(bridgeStatuses(payment.id).at(-1)).toBe('success')
  expect(receiver.refusals).toEqual([])
  expect(receiver.events(payment.id).map(({ data }) => [data['orderId'], data['paymentMode']])).toContainEqual([
    ...['cc-1', 'cross_chain'],
  ])
})

test('USDT pays as well, and a page can ask with the public key', async () => {
  const earned = await openTill({ token: 'USDT' })
  const { status, body } = await post({ originCurrency: 'USDT' }, { 'idempotency-key': randomUUID() }, 'page')
  expect(status).toBe(200)
  const payment = body['payment'] as CrossChainBody
  await chain.pay(payment.relayDepositAddress, payment.amountToSendFormatted, { network: 'devnet-b', token: 'USDT' })
  await bridgeShows(payment.id, { bridgeStatus: 'success' })
  await settle(payment)
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('the sources are the chains of the bridge, with what can be sent there', async () => {
  const { body } = await bff.get('/payments/cross-chain/sources', {})
  expect(body['sources']).toEqual([
    expect.objectContaining({ chainId: 31_337, currencies: ['USDC', 'USDT'], minimumAmount: '0.10' }),
    expect.objectContaining({ chainId: 31_338, currencies: ['USDC', 'USDT'] }),
  ])
  expect(body['destinations']).toEqual([
    expect.objectContaining({ network: 'devnet', chainId: 31_337, currencies: ['USDC', 'USDT'] }),
    expect.objectContaining({ network: 'devnet-b', chainId: 31_338, currencies: ['USDC', 'USDT'] }),
  ])
})

describe('a refusal', () => {
  const refused = async (change: object = {}) => {
    const { status, body } = await post(change)
    return [status, body['code']]
  }
  test('has the code that the interface has for it', async () => {
    expect(await refused({ originChainId: 792_703_809 })).toEqual([400, 'ORIGIN_NOT_SUPPORTED'])
    expect(await refused({ originChainId: 1 })).toEqual([400, 'ORIGIN_NOT_SUPPORTED'])
    expect(await refused({ network: 'devnet-b' })).toEqual([400, 'NO_DESTINATION'])
    // Below the bridge's own least, and below ours.
    expect(await refused({ amount: '0.30' })).toEqual([400, 'NO_ROUTE'])
    expect(await refused({ amount: '0.09' })).toEqual([400, 'NO_ROUTE'])
    await relay.misbehaves({ fault: { status: 400, errorCode: 'INVALID_REFUND_TO', path: 'quote' } })
    expect(await refused()).toEqual([400, 'ORIGIN_REFUND_NOT_SUPPORTED'])
    await relay.misbehaves({ fault: { status: 400, errorCode: 'SANCTIONED_WALLET_ADDRESS', path: 'quote' } })
    expect(await refused()).toEqual([400, 'BRIDGE_REFUSED'])
  })
})

describe('a bridge that misbehaves', () => {
  test('is late: the wait is shown, and the payment is paid when the money comes', async () => {
    const earned = await openTill()
    const payment = await create()
    await relay.misbehaves({ delayMs: 600_000 })
    await send(payment)
    await bridgeShows(payment.id, {
      bridgeStatus: 'delayed',
      outcome: 'pending',
      bridgeMessage: expect.stringContaining('longer than usual'),
    })
    // What is on its way is not ended by a page that is closed.
    const failed = await bff.cancel(payment.id)
    expect(failed.body).toMatchObject({ skipped: true })
    relay.goesOn()
    await bridgeShows(payment.id, { bridgeStatus: 'success' })
    await settle(payment)
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  })

  test.each([
    ['fails', { outcome: 'refund' }, undefined, 'SOLVER_REJECTED'],
    ['finds the quote expired', { outcome: 'expire' }, undefined, 'ORDER_EXPIRED'],
    ['gets less than it asked for', {}, '25.00', 'DEPOSITED_AMOUNT_TOO_LOW'],
  ] as const)('%s: the customer has the tokens back, and nobody calls it paid', async (_, switches, amount, reason) => {
    const [earned, before] = [await openTill(), await purse()]
    const payment = await create()
    await relay.misbehaves(switches)
    await send(payment, amount)
    await bridgeShows(payment.id, { bridgeStatus: 'refund', bridgeReason: reason, destinationTxHash: null })
    const { bridgeRefundTxHash } = await bridge(payment.id)
    const { reader } = chain.node('devnet-b')
    expect(await reader.getTransactionReceipt({ hash: bridgeRefundTxHash as `0x${string}` })).toMatchObject({
      status: 'success',
      to: chain.node('devnet-b').token().address.toLowerCase(),
    })
    expect(await purse()).toBe(before)
    expect(await bff.read(payment.id)).toMatchObject({ outcome: 'pending', amountDetected: null })
    expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
    await expect.poll(() => types(payment.id)).toEqual(['payment.created'])
  })

  test('gets more than it asked for: the merchant gets the amount, and the customer the rest, where it came from', async () => {
    const [earned, before] = [await openTill(), await purse()]
    const payment = await create()
    await send(payment, '30.00')
    await bridgeShows(payment.id, { bridgeStatus: 'success' })
    await settle(payment)
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    expect(before - (await purse())).toBe(25_075_000n)
  })

  test('delivers too little: the payment is short, stays open, and completes when the rest arrives', async () => {
    const earned = await openTill()
    const payment = await create()
    await relay.misbehaves({ outcome: 'short' })
    await send(payment)
    await bridgeShows(payment.id, { bridgeStatus: 'success' })
    await chain.mine(2)
    await bff.shows(payment.id, { outcome: 'pending', paymentState: 'underpaid', amountRemaining: '12.50' })
    await chain.pay(payment.destination.address, '12.50')
    await settle(payment)
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    await expect.poll(() => types(payment.id)).toContain('payment.underpaid')
  })

  test('does not see the deposit: it is asked to look again', async () => {
    await relay.misbehaves({ isBlind: true })
    const payment = await create()
    await send(payment)
    await bridgeShows(payment.id, { bridgeStatus: 'success' })
    await settle(payment)
  })

  test('has a status that nobody knows: nothing is made of it, and the payment ends as it should', async () => {
    const payment = await create()
    await relay.misbehaves({ status: 'teleporting', delayMs: 500 })
    await send(payment)
    await until('the relay to have the money', () =>
      relay.orders().some(({ depositAddress, inTxHash }) => depositAddress === payment.relayDepositAddress && inTxHash),
    )
    await bridgeShows(payment.id, { bridgeStatus: 'success' })
    expect(bridgeStatuses(payment.id)).not.toContain('teleporting')
    await settle(payment)
  })

  test.each([429, 500])(
    'answers %i for a while: a create says when to come back, and what is open goes on',
    async (status) => {
      const payment = await create()
      await send(payment)
      await relay.misbehaves({ fault: { status, retryAfterSeconds: 3 } })
      const refused = await post()
      expect([refused.status, refused.body['code']]).toEqual([503, 'BRIDGE_UNAVAILABLE'])
      expect(refused.headers.get('retry-after')).toBe('3')
      await relay.behaves()
      await bridgeShows(payment.id, { bridgeStatus: 'success' })
      await settle(payment)
    },
  )

  test('meets a fault that is over at once: the customer sees none of it', async () => {
    await relay.misbehaves({ fault: { status: 503, errorCode: 'SERVICE_UNAVAILABLE', path: 'quote', times: 1 } })
    expect((await post()).status).toBe(200)
  })

  test('is away for good: what it delivered before pays all the same', async () => {
    const payment = await create()
    await relay.misbehaves({ fault: { status: 500, path: 'intents' } })
    await send(payment)
    await bff.shows(payment.id, { amountDetected: '25.00' })
    await settle(payment)
    expect((await bridge(payment.id))['bridgeStatus']).toBe('waiting')
    await relay.behaves()
    await bridgeShows(payment.id, { bridgeStatus: 'success', outcome: 'paid' })
  })
})

test('expiresIn ends the payment to the second, and what the bridge delivers afterwards is late', async () => {
  const payment = await create({ expiresIn: 90 })
  const { createdAt, expiresAt } = (await bff.get(`/payments/${payment.id}`)).body['payment'] as Record<string, string>
  expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBe(90_000)
  await chain.travel(91)
  await bff.shows(payment.id, { status: 'expired', outcome: 'failed' })
  await send(payment)
  await bridgeShows(payment.id, { bridgeStatus: 'success' })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'failed', paymentState: 'expired_refunding', excessOwed: '25.00' })
  await expect.poll(() => types(payment.id)).toEqual(['payment.created', 'payment.expired', 'payment.late'])
})

/** And waits until it has looked at both chains, which a busy machine lets it do after it listens. */
async function startAgain(failpoint?: Failpoint): Promise<void> {
  await bff.kill()
  await bff.start({ failpoint })
  await until('both networks to be payable', async () => {
    const { body } = await bff.get('/networks/payable')
    return (body['networks'] as object[]).length === 2
  })
}

describe('killed', () => {
  test.each([
    ['between the quote and the commit', 'inside'],
    ['between the commit and the answer', 'after'],
  ] as const)('%s: the customer who asks again gets one payment, which is paid once', async (_, at) => {
    await startAgain({ writes: ['insert into bridges'], nth: 1, at })
    const [earned, orders] = [await openTill(), relay.orders().length]
    const key = { 'idempotency-key': randomUUID() }
    await expect(post({}, key)).rejects.toThrow()
    expect(relay.orders()).toHaveLength(orders + 1)
    await startAgain()
    const { status, body } = await post({}, key)
    expect(status).toBe(200)
    const payment = body['payment'] as CrossChainBody
    const again = await post({}, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((again.body['payment'] as CrossChainBody).relayDepositAddress).toBe(payment.relayDepositAddress)
    const stored = await bff.query<{ n: number }>(
      'select count(*) as n from bridges where bridge_terms like ?',
      `%${payment.relayDepositAddress}%`,
    )
    expect(stored).toEqual([{ n: 1 }])
    await send(payment)
    await bridgeShows(payment.id, { bridgeStatus: 'success' })
    await settle(payment)
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  })

  test.each(['inside', 'after'] as const)(
    '%s the commit that stores the bridge’s progress: it is notified once',
    async (at) => {
      await startAgain({ writes: ['update bridges'], nth: 1, at })
      const payment = await create()
      await send(payment)
      await until('the service to die', () => bff.isDead())
      await startAgain()
      await bridgeShows(payment.id, { bridgeStatus: 'success' })
      await settle(payment)
      await expect.poll(() => types(payment.id)).toEqual(completed)
      const statuses = bridgeStatuses(payment.id)
      expect(new Set(statuses).size).toBe(statuses.length)
    },
  )
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
