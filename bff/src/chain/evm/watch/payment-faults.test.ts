import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'

let stage: ContractStage
let usdc: Hex
beforeEach(async () => {
  stage = await openContractStage()
  usdc = stage.network.tokens[0]?.address as Hex
})
afterEach(() => stage.close())

type Deposit = { id: PaymentId; depositAddress: Hex }

async function createDeposit(): Promise<Deposit> {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet', orderId: crypto.randomUUID() }
  return (await stage.post('/api/v1/deposits/create', order)).body.payment as unknown as Deposit
}

const transferTo = (to: Hex, amount = 25_000_000n) =>
  encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to, amount] })

const pay = ({ depositAddress }: Deposit, amount?: bigint) =>
  stage.send({ to: usdc, data: transferTo(depositAddress, amount) })

/** Makes the payment's row unreadable, or readable again. */
const setMetadata = (id: PaymentId, metadata: string | null) =>
  stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${id}`))

const outcomeOf = async ({ id }: Deposit) => (await stage.status(id)) as unknown as { outcome: string; status: string }

const creditsOf = ({ id }: Deposit) =>
  stage.db.read((tx) =>
    tx.all<{ amount: string }>(sql`select amount from transfers where payment_id = ${id} and state = 'confirmed'`),
  )

const faults = () =>
  stage.db.read((tx) =>
    tx.all<{ id: string; part: string }>(
      sql`select payment_id as id, part from watch_faults order by payment_id, part`,
    ),
  )

/** One signed, unsent transaction that pays both deposits. */
async function signBatch(a: Deposit, b: Deposit): Promise<Hex> {
  const approval = encodeFunctionData({
    abi: testUsdc.abi,
    functionName: 'approve',
    args: [paymentSplitter.address, 10n ** 12n],
  })
  await stage.send({ to: usdc, data: approval })
  const details = {
    token: usdc,
    amount: 50_000_000n,
    paymentId: 'batch',
    recipient1: a.depositAddress,
    recipient2: b.depositAddress,
    recipient3: a.depositAddress,
    recipient1Percentage: 5_000n,
    recipient2Percentage: 5_000n,
    recipient3Percentage: 0n,
  }
  const data = encodeFunctionData({ abi: paymentSplitter.abi, functionName: 'splitPayment', args: [details] })
  const account = stage.customer
  const request = await stage.chain.prepareTransactionRequest({
    account,
    to: paymentSplitter.address,
    data,
    gas: 600_000n,
  } as never)
  return await account.signTransaction(request as never)
}

/** A transfer of one unit that precedes others in its block, because it pays more for its gas. */
async function signHasty(): Promise<Hex> {
  const account = privateKeyToAccount(generatePrivateKey())
  await stage.chain.setBalance({ address: account.address, value: 10n ** 18n })
  const mint = encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [account.address, 1n] })
  await stage.send({ to: usdc, data: mint })
  const request = await stage.chain.prepareTransactionRequest({
    account,
    to: usdc,
    gas: 200_000n,
    data: transferTo('0x00000000000000000000000000000000000000AA', 1n),
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 50_000_000_000n,
  } as never)
  return await account.signTransaction(request as never)
}

test('a transaction that pays two deposits and is mined again with other log indexes pays both once, as is the next payer', async () => {
  const [a, b, c] = [await createDeposit(), await createDeposit(), await createDeposit()]
  const hasty = await signHasty()
  const batch = await signBatch(a, b)
  await stage.watch()
  await stage.chain.mine({ blocks: confirmations })
  await stage.chain.setAutomine(false)
  await stage.chain.sendRawTransaction({ serializedTransaction: hasty })
  const hash = await stage.chain.sendRawTransaction({ serializedTransaction: batch })
  await stage.chain.mine({ blocks: 1 })
  const firstPlace = async () => (await stage.chain.getTransactionReceipt({ hash })).logs[0]?.logIndex
  expect(await firstPlace()).toBe(1)
  await stage.watch()
  expect((await stage.load(a.id)).seen).toBe(25_000_000n)
  expect((await stage.load(b.id)).seen).toBe(25_000_000n)

  await stage.chain.request({ method: 'anvil_reorg', params: [1, [[batch, 0]]] } as never)
  expect(await firstPlace()).toBe(0)
  await stage.chain.setAutomine(true)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  await pay(c)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  for (const deposit of [a, b, c]) {
    expect(await outcomeOf(deposit)).toMatchObject({ outcome: 'paid', status: 'sweeping' })
    expect(await creditsOf(deposit)).toEqual([{ amount: '25000000' }])
  }
})

test('a payment that cannot be changed blocks no other one, and is credited once when it can be', async () => {
  const [broken, well] = [await createDeposit(), await createDeposit()]
  await stage.watch()
  await setMetadata(broken.id, '{')
  await pay(broken)
  await pay(well)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect(await outcomeOf(well)).toMatchObject({ outcome: 'paid', status: 'sweeping' })
  expect(await faults()).toEqual([{ id: broken.id, part: 'transfers' }])

  for (let passes = 0; passes < 3; passes++) await stage.pass()
  await setMetadata(broken.id, null)
  await stage.pass()
  await stage.pass()
  expect(await outcomeOf(broken)).toMatchObject({ outcome: 'paid', status: 'sweeping' })
  expect(await creditsOf(broken)).toEqual([{ amount: '25000000' }])
  expect(await faults()).toEqual([])
})

test('events that a payment could not take are read again after a reorg', async () => {
  const broken = await createDeposit()
  const [hasty, batch] = [await signHasty(), await signBatch(broken, broken)]
  await stage.watch()
  await stage.chain.mine({ blocks: confirmations })
  await stage.chain.setAutomine(false)
  await stage.chain.sendRawTransaction({ serializedTransaction: hasty })
  await stage.chain.sendRawTransaction({ serializedTransaction: batch })
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  await setMetadata(broken.id, '{')
  await stage.chain.request({ method: 'anvil_reorg', params: [2, [[batch, 1]]] } as never)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  await setMetadata(broken.id, null)
  await stage.pass()
  expect((await stage.load(broken.id)).received).toBe(50_000_000n)
})

test('a window that cannot be ended blocks no other window, and no payment expires while its money waits to be credited', async () => {
  const [broken, empty, paid] = [await createDeposit(), await createDeposit(), await createDeposit()]
  await stage.watch()
  await setMetadata(broken.id, '{')
  await setMetadata(paid.id, '{')
  await pay(paid)
  await stage.watch()
  await stage.chain.increaseTime({ seconds: 3_600 })
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect(await outcomeOf(empty)).toMatchObject({ status: 'expired' })
  expect(await faults()).toEqual(
    [
      { id: broken.id, part: 'window' },
      { id: paid.id, part: 'transfers' },
    ].sort((one, other) => (one.id < other.id ? -1 : 1)),
  )

  await setMetadata(broken.id, null)
  await setMetadata(paid.id, null)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  expect(await outcomeOf(broken)).toMatchObject({ status: 'expired' })
  expect(await outcomeOf(paid)).toMatchObject({ outcome: 'paid' })
  const told = await stage.db.read((tx) =>
    tx.all<{ type: string }>(sql`select type from events where payment_id = ${paid.id} order by sequence`),
  )
  expect(told.map(({ type }) => type)).not.toContain('payment.expired')
})

test('while the database fails no block counts as read', async () => {
  const deposit = await createDeposit()
  await stage.watch()
  await pay(deposit)
  const db = { ...stage.db, write: () => Promise.reject(new Error('the disk is full')) }
  const signal = new AbortController().signal
  await expect(stage.otherWatcher({}, { db }).pass(signal)).rejects.toThrow('the disk is full')
  expect((await stage.load(deposit.id)).seen).toBe(0n)
  await stage.watch()
  expect((await stage.load(deposit.id)).seen).toBe(25_000_000n)
})

test('a payment is watched in its own token, even after it was removed from the configuration', async () => {
  const deposit = await createDeposit()
  const [first, second] = stage.network.tokens
  if (!first || !second) throw new Error('the stage has two tokens')
  const other = { ...first, address: '0x00000000000000000000000000000000000000cc' }
  for (const tokens of [[other, second], [second]]) {
    const watcher = stage.otherWatcher({ tokens })
    await watcher.pass(new AbortController().signal)
    await pay(deposit, 12_500_000n)
    await stage.chain.mine({ blocks: confirmations })
    for (let passes = 0; passes < 3; passes++) await watcher.pass(new AbortController().signal)
  }
  expect(await outcomeOf(deposit)).toMatchObject({ outcome: 'paid', status: 'sweeping' })
})
