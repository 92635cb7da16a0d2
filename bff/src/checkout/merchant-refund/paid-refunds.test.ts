import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
  const [value, account] = ['0x8ac7230489e80000', stage.merchantAccount.address]
  await stage.chain.request({ method: 'anvil_setBalance', params: [account, value] } as never)
  await mint(account)
  await mint(account, usdt())
})
afterAll(() => stage.close())

type Refund = Record<string, unknown> & {
  id: string
  call: { approval: { to: Hex; data: Hex }; contractAddress: Hex; before: { data: Hex } } | null
}

const usdc = () => stage.network.tokens[0]?.address as Hex
const usdt = () => stage.network.tokens[1]?.address as Hex
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

const mint = (to: Hex, token = usdc()) =>
  stage.send(
    { to: token, data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [to, 1_000_000_000n] }) },
    stage.tokenOwner,
  )

async function ask<Body = { refund: Refund }>(path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** A payment of 25 by its customer, final. */
async function paidPayment() {
  const payment = await stage.create()
  await stage.pay(payment)
  await settle()
  expect((await stage.load(payment.id)).status).toBe('completed')
  return payment
}

async function requested(asked: Record<string, unknown> = {}, payment?: { id: string }) {
  const address = newAddress()
  const { id } = payment ?? (await paidPayment())
  const { status, body } = await ask(`/payments/${id}/refunds`, { address, ...asked })
  expect({ status, body }).toMatchObject({ status: 200 })
  return { ...body.refund, address, paymentId: id }
}

/** Confirms everything sent, and lets the watcher read it. */
async function settle() {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
}

/** The merchant's wallet pays by the splitter, with only what the response contains. */
async function payBySplitter({ call }: Pick<Refund, 'call'>, account = stage.merchantAccount) {
  if (!call) throw new Error('There is no call.')
  await stage.send({ to: call.approval.to, data: call.approval.data }, account)
  return await stage.send({ to: call.contractAddress, data: call.before.data }, account)
}

const transfer = (to: string, amount: bigint, account = stage.merchantAccount, token = usdc()) =>
  stage.send(
    { to: token, data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to as Hex, amount] }) },
    account,
  )

const read = async (id: string) => (await ask(`/refunds/${id}`)).body.refund
const eventsOf = (paymentId: string) =>
  stage.db.read((tx) =>
    tx.all<{ type: string }>(
      sql`select type from events where payment_id = ${paymentId} and type like 'refund.%' order by number`,
    ),
  )

test('the merchant’s wallet refunds all of a payment through the splitter, to the unit, and the service verifies the transaction', async () => {
  const refund = await requested()
  expect(refund).toMatchObject({ status: 'to_pay', amount: '25.00', remaining: '25.00', remainingUnits: '25000000' })
  const { status } = await payBySplitter(refund)
  expect(status).toBe('success')
  await stage.watch()
  expect(await read(refund.id)).toMatchObject({ status: 'confirming', remaining: '0.00', call: null })
  await settle()
  expect(await stage.balanceOf(refund.address)).toBe(25_000_000n)
  expect(await read(refund.id)).toMatchObject({
    status: 'paid',
    paid: '25.00',
    excess: '0.00',
    transactions: [{ amount: '25.00', isFinal: true, confirmations }],
  })
  expect((await eventsOf(refund.paymentId)).map(({ type }) => type)).toEqual(['refund.requested', 'refund.paid'])
  expect(await stage.load(refund.paymentId as never)).toMatchObject({
    refundedByMerchant: 25_000_000n,
    refundDueByMerchant: 0n,
    status: 'completed',
  })
  expect((await ask(`/payments/${refund.paymentId}/refunds`, {})).body).toMatchObject({ code: 'NOTHING_TO_REFUND' })
})

test('a plain transfer of the settlement wallet pays; one of anybody else, of another token or an earlier one does not', async () => {
  const payment = await paidPayment()
  const address = newAddress()
  await transfer(address, 10_000_000n)
  await settle()
  const refund = await requested({ amount: '10.00', address }, payment)
  await transfer(address, 10_000_000n, stage.customer)
  await transfer(address, 10_000_000n, stage.merchantAccount, usdt())
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
  await transfer(address, 4_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '4.00', remaining: '6.00', call: null })
  await transfer(address, 6_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '10.00', excess: '0.00' })
  // Paid twice: reported, and never taken from another refund.
  await transfer(address, 10_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '20.00', excess: '10.00' })
  expect((await ask<{ refundable: string }>(`/payments/${payment.id}/refunds`)).body.refundable).toBe('5.00')
})

test('a reorg undoes a refund, with a notification; mined again, it is paid again', async () => {
  const refund = await requested({ amount: '1.00' })
  await transfer(refund.address, 1_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid' })
  await stage.reorg(confirmations + 1)
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00', transactions: [] })
  expect((await eventsOf(refund.paymentId)).map(({ type }) => type)).toEqual([
    'refund.requested',
    'refund.paid',
    'refund.failed',
  ])
  await transfer(refund.address, 1_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '1.00' })
})

test('a refund by another wallet, whose hash the merchant sent, is paid in the block that a reorg moved it to', async () => {
  const refund = await requested({ amount: '1.00' })
  const { transactionHash } = await transfer(refund.address, 1_000_000n, stage.customer)
  await settle()
  const verified = await ask(`/refunds/${refund.id}/verify`, { transactionHash })
  expect(verified).toMatchObject({ status: 200, body: { refund: { status: 'paid' } } })
  const call = (method: string, ...params: unknown[]) => stage.chain.request({ method, params } as never)
  const raw = await call('eth_getRawTransactionByHash', transactionHash)
  await call('anvil_reorg', confirmations + 1, [[raw, 1]])
  await settle()
  expect(await read(refund.id)).toMatchObject({
    status: 'paid',
    paid: '1.00',
    transactions: [{ hash: transactionHash }],
  })
  // It has not failed, and is not paid anew.
  expect((await eventsOf(refund.paymentId)).map(({ type }) => type)).toEqual(['refund.requested', 'refund.paid'])
})

test('another wallet pays by the splitter, or by a transfer whose transaction hash the merchant sends', async () => {
  const payment = await paidPayment()
  const bySplitter = await requested({ amount: '2.00' }, payment)
  await payBySplitter(bySplitter, stage.customer)
  const named = await requested({ amount: '3.00' }, payment)
  const { transactionHash } = await transfer(named.address, 3_000_000n, stage.customer)
  await settle()
  expect(await read(bySplitter.id)).toMatchObject({ status: 'paid' })
  expect(await read(named.id)).toMatchObject({ status: 'to_pay' })
  const verified = await ask(`/refunds/${named.id}/verify`, { transactionHash })
  expect(verified).toMatchObject({ status: 200, body: { refund: { status: 'paid', paid: '3.00' } } })
  // One transfer never pays twice.
  const other = await requested({ amount: '3.00', address: named.address }, payment)
  expect(await ask(`/refunds/${other.id}/verify`, { transactionHash })).toMatchObject({
    status: 400,
    body: { code: 'ALREADY_USED' },
  })
  await settle()
  expect(await read(other.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test('a transaction that pays a customer’s payment, another token, another address or nothing is refused with its own code', async () => {
  const payment = await paidPayment()
  const refund = await requested({ amount: '25.00' }, payment)
  const other = await stage.create()
  const paying = (await stage.pay(other)).transactionHash
  const otherToken = (await transfer(refund.address, 25_000_000n, stage.merchantAccount, usdt())).transactionHash
  const otherAddress = (await transfer(newAddress(), 25_000_000n)).transactionHash
  await settle()
  const codeOf = async (transactionHash: string) =>
    (await ask<{ code: string }>(`/refunds/${refund.id}/verify`, { transactionHash })).body.code
  expect(await codeOf(paying)).toBe('ALREADY_USED')
  expect(await codeOf(otherToken)).toBe('OTHER_TOKEN')
  expect(await codeOf(otherAddress)).toBe('OTHER_TERMS')
  expect(await codeOf(`0x${'00'.repeat(32)}`)).toBe('TRANSACTION_NOT_FOUND')
  expect(await codeOf('0x12')).toBe('VALIDATION_FAILED')
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test('a transfer of the customer to itself is no refund', async () => {
  const address = stage.customer.address
  const refund = await requested({ amount: '3.00', address })
  const { transactionHash } = await transfer(address, 3_000_000n, stage.customer)
  await settle()
  expect(await ask(`/refunds/${refund.id}/verify`, { transactionHash })).toMatchObject({
    status: 400,
    body: { code: 'OTHER_TERMS' },
  })
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test('a splitter transfer of a payment by the merchant’s wallet is no refund to the wallet that receives it', async () => {
  const address = getAddress(stage.wallets.platform)
  const refund = await requested({ amount: '0.37', address })
  const own = await stage.create()
  await stage.pay(own, 'before', stage.merchantAccount)
  await settle()
  expect((await stage.load(own.id)).status).toBe('completed')
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test('after a downtime the watcher finds a refund paid meanwhile', async () => {
  const refund = await requested({ amount: '5.00' })
  await payBySplitter(refund)
  await stage.chain.mine({ blocks: confirmations })
  const other = stage.otherWatcher({})
  for (let passes = 0; passes < 5; passes++) await other.pass(new AbortController().signal)
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '5.00' })
})

test('money that the service itself returned to the customer is no refund by the merchant’s wallet', async () => {
  const refund = await requested({ amount: '3.00' })
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet', orderId: crypto.randomUUID() }
  const { depositAddress } = (await stage.post('/api/v1/deposits/create', order)).body.payment
  const from = depositAddress as Hex
  await mint(from)
  // As a forwarder returns an excess: the tokens leave the deposit address.
  await stage.chain.request({ method: 'anvil_setBalance', params: [from, '0x8ac7230489e80000'] } as never)
  await stage.chain.request({ method: 'anvil_impersonateAccount', params: [from] } as never)
  const { transactionHash } = await transfer(refund.address, 3_000_000n, from as never)
  await settle()
  expect(await ask(`/refunds/${refund.id}/verify`, { transactionHash })).toMatchObject({
    status: 400,
    body: { code: 'ALREADY_USED' },
  })
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test.each([1, 2])(
  'a refund through the splitter counts once, also when a node withheld the splitter’s event at read %i of its block',
  async (withheldAt) => {
    const refund = await requested({ amount: '2.00' })
    await payBySplitter(refund)
    await stage.chain.mine({ blocks: confirmations })
    let reads = 0
    const transfers: typeof stage.evm.transfers = async (range, signal) => {
      const found = await stage.evm.transfers({ ...range, onProven: () => undefined }, signal)
      const own = found.filter(({ source }) => source === usdc().toLowerCase())
      return own.length > 0 && ++reads === withheldAt ? own : found
    }
    const withholding = stage.otherWatcher({}, { adapter: { ...stage.evm, transfers } })
    for (let rounds = 0; rounds < 5; rounds++) {
      await withholding.pass(new AbortController().signal)
      expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '2.00', excess: '0.00' })
      await stage.chain.mine({ blocks: confirmations })
    }
    expect(reads).toBeGreaterThanOrEqual(2)
    await settle()
  },
)

test('a refund that could not be stored at first counts only its own money when its block is read again', async () => {
  const [one, other] = [await paidPayment(), await paidPayment()]
  const address = newAddress()
  const refunds = [await requested({ address }, one), await requested({ address }, other)]
  const calls = refunds.map(({ call }) => ({ to: call?.contractAddress as Hex, data: call?.before.data as Hex }))
  const { abi } = testUsdc
  const spender = calls[0]?.to as Hex
  await stage.send(
    { to: usdc(), data: encodeFunctionData({ abi, functionName: 'approve', args: [spender, 50_000_000n] }) },
    stage.merchantAccount,
  )
  // Both in one block, as a wallet sends several calls in one signature.
  await stage.chain.request({ method: 'evm_setAutomine', params: [false] } as never)
  for (const call of calls)
    await stage.chain.sendTransaction({ account: stage.merchantAccount, ...call, gas: 600_000n } as never)
  await stage.chain.mine({ blocks: 1 })
  await stage.chain.request({ method: 'evm_setAutomine', params: [true] } as never)
  const setMetadata = (metadata: string | null) =>
    stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${one.id}`))
  await setMetadata('{')
  await stage.watch()
  await setMetadata(null)
  await settle()
  await settle()
  expect(await stage.balanceOf(address as Hex)).toBe(50_000_000n)
  for (const { id } of refunds) expect(await read(id)).toMatchObject({ status: 'paid', paid: '25.00', excess: '0.00' })
})

test('a refund that is paid after its cancel counts, is notified, and is taken from the next one', async () => {
  const payment = await paidPayment()
  const cancelled = await requested({}, payment)
  expect((await ask(`/refunds/${cancelled.id}/cancel`, {})).body.refund).toMatchObject({ status: 'cancelled' })
  const next = await requested({}, payment)
  expect(await read(next.id)).toMatchObject({ status: 'to_pay', call: expect.anything() })
  // Its call was read before the cancel, and is valid for an hour.
  expect((await payBySplitter(cancelled)).status).toBe('success')
  await settle()
  expect(await read(cancelled.id)).toMatchObject({ status: 'paid', paid: '25.00', cancelledAt: expect.any(String) })
  const types = (await eventsOf(payment.id)).map(({ type }) => type)
  expect(types).toEqual(['refund.requested', 'refund.failed', 'refund.requested', 'refund.paid'])
  expect(await stage.load(payment.id as never)).toMatchObject({ refundedByMerchant: 25_000_000n })
  // No call or payment request would pay the customer more than was received.
  expect(await read(next.id)).toMatchObject({ status: 'to_pay', call: null, paymentUri: null })
  const { refunds } = (await ask<{ refunds: Refund[] }>(`/payments/${payment.id}/refunds`)).body
  expect(refunds.find(({ id }) => id === next.id)).toMatchObject({ call: null, paymentUri: null })
})

test('a transfer pays the refund that was requested anew, and not the cancelled one before it', async () => {
  const payment = await paidPayment()
  const address = newAddress()
  const cancelled = await requested({ amount: '10.00', address }, payment)
  await ask(`/refunds/${cancelled.id}/cancel`, {})
  const next = await requested({ amount: '10.00', address }, payment)
  await transfer(address, 10_000_000n)
  await settle()
  expect(await read(next.id)).toMatchObject({ status: 'paid', paid: '10.00' })
  expect(await read(cancelled.id)).toMatchObject({ status: 'cancelled', paid: '0.00' })
})

test('after a watcher dies at any of its commits, the next one counts the refund and notifies of it once', async () => {
  const payment = await paidPayment()
  const died: string[] = []
  for (let commit = 1; commit <= 20; commit++) {
    for (const at of ['inside', 'after'] as const) {
      const refund = await requested({ amount: '0.10' }, payment)
      await transfer(refund.address, 100_000n)
      await stage.chain.mine({ blocks: confirmations })
      const { db, isDead } = openDyingDb(stage.db, { commit, at })
      const dying = stage.otherWatcher({}, { db })
      for (let passes = 0; passes < 5 && !isDead(); passes++) {
        await dying.pass(new AbortController().signal).catch((error: unknown) => {
          if (!isDead()) throw error
        })
      }
      if (isDead()) died.push(`${commit} ${at}`)
      await settle()
      expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '0.10', excess: '0.00' })
      const rows = await stage.db.read((tx) =>
        tx.all<{ type: string }>(
          sql`select type from events where payment_id = ${payment.id} and body like ${`%${refund.id}%`} order by number`,
        ),
      )
      expect([commit, at, rows.map(({ type }) => type)]).toEqual([commit, at, ['refund.requested', 'refund.paid']])
    }
    if (!died.includes(`${commit} inside`)) break
  }
  expect(died.length).toBeGreaterThanOrEqual(2)
})
