import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { concat, type Hex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

type TypedData = { message: Record<string, string | null> }

let stage: AuthorizationStage
beforeAll(async () => {
  stage = await openAuthorizationStage()
})
afterAll(() => stage.close())

const rows = () =>
  stage.db.read((tx) =>
    tx.all<{ state: string; payment_id: string }>(sql`select state, payment_id from authorizations`),
  )
const costOf = async (id: string) => {
  const row = await stage.db.read((tx) =>
    tx.get<{ cost: number }>(sql`select cost_micros as cost from authorizations where payment_id = ${id}`),
  )
  return row?.cost ?? 0
}
const stateOf = async (id: string) => (await rows()).filter((row) => row.payment_id === id).map(({ state }) => state)

describe('a deposit paid by signature', () => {
  test('is paid in full by a customer without coins: the operator sends the transfer, and the deposit is swept', async () => {
    const customer = privateKeyToAccount(generatePrivateKey())
    await stage.mint(customer.address, 25_000_000n)
    const payment = await stage.createDeposit()
    const answer = await stage.authorize(payment.id, stage.bodyOf(await stage.sign(payment, {}, customer)))
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { success: true, state: 'accepted', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    ])
    expect(await stage.balanceOf(payment.depositAddress)).toBe(25_000_000n)
    await stage.finish()
    await stage.finish()
    expect(await stage.load(payment.id)).toMatchObject({ status: 'swept', received: 25_000_000n })
    expect(await stateOf(payment.id)).toEqual(['confirmed'])
    expect(await stage.chain.getBalance({ address: customer.address })).toBe(0n)
  })

  test('accepts v, r and s as well, and a repeat of the same authorization is not sent twice', async () => {
    const payment = await stage.createDeposit()
    const { signature, ...authorization } = await stage.sign(payment)
    const parts = {
      r: signature.slice(0, 66),
      s: `0x${signature.slice(66, 130)}`,
      v: Number.parseInt(signature.slice(130), 16),
    }
    const first = await stage.authorize(payment.id, { authorization, ...parts })
    expect(first.status).toBe(200)
    const second = await stage.authorize(payment.id, { authorization, signature })
    expect(second.body).toEqual(first.body)
    expect(await stage.balanceOf(payment.depositAddress)).toBe(25_000_000n)
  })

  test('five times concurrently, and once more, is debited once', async () => {
    const payment = await stage.createDeposit()
    const body = stage.bodyOf(await stage.sign(payment))
    const before = await stage.balanceOf(stage.customer.address)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => stage.authorize(payment.id, body)))
    expect(new Set(answers.map(({ body }) => body['transactionHash'])).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await stage.authorize(payment.id, body)).status).toBe(200)
    expect(before - (await stage.balanceOf(stage.customer.address))).toBe(25_000_000n)
  })

  test('two concurrent authorizations: one is sent, and the other is refused while that may pay', async () => {
    const payment = await stage.createDeposit()
    const [one, other] = [await stage.sign(payment), await stage.sign(payment)]
    const answers = await Promise.all([one, other].map((signed) => stage.authorize(payment.id, stage.bodyOf(signed))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await stage.balanceOf(payment.depositAddress)).toBe(25_000_000n)
  })

  test('is replaced with higher fees when stuck, and pays once, whichever is mined', async () => {
    const payment = await stage.createDeposit()
    await stage.chain.setAutomine(false)
    try {
      const body = stage.bodyOf(await stage.sign(payment))
      const waiting = stage.post(`/api/v1/payments/${payment.id}/authorize`, body)
      const hashes = () =>
        stage.db.read((tx) =>
          tx.all<{ tx_id: string; state: string }>(sql`
              select x.tx_id, x.state from outgoing_transactions x join authorizations a on a.transaction_id = x.id
               where a.payment_id = ${payment.id} order by x.created_at_ms`),
        )
      await expect.poll(() => stateOf(payment.id)).toEqual(['queued'])
      await stage.sendDue()
      const cost = await costOf(payment.id)
      await stage.db.write((tx) =>
        tx.run(sql`update outgoing_transactions set created_at_ms = created_at_ms - 100000 where state = 'stored'`),
      )
      await stage.sendDue()
      expect((await hashes()).map(({ state }) => state)).toEqual(['replaced', 'stored'])
      expect(await costOf(payment.id), 'a replacement may cost an eighth more').toBeGreaterThanOrEqual(cost * 1.12)
      await stage.chain.mine({ blocks: 1 })
      expect((await waiting).body).toMatchObject({ state: 'accepted', transactionHash: (await hashes())[1]?.tx_id })
    } finally {
      await stage.chain.setAutomine(true)
    }
    await stage.finish()
    expect(await stateOf(payment.id)).toEqual(['confirmed'])
    expect((await stage.load(payment.id)).received).toBe(25_000_000n)
  })

  test('is stored before it is sent: another process sends it, once', async () => {
    const payment = await stage.createDeposit()
    const body = stage.bodyOf(await stage.sign(payment))
    const leaving = new AbortController()
    const waiting = stage.post(`/api/v1/payments/${payment.id}/authorize`, body, { signal: leaving.signal })
    await expect.poll(() => stateOf(payment.id), { timeout: 60_000 }).toEqual(['queued'])
    leaving.abort()
    await waiting.catch(() => undefined)
    stage.restart()
    await stage.sendDue()
    expect(await stateOf(payment.id)).toEqual(['sent'])
    expect(await stage.balanceOf(payment.depositAddress)).toBe(25_000_000n)
  })
})

describe('a contract payment paid by signature', () => {
  test('pays merchant and platform in the operator’s transaction, and completes', async () => {
    const payment = await stage.create()
    const paidBefore = await stage.balanceOf(stage.wallets.merchant)
    const answer = await stage.authorize(payment.id, stage.bodyOf(await stage.signSplit(payment)))
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
    expect((await stage.balanceOf(stage.wallets.merchant)) - paidBefore).toBe(24_625_000n)
    await stage.finish()
    expect(await stage.status(payment.id)).toMatchObject({ status: 'completed', outcome: 'paid' })
    expect(await stateOf(payment.id)).toEqual(['confirmed'])
  })

  test.each([
    ['another nonce', 'WRONG_NONCE', { nonce: `0x${'7'.repeat(64)}` }],
    ['the token as recipient', 'WRONG_RECIPIENT', { to: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
    ['a signature of nobody', 'INVALID_SIGNATURE', { signature: `0x${'12'.repeat(65)}` }],
  ])('is refused with %s', async (_, code, changed) => {
    const payment = await stage.create()
    const signed = { ...(await stage.signSplit(payment)), ...changed }
    expect(await stage.refusal(payment.id, stage.bodyOf(signed))).toMatchObject({ status: 400, code })
  })
})

describe('the public response', () => {
  test('for a deposit and a contract payment contains everything a page needs for the signature', async () => {
    const split = await stage.create()
    const deposit = await stage.createDeposit()
    for (const id of [split.id, deposit.id]) {
      const { authorization } = (await stage.ask(`/api/v1/payments/public/${id}`)).body.payment as unknown as {
        authorization: { typedData: TypedData }
      }
      const { typedData } = authorization
      const nonce = typedData.message['nonce'] ?? `0x${'5'.repeat(63)}${id === split.id ? 1 : 2}`
      const message = { ...typedData.message, from: stage.customer.address, nonce }
      const signature = await stage.customer.signTypedData({ ...typedData, message } as never)
      const answer = await stage.authorize(id, { authorization: message, signature })
      expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
      await stage.watch()
      const after = (await stage.ask(`/api/v1/payments/public/${id}`)).body.payment
      expect(after['authorization'], 'nothing is open any more').toBeUndefined()
    }
  })

  test('offers no signature for a test payment or on a network without a price', async () => {
    const unpriced = await openAuthorizationStage({ signatureGas: null })
    try {
      const deposit = await unpriced.createDeposit()
      expect(deposit).not.toHaveProperty('authorization')
      expect(await unpriced.refusal(deposit.id, unpriced.bodyOf(await unpriced.sign(deposit)))).toMatchObject({
        code: 'SIGNATURE_NOT_OFFERED',
      })
    } finally {
      await unpriced.close()
    }
  })
})

describe('a smart account, whose signature is longer than a key’s', () => {
  const smartSignature = (account: string, signature: string) => `${account.toLowerCase()}${signature.slice(2)}`

  test('pays a deposit', async () => {
    const account = await stage.openSmartAccount(25_000_000n)
    const payment = await stage.createDeposit()
    const signed = await stage.sign(payment, { from: account })
    const { signature, ...authorization } = signed
    expect(await stage.refusal(payment.id, { authorization, signature })).toMatchObject({ code: 'INVALID_SIGNATURE' })
    const answer = await stage.authorize(payment.id, {
      authorization,
      signature: smartSignature(account, signature),
    })
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
    expect(await stage.balanceOf(payment.depositAddress)).toBe(25_000_000n)
  })

  test('may be an account that delegates to code (EIP-7702), for which the token does not accept the key alone', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const code = await stage.openSmartAccount(1n, owner.address)
    await stage.chain.setCode({ address: owner.address, bytecode: `0xef0100${code.slice(2)}` })
    await stage.mint(owner.address, 25_000_000n)
    const payment = await stage.createDeposit()
    const { signature, ...authorization } = await stage.sign(payment, {}, owner)
    const nonce = await stage.chain.getTransactionCount({ address: stage.relayer.address })
    expect(await stage.refusal(payment.id, { authorization, signature })).toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await stage.chain.getTransactionCount({ address: stage.relayer.address })).toBe(nonce)
    const answer = await stage.authorize(payment.id, {
      authorization,
      signature: smartSignature(owner.address, signature),
    })
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
  })

  test('pays a contract payment', async () => {
    const account = await stage.openSmartAccount(25_000_000n)
    const payment = await stage.create()
    const { signature, ...authorization } = await stage.signSplit(payment, account)
    const answer = await stage.authorize(payment.id, {
      authorization,
      signature: smartSignature(account, signature),
    })
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
    expect(await stage.balanceOf(account)).toBe(0n)
  })
})

/** A wallet that accepts every signature, using the given rounds of 26 gas. */
const slowWallet = (rounds: number): Hex =>
  // PUSH3 rounds JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 4 JUMPI, then ERC-1271's word is returned.
  concat(['0x62', toHex(rounds, { size: 3 }), '0x5b60019003806004576316', '0x26ba7e60e01b5f5260205ff3'])

test.each([
  ['more gas than the operator ever pays for', 17_000, 'GAS_TOO_EXPENSIVE'],
  ['gas without an end', 10_000_000, 'INVALID_SIGNATURE'],
])('a smart account’s signature that takes %s is refused before gas is spent', async (_, rounds, code) => {
  const account = privateKeyToAccount(generatePrivateKey()).address
  await stage.mint(account, 50_000_000n)
  const signature = `0x${'11'.repeat(100)}`
  await stage.chain.setCode({ address: account, bytecode: slowWallet(10) })
  const cheap = await stage.createDeposit()
  const { signature: _own, ...usual } = await stage.sign(cheap, { from: account })
  expect(await stage.authorize(cheap.id, { authorization: usual, signature })).toMatchObject({ status: 200 })

  await stage.chain.setCode({ address: account, bytecode: slowWallet(rounds) })
  const payment = await stage.createDeposit()
  const nonce = await stage.chain.getTransactionCount({ address: stage.relayer.address, blockTag: 'pending' })
  const { signature: _other, ...authorization } = await stage.sign(payment, { from: account })
  expect(await stage.refusal(payment.id, { authorization, signature })).toMatchObject({ status: 400, code })
  await stage.sendDue()
  expect(await stage.chain.getTransactionCount({ address: stage.relayer.address, blockTag: 'pending' })).toBe(nonce)
})

describe('is refused before gas is spent', () => {
  const cases: [
    string,
    string,
    (deposit: Awaited<ReturnType<AuthorizationStage['createDeposit']>>) => Promise<object>,
  ][] = [
    ['another recipient', 'WRONG_RECIPIENT', (deposit) => stage.sign(deposit, { to: stage.customer.address })],
    ['a unit less', 'WRONG_VALUE', (deposit) => stage.sign(deposit, { value: '24999999' })],
    ['a unit more', 'WRONG_VALUE', (deposit) => stage.sign(deposit, { value: '25000001' })],
    [
      'a number beyond a uint256',
      'WRONG_VALUE',
      (deposit) => stage.sign(deposit).then((one) => ({ ...one, validBefore: '9'.repeat(78) })),
    ],
    [
      'a time to come',
      'NOT_YET_VALID',
      async (deposit) => stage.sign(deposit, { validAfter: String(Math.floor(Date.now() / 1000) + 60) }),
    ],
    [
      'an end that is too near',
      'EXPIRES_TOO_SOON',
      async (deposit) => stage.sign(deposit, { validBefore: String(Math.floor(Date.now() / 1000) + 4) }),
    ],
    [
      'a signature of another account',
      'INVALID_SIGNATURE',
      async (deposit) => stage.sign(deposit, { from: '0x00000000000000000000000000000000000000aa' }),
    ],
    [
      'a signature that is no signature',
      'INVALID_SIGNATURE',
      async (deposit) => ({ ...(await stage.sign(deposit)), signature: `0x${'11'.repeat(65)}` }),
    ],
    [
      'a signature of a length that only a smart wallet has',
      'INVALID_SIGNATURE',
      async (deposit) => ({ ...(await stage.sign(deposit)), signature: `0x${'11'.repeat(100)}` }),
    ],
    [
      'an account without the money',
      'INSUFFICIENT_FUNDS',
      (deposit) => stage.sign(deposit, {}, privateKeyToAccount(generatePrivateKey())),
    ],
  ]

  test.each(cases)('%s', async (_, code, sign) => {
    const payment = await stage.createDeposit()
    const nonce = await stage.chain.getTransactionCount({ address: stage.relayer.address, blockTag: 'pending' })
    const { signature, ...authorization } = (await sign(payment)) as { signature: string }
    const answer = await stage.refusal(payment.id, { authorization, signature })
    expect(answer).toMatchObject({ status: 400, success: false, code, fallback: expect.any(String) })
    expect(answer['message']).toMatch(/\.$/)
    await stage.sendDue()
    expect(await stage.chain.getTransactionCount({ address: stage.relayer.address, blockTag: 'pending' })).toBe(nonce)
    expect(await stateOf(payment.id)).toEqual([])
  })
})
