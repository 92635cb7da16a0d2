import {
  type AuthorizationStage,
  type Deposit,
  openAuthorizationStage,
} from '@stablecoin-checkout/rig/authorization-stage'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedAuthorization } from '../../payment/authorization.ts'
import type { PaymentRequired, Requirements, Settlement } from './x402-wire.ts'

let stage: AuthorizationStage
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 60_000 })
})
afterAll(() => stage?.close())

const decode = <T>(header: string | null): T => JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as T
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

type Asked = { status: number; headers: Headers; body: Record<string, unknown> }

async function ask(path: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Asked> {
  const response = await stage.app.request(path, { method, headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Asked['body'] }
}

const askFor = ({ id }: { id: string }, proof?: unknown) =>
  ask(`/x402/${id}`, proof === undefined ? {} : { 'PAYMENT-SIGNATURE': encode(proof) })

async function required(payment: { id: string }): Promise<Requirements> {
  const { status, headers } = await askFor(payment)
  expect(status).toBe(402)
  const [requirements] = decode<PaymentRequired>(headers.get('payment-required')).accepts
  if (!requirements) throw new Error('Nothing is accepted')
  return requirements
}

/** What a client of x402 sends. */
async function prove(
  payment: Deposit,
  changed: Partial<SignedAuthorization> = {},
  account?: PrivateKeyAccount,
  accepted?: Requirements,
) {
  const terms = accepted ?? (await required(payment))
  const signed = await stage.sign(
    { depositAddress: terms.payTo as `0x${string}`, amount: payment.amount },
    changed,
    account,
  )
  const { signature, ...authorization } = { ...signed, ...(changed.signature && { signature: changed.signature }) }
  return { x402Version: 2, accepted: terms, payload: { signature, authorization } }
}

/** Sends, mines and watches until the answers are there. */
async function drive<T>(answers: Promise<T>): Promise<T> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  answers.then(done, done)
  while (!isDone) {
    await stage.sendDue()
    await stage.chain.mine({ blocks: 1 })
    await stage.watch()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return await answers
}

const settlementOf = ({ headers }: Asked) => decode<Settlement>(headers.get('payment-response'))
const balance = () => stage.balanceOf(stage.customer.address)

describe('a client of x402', () => {
  test('is told what to pay: the payment’s own deposit address, exactly, in version 2', async () => {
    const payment = await stage.createDeposit()
    const answer = await askFor(payment)
    expect(answer.status).toBe(402)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const asked = decode<PaymentRequired>(answer.headers.get('payment-required'))
    expect(asked).toEqual({
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource: {
        url: expect.stringContaining(`/x402/${payment.id}`),
        description: 'Pay 25.00 USDC on devnet to Corner Coffee.',
        mimeType: 'application/json',
      },
      accepts: [
        {
          ...{ scheme: 'exact', network: 'eip155:31337', asset: stage.token, amount: '25000000' },
          ...{ payTo: payment.depositAddress, maxTimeoutSeconds: 300, extra: { name: 'USD Coin', version: '2' } },
        },
      ],
    })
    expect(answer.body).toMatchObject({ success: false, code: 'PAYMENT_REQUIRED', ...asked })
    expect((await ask(`/api/v1/x402/${payment.id}`, {}, 'GET')).status).toBe(402)
  })

  test('pays by its proof, and is answered when the payment is paid', async () => {
    const payment = await stage.createDeposit()
    const account = privateKeyToAccount(generatePrivateKey())
    await stage.mint(account.address, 25_000_000n)
    const answer = await drive(askFor(payment, await prove(payment, {}, account)))
    expect([answer.status, answer.body['payment']]).toMatchObject([200, { outcome: 'paid' }])
    const settlement = settlementOf(answer)
    expect(settlement).toEqual({
      ...{ success: true, payer: account.address, network: 'eip155:31337' },
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(answer.body['payment']).toMatchObject({ transactionHash: settlement.transaction })
    expect((await askFor(payment)).status).toBe(200)
  })

  test('is debited once by five requests at once and a replay', async () => {
    const payment = await stage.createDeposit()
    const proof = await prove(payment)
    const before = await balance()
    const answers = await drive(Promise.all([1, 2, 3, 4, 5].map(() => askFor(payment, proof))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const replay = await askFor(payment, proof)
    expect(replay.status).toBe(200)
    expect(new Set([...answers, replay].map((answer) => settlementOf(answer).transaction)).size).toBe(1)
    expect(before - (await balance())).toBe(25_000_000n)
  })

  test('pays one payment by one proof', async () => {
    const [payment, other] = [await stage.createDeposit(), await stage.createDeposit()]
    const proof = await prove(payment)
    expect((await drive(askFor(payment, proof))).status).toBe(200)
    const answer = await askFor(other, proof)
    expect([answer.status, settlementOf(answer).errorReason]).toEqual([402, 'invalid_payment_requirements'])
    const retold = { ...proof, accepted: await required(other) }
    expect(settlementOf(await askFor(other, retold)).errorReason).toBe('invalid_exact_evm_recipient_mismatch')
  })

  test('whose transaction no block has yet is told so with the hash, and is never asked to pay again', async () => {
    const short = await openAuthorizationStage({ waitMs: 50 })
    try {
      const usual = stage
      stage = short
      const payment = await stage.createDeposit()
      const proof = await prove(payment)
      const queued = await askFor(payment, proof)
      expect([queued.status, queued.body['state']]).toEqual([202, 'settlement_pending'])
      expect((await askFor(payment)).status).toBe(202)
      await stage.chain.setAutomine(false)
      await stage.sendDue()
      const sent = await askFor(payment, proof)
      const { errorReason, success, transaction } = settlementOf(sent)
      expect([sent.status, success, errorReason]).toEqual([202, false, 'settlement_pending'])
      expect(transaction).toMatch(/^0x[0-9a-f]{64}$/)
      expect(await askFor(payment)).toMatchObject({ status: 202, body: { transactionHash: transaction } })
      const other = await askFor(payment, { ...(await prove(payment, {}, undefined, proof.accepted)) })
      expect([other.status, other.body['code']]).toEqual([409, 'AUTHORIZATION_UNDER_WAY'])
      await stage.chain.setAutomine(true)
      await stage.finish()
      expect((await askFor(payment, proof)).status).toBe(200)
      stage = usual
    } finally {
      await short.close()
    }
  })

  test('pays what is still open of a payment, and what is too much is owed back', async () => {
    const payment = await stage.createDeposit()
    await stage.mint(payment.depositAddress, 10_000_000n)
    await stage.finish()
    const rest = await required(payment)
    expect(rest.amount).toBe('15000000')
    expect((await askFor(payment)).body['message']).toBe('Pay 15.00 USDC on devnet to Corner Coffee.')
    const proof = await prove({ ...payment, amount: '15.00' }, {}, undefined, rest)
    const paying = askFor(payment, proof)
    await stage.mint(payment.depositAddress, 15_000_000n)
    // Nobody has seen the second transfer when the proof is sent.
    while ((await stage.sendDue()) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await drive(paying)).status).toBe(200)
    await stage.finish()
    const { body } = await ask(`/api/v1/payments/public/${payment.id}`, {}, 'GET')
    expect(body['payment']).toMatchObject({ outcome: 'paid', excessOwed: '15.00' })
  })
})

describe('a page for people', () => {
  test('answers software that asks for JSON, and nobody else', async () => {
    const payment = await stage.createDeposit()
    const json = { Accept: 'application/json' }
    const answer = await ask(`/pay/${payment.id}`, json, 'GET')
    expect([answer.status, answer.headers.get('vary')]).toEqual([402, 'Accept, Accept-Language'])
    expect((await ask(`/pay/${payment.id}`, json)).status).toBe(402)
    expect((await ask('/pay/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', json, 'GET')).status).toBe(404)
    const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    expect((await stage.app.request(`/pay/${payment.id}`, { headers: browser })).status).toBe(404)
    const proof = await prove(payment)
    const paid = await drive(ask(`/pay/${payment.id}`, { 'PAYMENT-SIGNATURE': encode(proof) }, 'GET'))
    expect(paid.status).toBe(200)
  })

  test('lets pages read what x402 says, and send its proof', async () => {
    const { headers } = await stage.app.request('/x402/x', { method: 'OPTIONS' })
    expect(headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED, PAYMENT-RESPONSE')
    expect(headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE')
  })
})

describe('a proof is refused', () => {
  const soon = () => String(Math.floor(Date.now() / 1000) + 2)
  test.each<[string, () => Partial<SignedAuthorization>, string]>([
    ['of another value', () => ({ value: '24999999' }), 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['to another address', () => ({ to: stage.customer.address }), 'invalid_exact_evm_recipient_mismatch'],
    ['that ends too soon', () => ({ validBefore: soon() }), 'invalid_exact_evm_payload_authorization_valid_before'],
    ['that begins later', () => ({ validAfter: '9999999999' }), 'invalid_exact_evm_payload_authorization_valid_after'],
    ['with another signature', () => ({ signature: `0x${'11'.repeat(64)}1b` }), 'invalid_exact_evm_signature'],
  ])('%s', async (_, changed, reason) => {
    const payment = await stage.createDeposit()
    const answer = await askFor(payment, await prove(payment, changed()))
    expect([answer.status, settlementOf(answer).errorReason]).toEqual([402, reason])
    expect(settlementOf(answer)).toMatchObject({ success: false, transaction: '', network: 'eip155:31337' })
    expect(decode<PaymentRequired>(answer.headers.get('payment-required')).error).toContain(reason)
  })

  test('of an account without the money', async () => {
    const payment = await stage.createDeposit()
    const poor = privateKeyToAccount(generatePrivateKey())
    const answer = await askFor(payment, await prove(payment, {}, poor))
    expect([answer.status, settlementOf(answer).errorReason]).toEqual([402, 'insufficient_funds'])
  })

  test.each<[string, (terms: Requirements) => Requirements]>([
    ['amount', (terms) => ({ ...terms, amount: '1' })],
    ['network', (terms) => ({ ...terms, network: 'eip155:1' })],
    ['asset', (terms) => ({ ...terms, asset: terms.payTo })],
    ['scheme', (terms) => ({ ...terms, scheme: 'upto' as never })],
    ['extra', (terms) => ({ ...terms, extra: { ...terms.extra, name: 'Other' } })],
  ])('of another %s than was asked', async (_, change) => {
    const payment = await stage.createDeposit()
    const proof = await prove(payment)
    const answer = await askFor(payment, { ...proof, accepted: change(proof.accepted) })
    expect([answer.status, settlementOf(answer).errorReason]).toEqual([402, 'invalid_payment_requirements'])
  })

  test.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['of version 1', encode({ x402Version: 1, accepted: {}, payload: {} })],
    [
      'without a signature',
      encode({
        x402Version: 2,
        accepted: { scheme: 'exact', network: 'n', asset: 'a', amount: '1', payTo: 'p' },
        payload: {},
      }),
    ],
    ['too long', 'A'.repeat(16_385)],
  ])('that is %s', async (_, header) => {
    const payment = await stage.createDeposit()
    const { status, body } = await ask(`/x402/${payment.id}`, { 'PAYMENT-SIGNATURE': header })
    expect([status, body['code']]).toEqual([400, 'INVALID_PAYMENT_SIGNATURE'])
  })

  test('for a payment that has ended, or that x402 cannot pay', async () => {
    const payment = await stage.createDeposit()
    const proof = await prove(payment)
    const atMs = Date.now()
    await stage.ledger.apply(payment.id, { type: 'payment.closed', as: 'cancelled', atMs })
    for (const given of [undefined, proof]) {
      const answer = await askFor(payment, given)
      expect([answer.status, answer.body['code']]).toEqual([409, 'PAYMENT_NOT_OPEN'])
    }
    const contract = await stage.create()
    expect(await askFor(contract)).toMatchObject({ status: 409, body: { code: 'X402_NOT_OFFERED' } })
    const inUsdt = await stage.post('/api/v1/deposits/create', { amount: '25.00', currency: 'USDT', network: 'devnet' })
    expect(await askFor(inUsdt.body.payment)).toMatchObject({ status: 409, body: { code: 'X402_NOT_OFFERED' } })
    expect((await ask('/x402/nothing')).status).toBe(400)
    expect((await ask('/x402/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11')).status).toBe(404)
  })
})

describe('an agent’s payment', () => {
  const server = () => ({ 'X-API-Key': stage.merchant.apiKey, 'X-API-Secret': stage.merchant.apiSecret })
  const path = '/api/v1/merchants/agent-policies/buyer'
  async function setPolicy(terms: object) {
    const headers = { 'Content-Type': 'application/json', ...server() }
    const response = await stage.app.request(path, { method: 'PUT', headers, body: JSON.stringify(terms) })
    expect(response.status).toBe(200)
  }
  async function createForAgent(): Promise<Deposit> {
    const order = { amount: '25.00', currency: 'USDC', network: 'devnet', agentId: 'buyer', agentOwner: 'me' }
    return (await stage.post('/api/v1/deposits/create', order)).body.payment as unknown as Deposit
  }

  test.each([
    ['expired', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['network', { allowedNetworks: [] }],
    ['currency', { allowedCurrencies: ['USDT'] }],
    ['per_transaction', { maxPerTransaction: '24.99' }],
    ['daily_budget', { dailyBudget: '24.99' }],
    ['monthly_budget', { monthlyBudget: '24.99' }],
  ])('is refused by the rule %s that its policy has by now', async (rule, terms) => {
    await setPolicy({})
    const payment = await createForAgent()
    const proof = await prove(payment)
    await setPolicy(terms)
    const answer = await askFor(payment, proof)
    expect([answer.status, answer.body['code'], answer.body['rule']]).toEqual([403, 'AGENT_CONSTRAINT_VIOLATED', rule])
    const { body } = await ask(`${path}/decisions?limit=1`, server(), 'GET')
    expect(body['decisions']).toMatchObject([{ action: 'pay', isAllowed: false, rule, paymentId: payment.id }])
    await stage.ledger.apply(payment.id, { type: 'payment.closed', as: 'cancelled', atMs: Date.now() })
  })

  test('has no decision logged for a proof that nobody has signed, however often a stranger sends it', async () => {
    const decisions = async () => (await ask(`${path}/decisions?limit=5`, server(), 'GET')).body['decisions']
    await setPolicy({})
    const payment = await createForAgent()
    const { payload, ...proof } = await prove(payment)
    const forged = { ...proof, payload: { ...payload, signature: `0x${'11'.repeat(65)}` } }
    for (const terms of [{}, { maxPerTransaction: '24.99' }]) {
      await setPolicy(terms)
      const before = await decisions()
      const answer = await askFor(payment, forged)
      expect([answer.status, settlementOf(answer).errorReason]).toEqual([402, 'invalid_exact_evm_signature'])
      expect(await decisions()).toEqual(before)
    }
    await stage.ledger.apply(payment.id, { type: 'payment.closed', as: 'cancelled', atMs: Date.now() })
  })

  test('is paid within its limits, and logged once however often the proof is sent', async () => {
    await setPolicy({ dailyBudget: '25', monthlyBudget: '25', maxPerTransaction: '25' })
    const payment = await createForAgent()
    const proof = await prove(payment)
    expect((await drive(askFor(payment, proof))).status).toBe(200)
    expect((await askFor(payment, proof)).status).toBe(200)
    const { body } = await ask(`${path}/decisions?limit=2`, server(), 'GET')
    expect(body['decisions']).toMatchObject([
      { action: 'pay', isAllowed: true, rule: 'within_policy', paymentId: payment.id },
      { action: 'create', isAllowed: true },
    ])
  })
})

test('a request is charged at a price in money, and not at an amount and a price', async () => {
  const keys = { 'X-API-Key': stage.merchant.apiKey, 'X-API-Secret': stage.merchant.apiSecret }
  const charge = (money: object) =>
    stage.app.request('/api/v1/x402/charge', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keys },
      body: JSON.stringify({ ...money, currency: 'USDC', network: 'devnet', resource: 'https://api.example/report' }),
    })
  const asked = await charge({ price: '1.005', priceCurrency: 'USD' })
  const [requirements] = decode<PaymentRequired>(asked.headers.get('payment-required')).accepts
  expect([asked.status, requirements?.amount]).toEqual([402, '1010000'])
  expect((await charge({ amount: '1', price: '1', priceCurrency: 'USD' })).status).toBe(400)
})
