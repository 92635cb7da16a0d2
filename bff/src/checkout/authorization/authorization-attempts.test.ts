import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { createX402Client } from '@stablecoin-checkout/rig/x402-client'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { createVault } from '../../db/vault.ts'
import { createMerchant } from '../../merchant/accounts.ts'

const limits = { coinPrice: '50', perPayer: 10, perAddress: 4, dailyBudget: '1' }
let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
beforeAll(async () => {
  stage = await openAuthorizationStage({ signatureGas: limits, waitMs: 20_000 })
  client = createX402Client(stage)
  await stage.mint(stage.customer.address, 10_000_000_000n)
})
afterAll(() => stage?.close())
beforeEach(async () => {
  await stage.setBaseFee(1)
  await stage.db.write((tx) => tx.run(sql`delete from authorizations`))
})

type Attempt = { state: string; cost: number; sent: string | null }
const attempts = () =>
  stage.db.read((tx) =>
    tx.all<Attempt>(sql`
      select state, cost_micros as cost, transaction_id as sent from authorizations order by created_at_ms, id`),
  )

async function newCustomer(units = 25_000_000n) {
  const account = privateKeyToAccount(generatePrivateKey())
  await stage.chain.setBalance({ address: account.address, value: 10n ** 19n })
  await stage.mint(account.address, units)
  return account
}

/**
 * The payer moves the money away in the block of the service's transaction, which reverts, and gets it back afterwards.
 */
async function revert<Answer>(
  payer: Awaited<ReturnType<typeof newCustomer>>,
  nonce: string,
  asking: () => Promise<Answer>,
): Promise<Answer> {
  await stage.chain.setAutomine(false)
  const waiting = asking()
  await client.untilSent(nonce)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [stage.tokenOwner.address, 25_000_000n],
  })
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n }
  await stage.chain.sendTransaction({ account: payer, to: stage.token, gas: 200_000n, data, ...fees })
  await stage.chain.mine({ blocks: 1 })
  await stage.chain.setAutomine(true)
  const answer = await waiting
  await stage.finish()
  await stage.mint(payer.address, 25_000_000n)
  return answer
}

/** @returns the number of simulations since. */
function spyOnSimulations(): () => number {
  const { authorizer } = stage.signatures
  if (!authorizer) throw new Error('The stage takes no signatures')
  const spy = vi.spyOn(authorizer, 'simulate')
  return () => {
    const { length } = spy.mock.calls
    spy.mockRestore()
    return length
  }
}

test('another authorization of a payment, while one is under way, causes no node call', async () => {
  const payment = await stage.createDeposit()
  const path = `/api/v1/payments/${payment.id}/authorize`
  const first = stage.post(path, stage.bodyOf(await stage.sign(payment, {}, await newCustomer())))
  await expect.poll(async () => (await attempts()).length, { timeout: 10_000 }).toBe(1)
  const simulations = spyOnSimulations()
  const other = stage.bodyOf(await stage.sign(payment, {}, await newCustomer()))
  expect(await stage.refusal(payment.id, other)).toMatchObject({ status: 409, code: 'AUTHORIZATION_UNDER_WAY' })
  expect(simulations()).toBe(0)
  while ((await stage.sendDue()) === 0);
  expect((await first).status).toBe(200)
})

describe('a reverted transaction', () => {
  test('counts and costs each time, even if the same authorization is sent again', async () => {
    const payer = await newCustomer()
    const payment = await stage.createDeposit()
    const body = stage.bodyOf(await stage.sign(payment, {}, payer))
    const path = `/api/v1/payments/${payment.id}/authorize`
    for (let sent = 0; sent < 3; sent++) {
      const answer = await revert(payer, body.authorization.nonce, () => stage.post(path, body))
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'TRANSFER_REFUSED' }])
    }
    const kept = await attempts()
    expect(kept.map(({ state, sent }) => [state, sent !== null])).toEqual(Array(3).fill(['failed', true]))
    expect(kept.every(({ cost }) => cost > 0)).toBe(true)
    const simulations = spyOnSimulations()
    expect(await stage.refusal(payment.id, body)).toMatchObject({ status: 429, code: 'PAYER_LIMIT' })
    expect(simulations(), 'what the database refuses asks no node').toBe(0)
  })

  test('uses gas of the daily budget, for everybody', async () => {
    const payer = await newCustomer()
    const payment = await stage.createDeposit()
    const body = stage.bodyOf(await stage.sign(payment, {}, payer))
    await revert(payer, body.authorization.nonce, () => stage.post(`/api/v1/payments/${payment.id}/authorize`, body))
    await stage.db.write((tx) => tx.run(sql`update authorizations set cost_micros = 1000000, client = null`))
    const other = await stage.createDeposit()
    const honest = stage.bodyOf(await stage.sign(other, {}, await newCustomer()))
    expect(await stage.refusal(other.id, honest)).toMatchObject({ status: 429, code: 'DAILY_LIMIT' })
  })

  test('counts towards the limit of an address, if a merchant’s server submits it', async () => {
    for (let sent = 0; sent < limits.perAddress; sent++) {
      const payer = await newCustomer()
      const proof = await client.prove((await client.charge()).required?.accepts[0], payer)
      const answer = await revert(payer, proof.payload.authorization.nonce, () => client.charge(proof))
      expect([answer.status, answer.settlement?.success]).toEqual([402, false])
    }
    expect(await attempts()).toHaveLength(limits.perAddress)
    const proof = await client.prove((await client.charge()).required?.accepts[0], await newCustomer())
    const refused = await client.charge(proof)
    expect([refused.status, refused.body['code']]).toEqual([429, 'CLIENT_LIMIT'])
  })

  test('counts for the client named by the server, and does not affect the others', async () => {
    const mallory = { client: '192.0.2.1' }
    const ask = async (more: object) => {
      const payer = await newCustomer()
      return { payer, proof: await client.prove((await client.charge(undefined, more)).required?.accepts[0], payer) }
    }
    for (let sent = 0; sent < limits.perAddress; sent++) {
      const { payer, proof } = await ask(mallory)
      const answer = await revert(payer, proof.payload.authorization.nonce, () => client.charge(proof, mallory))
      expect([answer.status, answer.settlement?.success]).toEqual([402, false])
    }
    const refused = await client.charge((await ask(mallory)).proof, mallory)
    expect([refused.status, refused.body['code']]).toEqual([429, 'CLIENT_LIMIT'])
    for (const more of [{ client: '192.0.2.2' }, {}]) {
      const { proof } = await ask(more)
      expect((await client.drive(client.charge(proof, more))).status).toBe(200)
    }
  })
})

test.each(['queued', 'sent'])('money signed away counts while its authorization is %s', async (state) => {
  const payer = await newCustomer(30_000_000n)
  const [one, other] = [await stage.createDeposit(), await stage.createDeposit()]
  const first = stage.post(`/api/v1/payments/${one.id}/authorize`, stage.bodyOf(await stage.sign(one, {}, payer)))
  await expect
    .poll(async () => (await attempts()).map((attempt) => attempt.state), { timeout: 10_000 })
    .toEqual(['queued'])
  // No node knows the transaction: its simulation of the second does not include the first.
  await stage.db.write((tx) => tx.run(sql`update authorizations set state = ${state}`))
  const second = await stage.refusal(other.id, stage.bodyOf(await stage.sign(other, {}, payer)))
  expect(second).toMatchObject({ status: 400, code: 'INSUFFICIENT_FUNDS' })
  await stage.db.write((tx) => tx.run(sql`update authorizations set state = 'queued'`))
  while ((await stage.sendDue()) === 0);
  expect((await first).status).toBe(200)
})

test('an authorization is not sent after the payment’s window, however long it is valid', async () => {
  const payer = await newCustomer(100_000_000n)
  const endsIn = (id: string, ms: number) =>
    stage.db.write((tx) => tx.run(sql`update payments set window_ends_at_ms = ${Date.now() + ms} where id = ${id}`))
  const ending = await stage.createDeposit()
  const validBefore = String(Math.floor(Date.now() / 1000) + 86_400)
  const signed = stage.bodyOf(await stage.sign(ending, { validBefore }, payer))
  await endsIn(ending.id, 4_000)
  expect(await stage.refusal(ending.id, signed)).toMatchObject({ status: 400, code: 'EXPIRES_TOO_SOON' })
  const open = await stage.createDeposit()
  await endsIn(open.id, 60_000)
  const body = stage.bodyOf(await stage.sign(open, { validBefore }, payer))
  expect((await stage.authorize(open.id, body)).status).toBe(200)
  const row = await stage.db.read((tx) =>
    tx.get<{ before: number; ends: number }>(sql`
      select a.send_before_ms as before, p.window_ends_at_ms as ends
        from authorizations a join payments p on p.id = a.payment_id where p.id = ${open.id}`),
  )
  expect(Number(row?.before)).toBeLessThan(Number(row?.ends))
})

describe('the daily gas budget', () => {
  const spend = (micros: number) =>
    stage.db.write((tx) => tx.run(sql`update authorizations set cost_micros = ${micros}, client = null`))

  async function payOnce(id: string, depositAddress: string) {
    const signed = await stage.sign({ depositAddress: depositAddress as Hex, amount: '25.00' }, {}, await newCustomer())
    return await stage.authorize(id, stage.bodyOf(signed))
  }

  async function openMerchant(name: string) {
    const { publicKey } = await createMerchant(
      {
        db: stage.db,
        networks: stage.networks,
        runtime: systemRuntime,
        vault: createVault(Buffer.alloc(32, 7), systemRuntime),
      },
      { name, wallets: new Map([['devnet', stage.wallets.merchant]]), webhookSecret: 'whsec_b' },
    )
    return async () => {
      const terms = { amount: '25.00', currency: 'USDC', network: 'devnet' }
      const headers = { 'X-Public-Key': publicKey }
      const { payment } = (await stage.post('/api/v1/deposits/create', terms, { headers })).body
      return await payOnce(payment.id, String(payment['depositAddress']))
    }
  }

  test('is not used up by one or two merchants, so that others’ customers can still pay', async () => {
    const own = await stage.createDeposit()
    expect((await payOnce(own.id, own.depositAddress)).status).toBe(200)
    await spend(800_000)
    const more = await stage.createDeposit()
    expect((await payOnce(more.id, more.depositAddress)).body).toMatchObject({ code: 'DAILY_LIMIT' })
    const payOther = await openMerchant('Other')
    expect((await payOther()).status).toBe(200)
    // The second one has half of what the first has left.
    await stage.db.write((tx) =>
      tx.run(sql`update authorizations set cost_micros = 95000, client = null where cost_micros <> 800000`),
    )
    expect((await payOther()).body).toMatchObject({ code: 'DAILY_LIMIT' })
    const payThird = await openMerchant('Third')
    expect((await payThird()).status).toBe(200)
  })

  test('is not used up by one address', async () => {
    const own = await stage.createDeposit()
    expect((await payOnce(own.id, own.depositAddress)).status).toBe(200)
    await stage.db.write((tx) => tx.run(sql`update authorizations set cost_micros = 500000`))
    const more = await stage.createDeposit()
    expect((await payOnce(more.id, more.depositAddress)).body).toMatchObject({ code: 'CLIENT_LIMIT' })
  })
})

test('three hundred worthless proofs of one client block no other customer', async () => {
  const payment = await stage.createDeposit()
  const codes = new Set<unknown>()
  for (let sent = 0; sent < 310; sent++) {
    const worthless = await stage.sign(payment, {}, privateKeyToAccount(generatePrivateKey()))
    codes.add((await stage.refusal(payment.id, stage.bodyOf(worthless)))['code'])
  }
  expect([...codes]).toEqual(['INSUFFICIENT_FUNDS'])
  const body = stage.bodyOf(await stage.sign(payment, {}, await newCustomer()))
  expect((await stage.authorize(payment.id, body)).status).toBe(200)
})
