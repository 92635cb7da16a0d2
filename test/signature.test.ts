import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

const signatureGas = { coinPrice: '50', perPayer: 100, perAddress: 1_000, dailyBudget: '1000' }
const story = await openStory('signature', { evmSettings: { signatureGas } })
const { bff, chain, devnet, openTill, sweep, hears } = story

const account = privateKeyToAccount(devnet.customer.privateKey)
const split = { merchant: '24.625', platform: '0.375' }
const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

type TypedData = { message: Record<string, string | null> }

/** What a page brings to the service: the typed data of the create, filled in and signed. */
async function signed(payment: PaymentBody) {
  const { typedData } = payment['authorization'] as { typedData: TypedData }
  const nonce = `0x${payment.id.replaceAll('-', '').padStart(64, '0')}`
  const message = { ...typedData.message, from: account.address, nonce: typedData.message['nonce'] ?? nonce }
  return { authorization: message, signature: await account.signTypedData({ ...typedData, message } as never) }
}

async function authorize({ id }: PaymentBody, body: object) {
  const response = await fetch(`${bff.url()}/api/v1/payments/${id}/authorize`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const operatorNonce = () =>
  chain.node().reader.getTransactionCount({ address: devnet.operator.address, blockTag: 'pending' })

async function startAgain(failpoint?: Failpoint): Promise<void> {
  await bff.kill()
  await bff.start(failpoint && { failpoint })
}

test('a deposit that is only signed is paid, swept and notified like every other; the customer pays no gas', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const coins = await chain.node().reader.getBalance({ address: account.address })
  expect(await authorize(payment, await signed(payment))).toMatchObject({ status: 200, body: { state: 'accepted' } })
  await bff.shows(payment.id, { amountDetected: '25.00' })
  await chain.mine(2)
  await sweep([payment])
  expect(await earned()).toEqual(split)
  expect(await chain.node().reader.getBalance({ address: account.address })).toBe(coins)
  await hears(payment, paidInFull)
})

/** Each commit that an authorization goes through. */
const commits: { name: string; writes: string[] }[] = [
  { name: 'the authorization is stored', writes: ['insert into authorizations'] },
  { name: 'its signed transaction is stored', writes: ['insert into outgoing_transactions', 'update authorizations'] },
  { name: 'it is noted that a node has the transaction', writes: ['update outgoing_transactions set sent_at_ms'] },
  {
    name: 'the final transaction ends the authorization',
    writes: ["'confirmed' else 'failed'", 'update authorizations'],
  },
]

for (const { name, writes } of commits) {
  for (const at of ['inside', 'after'] as const) {
    const where = at === 'inside' ? 'before it is committed' : 'the moment it is committed'
    test(`killed when ${name}, ${where}: the customer is debited once, and the merchant is paid once`, async () => {
      await startAgain({ writes, nth: 1, at })
      const earned = await openTill()
      const nonce = await operatorNonce()
      const payment = await bff.createDeposit({ amount: '25.00' })
      const body = await signed(payment)
      const before = await chain.balance('USDC', account.address)
      const first = await authorize(payment, body).catch(() => 'lost')
      await until('the service to die', async () => {
        // The last commit is reached when the transaction is deep enough.
        if (first !== 'lost') await chain.mine(1)
        return bff.isDead()
      })
      await startAgain()
      const second = await authorize(payment, body)
      expect([200, 202]).toContain(second.status)
      await bff.shows(payment.id, { amountDetected: '25.00' })
      await chain.mine(2)
      await sweep([payment])
      expect(before - (await chain.balance('USDC', account.address))).toBe(25_000_000n)
      expect(await earned()).toEqual(split)
      expect(await operatorNonce()).toBe(nonce + 2)
      await hears(payment, paidInFull)
    })
  }
}

test('an authorization that a stranger sends first pays the payment all the same, once', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const { authorization, signature } = await signed(payment)
  const { from, to, value, validAfter, validBefore, nonce } = authorization as unknown as Record<string, string>
  const token = devnet.networks[0].tokens.USDC.address
  await chain.call(token, transferData([from, to, value, validAfter, validBefore, nonce, signature] as string[]))
  const answer = await authorize(payment, { authorization, signature })
  expect(answer).toMatchObject({ status: 200, body: { state: 'accepted' } })
  await bff.shows(payment.id, { amountDetected: '25.00' })
  await chain.mine(2)
  await sweep([payment])
  expect(await earned()).toEqual(split)
})

test('a customer without the money, and one who signs for another payment, cost the operator nothing', async () => {
  const nonce = await operatorNonce()
  const [one, other] = [await bff.createDeposit({ amount: '25.00' }), await bff.createDeposit({ amount: '25.00' })]
  const poor = privateKeyToAccount(generatePrivateKey())
  const { typedData } = one['authorization'] as { typedData: TypedData }
  const message = { ...typedData.message, from: poor.address, nonce: `0x${'9'.repeat(64)}` }
  const signature = await poor.signTypedData({ ...typedData, message } as never)
  expect((await authorize(one, { authorization: message, signature })).body).toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  expect((await authorize(other, await signed(one))).body).toMatchObject({ code: 'WRONG_RECIPIENT' })
  expect(await operatorNonce()).toBe(nonce)
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})

/** `transferWithAuthorization` with a signature in one piece, as anybody can send it. */
function transferData([
  from = '',
  to = '',
  value = '0',
  after = '0',
  before = '0',
  nonce = '',
  signature = '',
]: string[]): Hex {
  const word = (text: string) => BigInt(text).toString(16).padStart(64, '0')
  const bytes = signature.slice(2)
  return `0xcf092995${[from, to, value, after, before].map(word).join('')}${nonce.slice(2)}${word('224')}${word(String(bytes.length / 2))}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`
}
