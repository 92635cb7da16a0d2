import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, HDKey, hdKeyToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { loadWallets } from '../../merchant/account-store.ts'
import { saveWallet } from '../../merchant/merchant-store.ts'
import { setWallets } from '../../merchant/wallets.ts'
import { examineAddresses } from '../../ops/doctor/examine-addresses.ts'
import { reconcileNetwork } from '../../ops/reconcile/reconcile.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'

/** The merchant's wallet. The service knows only the extended public key of its account. */
const wallet = HDKey.fromMasterSeed(systemRuntime.randomBytes(32))
const xpub = wallet.derive("m/44'/60'/0'").publicExtendedKey
const accountAt = (addressIndex: number) => hdKeyToAccount(wallet, { addressIndex })

let stage: ContractStage
/** How far the service's clock is ahead. */
let aheadMs = 0
beforeAll(async () => {
  stage = await openContractStage({
    deposits: 'xpub',
    runtime: { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs },
    account: `${xpub}@${accountAt(0).address}`,
    feeBps: 0,
  })
})
afterAll(() => stage.close())

type Deposit = Record<string, unknown> & { id: PaymentId; depositAddress: Hex }

const usdc = () => stage.network.tokens[0]?.address as Hex
const usdt = () => stage.network.tokens[1]?.address as Hex

async function create(body: Record<string, unknown> = {}): Promise<Deposit> {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet', ...body }
  const answer = await stage.post('/api/v1/deposits/create', order, {
    headers: { 'Idempotency-Key': systemRuntime.newUuid() },
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.payment as unknown as Deposit
}

const transfer = (to: Hex, amount: bigint, { token = usdc(), account = stage.customer } = {}) =>
  stage.send(
    { to: token, data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to, amount] }) },
    account,
  )

async function settle(): Promise<void> {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
}

async function ask<Body = Record<string, unknown>>(
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const read = async (id: string) => (await ask<{ payment: Record<string, unknown> }>(`/payments/${id}`)).body.payment

const numberOf = async ({ id }: Deposit): Promise<number> => {
  const row = await stage.db.read((tx) =>
    tx.get<{ number: number }>(sql`select number from given_addresses where payment_id = ${id}`),
  )
  return row?.number ?? -1
}

const queued = () => stage.db.read((tx) => tx.all(sql`select payment_id from payouts`))

const reconcile = () =>
  reconcileNetwork(
    {
      db: stage.db,
      networks: stage.networks,
      runtime: systemRuntime,
      period: { kind: 'all' },
      onProgress: () => undefined,
    },
    stage.network,
    new AbortController().signal,
  )

test('an exact payment reaches the merchant’s wallet by the customer’s transfer, and is settled with it', async () => {
  const payment = await create()
  expect(payment.depositAddress).toBe(accountAt(await numberOf(payment)).address)
  await transfer(payment.depositAddress, 25_000_000n)
  await stage.watch()
  expect(await read(payment.id)).toMatchObject({ status: 'pending', settlement: { state: 'pending' } })
  await settle()
  const paid = await read(payment.id)
  expect(paid['sweptAt']).toBe(paid['confirmedAt'])
  expect(paid).toMatchObject({
    status: 'swept',
    outcome: 'paid',
    isFinal: true,
    paymentState: 'completed',
    settlement: { state: 'settled' },
    sweepTxHash: null,
    refund: null,
  })
  expect(await stage.balanceOf(payment.depositAddress)).toBe(25_000_000n)
  expect(await queued()).toEqual([])
})

test('two payments at once have two addresses, one transaction pays each its own, and a repeat keeps its address', async () => {
  const key = { headers: { 'Idempotency-Key': systemRuntime.newUuid() } }
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  const [one, other, ...repeats] = await Promise.all([
    create(),
    create(),
    ...[1, 2, 3].map(() => stage.post('/api/v1/deposits/create', order, key)),
  ])
  expect(new Set(repeats.map(({ body }) => body.payment['depositAddress'])).size).toBe(1)
  expect(one.depositAddress).not.toBe(other.depositAddress)
  await transfer(one.depositAddress, 25_000_000n)
  await settle()
  expect((await read(one.id))['outcome']).toBe('paid')
  expect((await read(other.id))['outcome']).toBe('pending')
})

test('a short payment waits for the rest, and what is over belongs to the merchant, who owes it back', async () => {
  const short = await create()
  await transfer(short.depositAddress, 10_000_000n)
  await settle()
  expect(await read(short.id)).toMatchObject({ paymentState: 'underpaid', amountRemaining: '15.00' })
  await transfer(short.depositAddress, 18_000_000n)
  await settle()
  expect(await read(short.id)).toMatchObject({
    outcome: 'paid',
    paymentState: 'overpaid_refunding',
    excessOwed: '3.00',
    refund: null,
  })
  const { body } = await ask(`/deposits/refund-request/${short.id}`, { address: stage.customer.address })
  expect(body).toMatchObject({ code: 'REFUND_BY_MERCHANT' })
  expect(await queued()).toEqual([])
})

test('an underpaid payment that ended is refunded from whichever address of the merchant’s wallet', async () => {
  const payment = await create()
  await transfer(payment.depositAddress, 10_000_000n)
  await settle()
  expect(await ask('/payments/fail', { paymentId: payment.id })).toMatchObject({ status: 200 })
  expect(await read(payment.id)).toMatchObject({ paymentState: 'expired_refunding', excessOwed: '10.00' })
  const to = privateKeyToAccount(generatePrivateKey()).address
  const refund = await ask<{ refund: { id: string; call: unknown } }>(`/payments/${payment.id}/refunds`, {
    address: to,
  })
  expect(refund).toMatchObject({ status: 200, body: { refund: { status: 'to_pay', amount: '10.00', call: null } } })
  const account = accountAt(await numberOf(payment))
  await stage.chain.request({ method: 'anvil_setBalance', params: [account.address, '0x8ac7230489e80000'] } as never)
  // A stranger's transfer to the same address is no refund.
  await transfer(to, 10_000_000n)
  await settle()
  expect((await ask<{ refund: object }>(`/refunds/${refund.body.refund.id}`)).body.refund).toMatchObject({
    status: 'to_pay',
  })
  await transfer(to, 10_000_000n, { account: account as never })
  await settle()
  expect((await ask<{ refund: object }>(`/refunds/${refund.body.refund.id}`)).body.refund).toMatchObject({
    status: 'paid',
  })
  expect(await read(payment.id)).toMatchObject({ excessOwed: '0.00' })
})

test('late money is reported, and the merchant accepts it', async () => {
  const payment = await create()
  const atMs = systemRuntime.nowMs()
  await stage.ledger.apply(payment.id, { type: 'payment.closed', as: 'expired', atMs })
  await transfer(payment.depositAddress, 25_000_000n)
  await settle()
  expect(await read(payment.id)).toMatchObject({ status: 'expired', settlement: { state: '' }, excessOwed: '25.00' })
  expect((await ask(`/payments/${payment.id}/accept-late`, {})).status).toBe(200)
  expect(await read(payment.id)).toMatchObject({
    outcome: 'paid',
    settlement: { state: 'settled' },
    excessOwed: '0.00',
  })
})

test('a reorg takes a payment back, and it is paid again', async () => {
  const payment = await create()
  await transfer(payment.depositAddress, 25_000_000n)
  await settle()
  expect((await read(payment.id))['outcome']).toBe('paid')
  await stage.reorg(confirmations + 1)
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  expect(await read(payment.id)).toMatchObject({ outcome: 'pending', settlement: { state: 'pending' } })
  await transfer(payment.depositAddress, 25_000_000n)
  await settle()
  expect(await read(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00' })
})

test('after a downtime another process finds what was paid meanwhile', async () => {
  const payment = await create()
  await transfer(payment.depositAddress, 25_000_000n)
  await stage.chain.mine({ blocks: confirmations })
  const other = stage.otherWatcher({})
  for (let passes = 0; passes < 5; passes++) await other.pass(new AbortController().signal)
  expect((await read(payment.id))['outcome']).toBe('paid')
})

test('another token does not pay', async () => {
  const payment = await create()
  await transfer(payment.depositAddress, 25_000_000n, { token: usdt() })
  await settle()
  expect(await read(payment.id)).toMatchObject({ outcome: 'pending', amountReceived: null })
})

test('the books agree with the chain, also after the merchant has spent what customers paid', async () => {
  const { lines, differences } = await reconcile()
  expect(differences).toEqual([])
  expect(lines.some(({ came }) => came > 0n)).toBe(true)
  const payment = await create()
  await transfer(payment.depositAddress, 25_000_000n)
  await settle()
  const account = accountAt(await numberOf(payment))
  await stage.chain.request({ method: 'anvil_setBalance', params: [account.address, '0x8ac7230489e80000'] } as never)
  await transfer(accountAt(0).address, 25_000_000n, { account: account as never })
  await settle()
  expect((await reconcile()).differences).toEqual([])
})

test('a refund by a plain transfer that the chain does not have is a difference', async () => {
  const ofRefunds = sql`payment_id in (select id from merchant_refunds)`
  const lost = `0x${'77'.repeat(32)}`
  const [paid] = await stage.db.read((tx) =>
    tx.all<{ txId: string }>(sql`
      select tx_id as "txId" from transfers where ${ofRefunds}`),
  )
  await stage.db.write((tx) => tx.run(sql`update transfers set tx_id = ${lost} where ${ofRefunds}`))
  expect((await reconcile()).differences).toMatchObject([{ code: 'merchant_refund_not_on_chain', txId: lost }])
  await stage.db.write((tx) => tx.run(sql`update transfers set tx_id = ${paid?.txId ?? ''} where ${ofRefunds}`))
  expect((await reconcile()).differences).toEqual([])
})

test('a wallet is asked to pay a refund from whichever address that a payment was given, and a stranger’s is refused by name', async () => {
  const [payment, other] = [await create(), await create()]
  await transfer(payment.depositAddress, 25_000_000n)
  await settle()
  const to = privateKeyToAccount(generatePrivateKey()).address
  type Answer = { refund: { id: string; ownAddressesPay: boolean; wallet: { account: string } } }
  const { body } = await ask<Answer>(`/payments/${payment.id}/refunds`, { address: to, amount: '5.00' })
  const { id } = body.refund
  expect(body.refund).toMatchObject({ ownAddressesPay: true, wallet: { account: accountAt(0).address } })
  const prompt = (account: string) =>
    ask<{ message?: string; prompt: { id: string } }>('/refunds/prompts', { refundIds: [id], account })
  const stranger = await prompt(stage.customer.address)
  expect(stranger).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`a transfer of ${stage.customer.address} names no refund`) },
  })
  // An address that holds nothing is the merchant's all the same, and so is the first one.
  for (const number of [await numberOf(other), 0]) {
    const asked = await prompt(accountAt(number).address)
    expect(asked).toMatchObject({ status: 200 })
    await ask(`/refunds/prompts/${asked.body.prompt.id}`, { isRejected: true })
  }
  const account = accountAt(await numberOf(payment))
  expect(await prompt(account.address.toLowerCase())).toMatchObject({ status: 200 })
  await stage.chain.request({ method: 'anvil_setBalance', params: [account.address, '0x8ac7230489e80000'] } as never)
  await transfer(to, 5_000_000n, { account: account as never })
  await settle()
  expect((await ask<{ refund: object }>(`/refunds/${id}`)).body.refund).toMatchObject({
    status: 'paid',
    excess: '0.00',
  })
})

test('a refund that an own address paid is found also when its block has to be read again', async () => {
  const payment = await create()
  await transfer(payment.depositAddress, 25_000_000n)
  await settle()
  const to = privateKeyToAccount(generatePrivateKey()).address
  const { body } = await ask<{ refund: { id: string } }>(`/payments/${payment.id}/refunds`, { address: to })
  const account = accountAt(await numberOf(payment))
  await stage.chain.request({ method: 'anvil_setBalance', params: [account.address, '0x8ac7230489e80000'] } as never)
  const setMetadata = (metadata: string | null) =>
    stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${payment.id}`))
  await setMetadata('{')
  await transfer(to, 25_000_000n, { account: account as never })
  await stage.watch()
  await setMetadata(null)
  await settle()
  await settle()
  expect((await ask<{ refund: object }>(`/refunds/${body.refund.id}`)).body.refund).toMatchObject({
    status: 'paid',
    paid: '25.00',
  })
})

test('the same account in another writing gives no address a second time', async () => {
  const given = () =>
    stage.db.read((tx) =>
      tx.all<{ address: string; count: number }>(sql`
          select deposit_address as "address", count(*) as "count" from payments where is_test = 0
           group by deposit_address having count(*) > 1`),
    )
  await create()
  const branch = wallet.derive("m/44'/60'/0'/0").publicExtendedKey
  const { db, networks, merchant } = stage
  await setWallets({ db, networks }, merchant.merchantId, new Map([['devnet', `${branch}@${accountAt(0).address}`]]))
  await create()
  expect(await given()).toEqual([])
})

test('a wallet from before `deposits` was changed pays for nothing: the merchant names an account first', async () => {
  const merchantId = stage.merchant.merchantId as MerchantId
  const rename = (source: string) =>
    stage.db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: accountAt(0).address, source }))
  const [wallet] = await stage.db.read((tx) => loadWallets(tx, merchantId))
  // An id of virtual addresses.
  await rename('0x58e21090')
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  // At once, and when the service has read the wallet again.
  for (const laterMs of [0, 1_000]) {
    aheadMs += laterMs
    const headers = { 'Idempotency-Key': systemRuntime.newUuid() }
    const answer = await stage.post('/api/v1/deposits/create', order, { headers })
    expect(answer).toMatchObject({ status: 400, body: { code: 'WALLET_MISSING' } })
  }
  expect(await examineAddresses(stage.db, stage.networks)).toMatchObject([{ code: 'addresses.none' }])
  await rename(wallet?.source ?? '')
  aheadMs += 1_000
  await create()
})

test('there are no payments by contract, and a test payment takes no address of the wallet', async () => {
  const before = await numberOf(await create())
  const answer = await stage.post(
    '/api/v1/deposits/create',
    { amount: '25.00', currency: 'USDC', network: 'devnet' },
    { headers: { 'Idempotency-Key': systemRuntime.newUuid(), 'X-Public-Key': stage.merchant.testPublicKey } },
  )
  expect(answer).toMatchObject({ status: 200, body: { payment: { status: 'pending' } } })
  const simulate = (action: string) => ask(`/sandbox/payments/${answer.body.payment.id}/simulate`, { action })
  expect(await simulate('sweep_fail')).toMatchObject({ status: 409 })
  expect(await simulate('complete')).toMatchObject({
    status: 200,
    body: { payment: { status: 'swept', settlement: { state: 'settled' } } },
  })
  expect(await numberOf(await create())).toBe(before + 1)
})
