import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { times } from '@stablecoin-checkout/rig/nightly'
import { concat, type Hex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { setMerchant } from '../../merchant/accounts.ts'
import { gasLimitOf, parseGasLimit } from '../../merchant/merchant-settings.ts'
import type { AuthorizationKey, CheckedAuthorization } from '../../payment/authorization.ts'
import { verifyStillOpen } from './authorization-bounds.ts'

const limits = { coinPrice: '50', perPayer: 3, perAddress: 5, dailyBudget: '1' }
let stage: AuthorizationStage
beforeAll(async () => {
  stage = await openAuthorizationStage({ signatureGas: limits })
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.setBaseFee(1)
  await stage.db.write((tx) => tx.run(sql`delete from authorizations`))
  await setGas('100,0.02,1')
})

const setGas = (text: string) => setMerchant(stage.db, stage.merchant.merchantId, { signatureGas: parseGasLimit(text) })

async function newCustomer(units = 1_000_000_000n) {
  const account = privateKeyToAccount(generatePrivateKey())
  await stage.mint(account.address, units)
  return account
}

/** Another payment of this customer, as returned by the service. */
async function pay(customer: Awaited<ReturnType<typeof newCustomer>>, amount = '25.00') {
  const payment = await stage.createDeposit(amount)
  const signed = await stage.sign({ ...payment, amount }, {}, customer)
  const { status, body } = await stage.authorize(payment.id, stage.bodyOf(signed))
  return { status, code: body['code'], message: body['message'], id: payment.id }
}

const operatorNonce = () => stage.chain.getTransactionCount({ address: stage.relayer.address, blockTag: 'pending' })

const l1FeeOracle = '0x420000000000000000000000000000000000000F'

/** Returns this many wei per byte of call data: PUSH8 wei CALLDATASIZE MUL PUSH0 MSTORE PUSH1 32 PUSH0 RETURN. */
const oracleOf = (weiPerByte: bigint): Hex => concat(['0x67', toHex(weiPerByte, { size: 8 }), '0x36025f5260205ff3'])

describe('the gas of a payment by signature', () => {
  test('is at most the merchant’s share of the payment, with both amounts in the refusal', async () => {
    await stage.setBaseFee(40)
    const nonce = await operatorNonce()
    const refused = await pay(await newCustomer(), '5.00')
    expect(refused).toMatchObject({ status: 400, code: 'GAS_TOO_EXPENSIVE' })
    expect(refused.message).toMatch(/^The network fee of 0\.\d+ USD is more than the 0\.05 USD that the shop pays/)
    expect(await operatorNonce()).toBe(nonce)
    await setGas('1000,0.02,1')
    expect(await pay(await newCustomer(), '5.00')).toMatchObject({ status: 200 })
  })

  test('includes a rollup’s data fee, by its configured oracle', async () => {
    const rollup = await openAuthorizationStage({ signatureGas: { ...limits, coinPrice: '1' }, l1FeeOracle })
    try {
      await rollup.setBaseFee(1)
      const cheap = await rollup.createDeposit()
      const signed = rollup.bodyOf(await rollup.sign(cheap))
      expect(await rollup.refusal(cheap.id, signed), 'no oracle is there').toMatchObject({ code: 'RELAY_UNAVAILABLE' })
      await rollup.chain.setCode({ address: l1FeeOracle, bytecode: oracleOf(10n ** 13n) })
      expect((await rollup.authorize(cheap.id, signed)).status).toBe(200)
      const stored = () =>
        rollup.db.read((tx) => tx.get<{ cost: number }>(sql`select cost_micros as cost from authorizations`))
      // Some 500 bytes, twice the fee of each, with a coin at 1 dollar.
      expect((await stored())?.cost).toBeGreaterThan(8_000)
      expect((await stored())?.cost).toBeLessThan(20_000)
      // A hundred times as much: half a dollar, where a hundredth of 25 is allowed.
      await rollup.chain.setCode({ address: l1FeeOracle, bytecode: oracleOf(10n ** 15n) })
      const dear = await rollup.createDeposit()
      const refused = await rollup.refusal(dear.id, rollup.bodyOf(await rollup.sign(dear)))
      expect(refused).toMatchObject({ status: 400, code: 'GAS_TOO_EXPENSIVE' })
    } finally {
      await rollup.close()
    }
  })

  test('includes the rollup’s current data fee when a stuck transaction is replaced', async () => {
    const rollup = await openAuthorizationStage({ signatureGas: { ...limits, coinPrice: '1' }, l1FeeOracle })
    try {
      await rollup.setBaseFee(1)
      await rollup.chain.setCode({ address: l1FeeOracle, bytecode: oracleOf(10n ** 13n) })
      await rollup.chain.setAutomine(false)
      const payment = await rollup.createDeposit()
      const rows = () =>
        rollup.db.read((tx) =>
          tx.all<{ state: string; cost: number }>(sql`
            select state, cost_micros as cost from authorizations where payment_id = ${payment.id}`),
        )
      const body = rollup.bodyOf(await rollup.sign(payment))
      const waiting = rollup.post(`/api/v1/payments/${payment.id}/authorize`, body)
      await expect.poll(async () => (await rows()).map(({ state }) => state), { timeout: 60_000 }).toEqual(['queued'])
      await rollup.sendDue()
      const [sent] = await rows()
      // Ten times as much for each of the some 500 bytes.
      await rollup.chain.setCode({ address: l1FeeOracle, bytecode: oracleOf(10n ** 14n) })
      await rollup.db.write((tx) =>
        tx.run(sql`update outgoing_transactions set created_at_ms = created_at_ms - 100000 where state = 'stored'`),
      )
      await rollup.sendDue()
      const [replaced] = await rows()
      expect(replaced?.cost).toBeGreaterThan((sent?.cost ?? 0) + 70_000)
      expect(replaced?.cost).toBeLessThan(200_000)
      await rollup.chain.mine({ blocks: 1 })
      expect((await waiting).body).toMatchObject({ state: 'accepted' })
    } finally {
      await rollup.close()
    }
  })

  test('is not paid by a merchant that has disabled it', async () => {
    await setGas('off')
    expect(await pay(await newCustomer())).toMatchObject({ status: 400, code: 'SIGNATURE_NOT_OFFERED' })
  })

  test('is offered to no wallet while the merchant has disabled it, in any response', async () => {
    const { id } = await stage.createDeposit()
    const path = `/api/v1/payments/public/${id}`
    const keys = { 'X-API-Key': stage.merchant.apiKey, 'X-API-Secret': stage.merchant.apiSecret }
    const read = async () => (await stage.ask(path)).body.payment['authorization']
    const etag = async () => (await stage.app.request(path)).headers.get('ETag') ?? ''
    expect(await read()).toBeDefined()
    const known = await etag()
    await setGas('off')
    expect(await read()).toBeUndefined()
    expect((await stage.ask(`/api/v1/payments/${id}`, { headers: keys })).body.payment['authorization']).toBeUndefined()
    // A key's settings may be a second old.
    await expect.poll(() => stage.createDeposit(), { interval: 250 }).not.toHaveProperty('authorization')
    const split = await stage.create()
    expect(split).not.toHaveProperty('authorization')
    expect(split.contractCall.functionName, 'the customer’s own transaction is offered all the same').toBe(
      'splitPayment',
    )
    // A page that polls with its ETag is informed.
    expect((await stage.app.request(path, { headers: { 'If-None-Match': known } })).status).toBe(200)
    expect((await stage.app.request(path, { headers: { 'If-None-Match': await etag() } })).status).toBe(304)
    await setGas('100,0.02,1')
    expect(await read()).toBeDefined()
    expect(await etag()).toBe(known)
  })

  test('is not spent when it has risen too much between the response and the transaction', async () => {
    const payment = await stage.createDeposit()
    const body = stage.bodyOf(await stage.sign(payment))
    const waiting = stage.post(`/api/v1/payments/${payment.id}/authorize`, body)
    const queued = () =>
      stage.db.read((tx) => tx.all(sql`select id from authorizations where payment_id = ${payment.id}`))
    await expect.poll(async () => (await queued()).length, { timeout: 60_000 }).toBe(1)
    await stage.setBaseFee(50)
    const nonce = await operatorNonce()
    await stage.sendDue()
    expect((await waiting).body).toMatchObject({ success: false, code: 'GAS_TOO_EXPENSIVE' })
    expect(await operatorNonce()).toBe(nonce)
    await stage.setBaseFee(1)
    // The same authorization may be accepted again once fees have fallen.
    expect((await stage.authorize(payment.id, body)).status).toBe(200)
  })

  test('has a default limit of a hundredth, between two cents and a dollar', () => {
    const limit = parseGasLimit('100,0.02,1')
    const dollar = { tokenDecimals: 6, dollarRate: '1' }
    expect(gasLimitOf(1_000_000n, dollar, limit)).toBe(20_000)
    expect(gasLimitOf(25_000_000n, dollar, limit)).toBe(250_000)
    expect(gasLimitOf(1_000_000_000n, dollar, limit)).toBe(1_000_000)
    expect(gasLimitOf(25n * 10n ** 18n, { ...dollar, tokenDecimals: 18 }, limit)).toBe(250_000)
    // A token of another currency counts at its rate, and without one only the least is allowed.
    expect(gasLimitOf(25_000_000n, { ...dollar, dollarRate: '1.08' }, limit)).toBe(270_000)
    expect(gasLimitOf(25_000_000n, { ...dollar, dollarRate: '0.0006' }, limit)).toBe(20_000)
    expect(gasLimitOf(25_000_000_000n, { ...dollar, dollarRate: null }, limit)).toBe(20_000)
    for (const text of ['', '1', '100,1', '100,2,1', '10001,0,1', '1,-1,1', '1,0.0000001,1', '1,1,1,1']) {
      expect(() => parseGasLimit(text), text).toThrow('signature gas must')
    }
  })
})

describe('the operator’s daily spending', () => {
  test('is limited per payer', async () => {
    const customer = await newCustomer()
    for (let paid = 0; paid < limits.perPayer; paid++) expect((await pay(customer)).status).toBe(200)
    expect(await pay(customer)).toMatchObject({ status: 429, code: 'PAYER_LIMIT' })
  })

  test('is limited per client address', async () => {
    for (let paid = 0; paid < limits.perAddress; paid++) expect((await pay(await newCustomer())).status).toBe(200)
    expect(await pay(await newCustomer())).toMatchObject({ status: 429, code: 'CLIENT_LIMIT' })
  })

  test('is limited in total', async () => {
    expect((await pay(await newCustomer())).status).toBe(200)
    await stage.db.write((tx) => tx.run(sql`update authorizations set cost_micros = 1000000`))
    expect(await pay(await newCustomer())).toMatchObject({ status: 429, code: 'DAILY_LIMIT' })
    // A day later it no longer counts.
    await stage.db.write((tx) => tx.run(sql`update authorizations set created_at_ms = created_at_ms - 86400001`))
    expect((await pay(await newCustomer())).status).toBe(200)
  })

  test('is limited also above 2^31 millionths of a dollar', async () => {
    expect((await pay(await newCustomer())).status).toBe(200)
    await stage.db.write((tx) => tx.run(sql`update authorizations set cost_micros = 3000000000`))
    expect(await pay(await newCustomer())).toMatchObject({ status: 429, code: 'DAILY_LIMIT' })
  })

  test('ends for a payer whose transactions reverted three times', async () => {
    const customer = await newCustomer()
    const { id } = await pay(customer)
    await stage.db.write((tx) =>
      tx.run(
        sql`update authorizations set state = 'failed', code = 'TRANSFER_REFUSED', reason = 'x' where payment_id = ${id}`,
      ),
    )
    for (const copy of ['a', 'b']) {
      await stage.db.write((tx) =>
        tx.run(sql`
          insert into authorizations (id, payment_id, network, token, payer, nonce, amount, target, data, client, cost_micros,
                                      state, transaction_id, send_before_ms, created_at_ms)
          select id || ${copy}, payment_id, network, token, payer, nonce || ${copy}, amount, target, data, client, cost_micros,
                 state, transaction_id, send_before_ms, created_at_ms
            from authorizations where payment_id = ${id} and id = (select min(id) from authorizations where payment_id = ${id})`),
      )
    }
    expect(await pay(customer)).toMatchObject({ status: 429, code: 'PAYER_LIMIT' })
  })

  test('is not spent on a payer who signs away more than its balance', async () => {
    const customer = await newCustomer(30_000_000n)
    const [one, other] = [await stage.createDeposit(), await stage.createDeposit()]
    const bodies = [await stage.sign(one, {}, customer), await stage.sign(other, {}, customer)].map(stage.bodyOf)
    const answers = await Promise.all([
      stage.post(`/api/v1/payments/${one.id}/authorize`, bodies[0]),
      stage.post(`/api/v1/payments/${other.id}/authorize`, bodies[1]),
      expect
        .poll(async () => (await stage.db.read((tx) => tx.all(sql`select id from authorizations`))).length, {
          timeout: 60_000,
        })
        .toBe(1)
        .then(() => stage.sendDue()),
    ])
    expect(
      answers
        .slice(0, 2)
        .map((answer) => (answer as { status: number }).status)
        .sort(),
    ).toEqual([200, 400])
  })
})

test('many invalid signatures cost no gas, and no more node calls than the limit per minute', async () => {
  const payment = await stage.createDeposit()
  const nonce = await operatorNonce()
  const signed = await stage.sign(payment)
  const before = stage.signatures.asked.calls
  const startedMs = performance.now()
  const codes = new Map<unknown, number>()
  const count = times(200, 10_000)
  for (let sent = 0; sent < count; sent++) {
    const from = `0x${sent.toString(16).padStart(40, 'a')}`
    // Of another account, or of a length that only a smart account's contract can judge.
    const signature = sent % 50 === 0 ? signed.signature : `0x${sent.toString(16).padStart(200, '1')}`
    const { code } = await stage.refusal(payment.id, stage.bodyOf({ ...signed, from, signature }))
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  expect([...codes.keys()].sort()).toEqual(['INVALID_SIGNATURE', 'RELAY_UNAVAILABLE'])
  // The limit is per clock minute, and the loop spans two of them.
  const minutes = Math.floor((performance.now() - startedMs) / 60_000) + 2
  expect(stage.signatures.asked.calls - before).toBeLessThanOrEqual(minutes * 60)
  expect(codes.get('INVALID_SIGNATURE')).toBeLessThanOrEqual(minutes * 60)
  await stage.sendDue()
  expect(await operatorNonce()).toBe(nonce)
  const rows = await stage.db.read((tx) => tx.all(sql`select id from authorizations where payment_id = ${payment.id}`))
  expect(rows).toEqual([])
}, 600_000)

test('a repeat is not refused because of itself when its first attempt is stored while it is checked', async () => {
  const payment = await stage.createDeposit()
  const body = stage.bodyOf(await stage.sign(payment))
  const first = stage.post(`/api/v1/payments/${payment.id}/authorize`, body)
  const readKey = () =>
    stage.db.read((tx) =>
      tx.get<AuthorizationKey>(sql`
          select network, token, payer, nonce from authorizations where payment_id = ${payment.id}`),
    )
  await expect.poll(readKey).toBeDefined()
  const key = await readKey()
  const verify = (change: Partial<AuthorizationKey>) =>
    stage.db.read((tx) =>
      verifyStillOpen(tx, { ...key, ...change, paymentId: payment.id, value: 25_000_000n } as CheckedAuthorization),
    )
  await verify({})
  await expect(verify({ nonce: `0x${'77'.repeat(32)}` })).rejects.toMatchObject({ code: 'AUTHORIZATION_UNDER_WAY' })
  await stage.sendDue()
  expect((await first).status).toBe(200)
})
