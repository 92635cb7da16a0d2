import { randomBytes, randomUUID } from 'node:crypto'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { confirmationsRequired, erc20 } from './harness/chain.ts'
import { openSignedIn } from './harness/signed-in.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

// A session of the dashboard belongs to one address of the service.
const story = await openStory('crash-refund', { keepsPort: true })
const { bff, chain, receiver, wallets, merchant, sweep } = story
const owner = await openSignedIn(story)
const { rpc, token } = chain.node()
await rpc('anvil_impersonateAccount', wallets.merchant)
await rpc('anvil_setBalance', wallets.merchant, '0x8ac7230489e80000')

const storedRequest = ['insert into merchant_refunds', 'insert into events']

type Refund = { id: string; address: string; amount: string; status: string }
type Answer = { status: number; headers: Headers; body: Record<string, unknown> }
type Key = { 'idempotency-key'?: string }

const credentials = { 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret }

/** The same request by the merchant's server, or by a person of the dashboard with the passkey. */
const callers = {
  'the API key': (path: string, body: object, key: Key): Promise<Answer> =>
    bff.ask(`/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials, ...key },
      body: JSON.stringify(body),
    }),
  'the dashboard': (path: string, body: object, key: Key): Promise<Answer> =>
    owner.postConfirmed(path, body, key as Record<string, string>),
}

async function startAgain(failpoint?: Failpoint): Promise<void> {
  await bff.kill()
  await bff.start({ failpoint })
}

async function paidPayment(): Promise<PaymentBody> {
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(confirmationsRequired)
  await sweep([payment])
  return payment
}

const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`)

async function refundsOf(paymentId: string): Promise<{ refunds: Refund[]; refundable: string }> {
  return (await bff.get(`/payments/${paymentId}/refunds`)).body as never
}

/** By a plain transfer of the merchant's wallet. */
async function payFromWallet(address: string, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [address as Hex, amount] })
  await rpc('eth_sendTransaction', { from: wallets.merchant, to: token().address, data })
}

/** The refund's own events that the merchant's server has received, each with its id and number. */
const heard = (paymentId: string) =>
  receiver
    .tries(paymentId)
    .flatMap(({ id, sequence, type }) => (type.startsWith('refund.') ? [`${type} ${sequence} ${id}`] : []))

async function expectPaidOnce(paymentId: string, { id, address }: Refund, amount: bigint): Promise<void> {
  await payFromWallet(address, amount)
  await until('the refund to be paid', async () => {
    await chain.mine(1)
    return (await refundsOf(paymentId)).refunds.some((one) => one.id === id && one.status === 'paid')
  })
  expect(await chain.balance('USDC', address)).toBe(amount)
  const types = () => receiver.types(paymentId).filter((type) => type.startsWith('refund.'))
  await expect.poll(types).toEqual(['refund.requested', 'refund.paid'])
  expect(new Set(heard(paymentId)).size).toBe(2)
}

for (const [who, post] of Object.entries(callers)) {
  for (const at of ['inside', 'after'] as const) {
    const where = at === 'inside' ? 'before its commit' : 'the moment it is committed'

    test(`a refund that ${who} requests with a key, killed ${where}, and its repeats are one refund, which is paid once`, async () => {
      const payment = await paidPayment()
      await startAgain({ writes: storedRequest, nth: 1, at })
      const key = { 'idempotency-key': randomUUID() }
      const path = `/payments/${payment.id}/refunds`
      const body = { amount: '5.25', address: newAddress() }
      await expect(post(path, body, key)).rejects.toThrow()
      await startAgain()
      const [first, second] = [await post(path, body, key), await post(path, body, key)]
      expect([first.status, second.status]).toEqual([200, 200])
      expect(first.headers.get('idempotent-replayed')).toBe(at === 'after' ? 'true' : null)
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      const { refunds, refundable } = await refundsOf(payment.id)
      const { id } = first.body['refund'] as Refund
      expect((second.body['refund'] as Refund).id).toBe(id)
      expect({ refunds, refundable }).toMatchObject({ refunds: [{ id, ...body }], refundable: '19.75' })
      await expectPaidOnce(payment.id, refunds[0] as Refund, 5_250_000n)
    })

    test(`a refund in full that ${who} requests without a key, killed ${where}, is neither lost nor doubled by a second request`, async () => {
      const payment = await paidPayment()
      await startAgain({ writes: storedRequest, nth: 1, at })
      const path = `/payments/${payment.id}/refunds`
      const body = { address: newAddress() }
      await expect(post(path, body, {})).rejects.toThrow()
      await startAgain()
      // What was committed is there before anybody asks again.
      expect((await refundsOf(payment.id)).refunds).toHaveLength(at === 'after' ? 1 : 0)
      const again = await post(path, body, {})
      expect([again.status, again.body['code']]).toEqual(at === 'after' ? [409, 'NOTHING_TO_REFUND'] : [200, undefined])
      const { refunds, refundable } = await refundsOf(payment.id)
      expect({ refunds, refundable }).toMatchObject({ refunds: [{ amount: '25.00', ...body }], refundable: '0.00' })
      await expectPaidOnce(payment.id, refunds[0] as Refund, 25_000_000n)
    })
  }
}

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
