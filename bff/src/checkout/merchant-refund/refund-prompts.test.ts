import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WalletPayments } from '../../chain/connector.ts'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { loadMerchantRefund } from '../../payment/store/merchant-refund-store.ts'
import { createRefundPrompts } from './refund-prompts.ts'

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
  const account = stage.merchantAccount.address
  await stage.chain.request({ method: 'anvil_setBalance', params: [account, '0x8ac7230489e80000'] } as never)
  const args = [account, 1_000_000_000n] as const
  await stage.send(
    { to: usdc(), data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args }) },
    stage.tokenOwner,
  )
})
afterAll(() => stage.close())

type Call = { approval: { to: Hex; data: Hex }; contractAddress: Hex; before: { data: Hex } }
type Prompt = { id: string; account: string; transactionHash: string | null }
type Refund = {
  id: string
  address: Hex
  status: string
  wallet: object | null
  prompt: Prompt | null
  call: Call | null
}
type Answer = { code?: string; refund: Refund; prompt: { id: string; transaction: null }; refunds: Refund[] }

const usdc = () => stage.network.tokens[0]?.address as Hex
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const own = () => stage.merchantAccount.address

async function ask(path: string, body?: unknown): Promise<{ status: number; body: Answer }> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** A refund of a paid payment. @param isPlain - Without a splitter: a transfer pays it. */
async function requested(amount: string, { isPlain = false } = {}): Promise<Refund> {
  const payment = await stage.create()
  await stage.pay(payment)
  await settle()
  const { body } = await ask(`/payments/${payment.id}/refunds`, { address: newAddress(), amount })
  if (isPlain) {
    const { id } = body.refund
    await stage.db.write((tx) =>
      tx.run(sql`
          update merchant_refunds set splitter = null, terms_hash = null, split_terms = null where id = ${id}`),
    )
  }
  return await read(body.refund.id)
}

async function settle() {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
}

const read = async (id: string) => (await ask(`/refunds/${id}`)).body.refund
const prompt = (refundIds: string[], more: object = {}) =>
  ask('/refunds/prompts', { refundIds, account: own(), ...more })
const report = (id: string, body: object) => ask(`/refunds/prompts/${id}`, body)
const transfer = ({ address }: Refund, amount: bigint, more: object = {}) =>
  stage.send(
    {
      to: usdc(),
      data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [address, amount] }),
      ...more,
    },
    stage.merchantAccount,
  )
const automine = (isOn: boolean) => stage.chain.request({ method: 'evm_setAutomine', params: [isOn] } as never)

/** Sends a transaction to the node, which does not mine it. @param refund - Null: to the account itself. */
async function submit(nonce: number, refund: Refund | null, priceGwei: bigint): Promise<Hex> {
  const args = [refund?.address ?? own(), 5_000_000n] as const
  const call = refund && { to: usdc(), data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args }) }
  const fee = priceGwei * 1_000_000_000n
  const serializedTransaction = await stage.merchantAccount.signTransaction({
    ...(call ?? { to: own() }),
    nonce,
    gas: 100_000n,
    chainId: stage.network.chainId,
    maxFeePerGas: 10n * fee,
    maxPriorityFeePerGas: fee,
  })
  return await stage.chain.sendRawTransaction({ serializedTransaction })
}

const nonce = () => stage.chain.getTransactionCount({ address: own() })

test('a wallet is prompted once: of two concurrent prompts one is refused until the chain has the transaction', async () => {
  const refund = await requested('5.00')
  expect(refund).toMatchObject({
    prompt: null,
    wallet: { by: 'call', account: null, chain: { name: expect.any(String) } },
  })
  const answers = await Promise.all([prompt([refund.id]), prompt([refund.id])])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('REFUND_PROMPTED')
  const { body } = answers.find(({ status }) => status === 200) as { body: Answer }
  const { call } = body.refunds[0] as Refund
  if (!call) throw new Error('There is no call.')
  expect(await read(refund.id)).toMatchObject({ prompt: { id: body.prompt.id, account: own(), transactionHash: null } })
  await stage.send({ to: call.approval.to, data: call.approval.data }, stage.merchantAccount)
  const { transactionHash } = await stage.send(
    { to: call.contractAddress, data: call.before.data },
    stage.merchantAccount,
  )
  expect((await report(body.prompt.id, { transactionHash })).status).toBe(200)
  expect((await prompt([refund.id])).body.code).toBe('REFUND_PROMPTED')
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', prompt: null, wallet: null })
  expect((await prompt([refund.id])).body.code).toBe('REFUND_NOT_PAYABLE')
})

test('a rejected prompt can be repeated immediately; a sent transaction cannot be rejected', async () => {
  const refund = await requested('5.00')
  const first = await prompt([refund.id])
  expect((await report(first.body.prompt.id, { isRejected: true })).status).toBe(200)
  expect((await report(first.body.prompt.id, { isRejected: true })).body.code).toBe('PROMPT_NOT_FOUND')
  const second = await prompt([refund.id])
  expect(second.status).toBe(200)
  await report(second.body.prompt.id, { batchId: '0xbatch' })
  expect((await report(second.body.prompt.id, { isRejected: true })).body.code).toBe('REFUND_PROMPTED')
  for (const body of [{}, { isRejected: true, batchId: '0x1' }])
    expect((await report(second.body.prompt.id, body)).status).toBe(400)
})

test('the wallet’s answer is accepted only from the key that opened the prompt; others end the prompt with the passkey', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const { body } = await prompt([refund.id])
  await stage.db.write((tx) => tx.run(sql`update refund_prompts set asked_by = 'session' where id = ${body.prompt.id}`))
  for (const said of [{ isRejected: true }, { batchId: '0x1' }, { transactionHash: `0x${'ab'.repeat(32)}` }])
    expect((await report(body.prompt.id, said)).body.code).toBe('PROMPT_NOT_FOUND')
  expect(await read(refund.id)).toMatchObject({ prompt: { id: body.prompt.id, transactionHash: null } })
  expect((await ask(`/refunds/prompts/${body.prompt.id}/release`, {})).status).toBe(200)
})

test('a transfer replaced by a faster one is not prompted again: its money counts', async () => {
  const refund = await requested('5.00', { isPlain: true })
  expect(refund).toMatchObject({ call: null, wallet: { by: 'transfer', account: own() } })
  const next = await nonce()
  const { body } = await prompt([refund.id])
  await report(body.prompt.id, { transactionHash: `0x${'ab'.repeat(32)}` })
  await transfer(refund, 5_000_000n, { nonce: next })
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid' })
  expect((await prompt([refund.id])).body.code).toBe('REFUND_NOT_PAYABLE')
})

test('a transfer is proven to be over once its nonce was used for something else; before, or if it is unknown, it is not', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const unknown = await requested('5.00', { isPlain: true })
  const { body } = await prompt([refund.id])
  const other = await prompt([unknown.id])
  await automine(false)
  const next = await nonce()
  const transactionHash = await submit(next, refund, 1n)
  await report(body.prompt.id, { transactionHash })
  await report(other.body.prompt.id, { transactionHash: `0x${'cd'.repeat(32)}` })
  await submit(next, null, 3n)
  await automine(true)
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  expect(await nonce()).toBe(next + 1)
  // Not at the required depth.
  expect((await prompt([refund.id])).body.code).toBe('REFUND_PROMPTED')
  await settle()
  expect((await prompt([refund.id])).status).toBe(200)
  expect((await prompt([unknown.id])).body.code).toBe('REFUND_PROMPTED')
})

test('a transfer that waits behind another nonce is not over once that one is used', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const { body } = await prompt([refund.id])
  const next = await nonce()
  await automine(false)
  // The wallet had sent two transactions of its own before.
  const transactionHash = await submit(next + 2, refund, 1n)
  await report(body.prompt.id, { transactionHash })
  await automine(true)
  await stage.send({ to: own(), data: '0x', nonce: next } as never, stage.merchantAccount)
  await settle()
  expect((await prompt([refund.id])).body.code).toBe('REFUND_PROMPTED')
  await stage.send({ to: own(), data: '0x', nonce: next + 1 } as never, stage.merchantAccount)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', transactionHash, excess: '0.00' })
})

test('a person who confirms that nothing was sent ends the prompt', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const { body } = await prompt([refund.id])
  expect((await ask(`/refunds/prompts/${body.prompt.id}/release`, {})).status).toBe(200)
  expect((await ask(`/refunds/prompts/${body.prompt.id}/release`, {})).body.code).toBe('PROMPT_NOT_FOUND')
  expect((await prompt([refund.id])).status).toBe(200)
})

test('one prompt pays several refunds of one network, or none of them', async () => {
  const [one, other, asked] = [await requested('1.00'), await requested('2.00'), await requested('3.00')]
  await prompt([asked.id])
  expect((await prompt([one.id, other.id, asked.id])).body.code).toBe('REFUND_PROMPTED')
  expect(await read(one.id)).toMatchObject({ prompt: null })
  const { status, body } = await prompt([one.id, other.id])
  expect(status).toBe(200)
  expect(body.refunds.map(({ id, call }) => [id, call !== null]).toSorted()).toEqual(
    [
      [one.id, true],
      [other.id, true],
    ].toSorted(),
  )
  expect(await read(other.id)).toMatchObject({ prompt: { id: body.prompt.id } })
})

test('a partial amount that arrived ends its prompt, and the next prompt is for the rest', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const { body } = await prompt([refund.id])
  const { transactionHash } = await transfer(refund, 2_000_000n)
  await report(body.prompt.id, { transactionHash })
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', remaining: '3.00', prompt: null })
  expect((await prompt([refund.id])).status).toBe(200)
})

test('a transfer from an account other than the settlement wallet pays no refund, and is not prompted', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const { status, body } = await prompt([refund.id], { account: newAddress() })
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('settlement wallet') },
  })
  expect(await read(refund.id)).toMatchObject({ prompt: null })
})

test('a prompted transfer counts although the merchant has set another wallet meanwhile', async () => {
  const refund = await requested('5.00', { isPlain: true })
  await prompt([refund.id])
  const name = (address: string) =>
    stage.db.write((tx) => tx.run(sql`update settlement_wallets set address = ${address}`))
  await name(newAddress())
  try {
    await transfer(refund, 5_000_000n)
    await settle()
  } finally {
    await name(own())
  }
  expect(await read(refund.id)).toMatchObject({ status: 'paid', excess: '0.00' })
})

test('a nonce that was used while the wallet still shows its request proves nothing: the wallet sends it with another nonce', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const next = await nonce()
  await prompt([refund.id])
  await stage.send({ to: own(), data: '0x', nonce: next } as never, stage.merchantAccount)
  await settle()
  expect((await prompt([refund.id])).body.code).toBe('REFUND_PROMPTED')
  await transfer(refund, 5_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', excess: '0.00' })
})

test('a refund is not cancelled while its prompt is open', async () => {
  const refund = await requested('5.00')
  const { body } = await prompt([refund.id])
  expect((await ask(`/refunds/${refund.id}/cancel`, {})).body.code).toBe('REFUND_PROMPTED')
  await report(body.prompt.id, { isRejected: true })
  expect((await ask(`/refunds/${refund.id}/cancel`, {})).body.refund).toMatchObject({ status: 'cancelled' })
})

test('a partial amount that a reorg may remove does not end its prompt', async () => {
  const refund = await requested('5.00', { isPlain: true })
  const { body } = await prompt([refund.id])
  const { transactionHash } = await transfer(refund, 2_000_000n)
  await report(body.prompt.id, { transactionHash })
  await stage.watch()
  expect(await read(refund.id)).toMatchObject({ remaining: '3.00', prompt: { transactionHash } })
  expect((await prompt([refund.id])).body.code).toBe('REFUND_PROMPTED')
  await settle()
  expect((await prompt([refund.id])).status).toBe(200)
})

test('a slow node delays no page: it is called once, and its response counts at the next read', async () => {
  const refund = await requested('5.00')
  await prompt([refund.id])
  let asked = 0
  let answer = (_isOver: boolean) => {}
  const isPromptOver = () => {
    asked++
    return new Promise<boolean>((resolve) => {
      answer = resolve
    })
  }
  const chains = new Map([[stage.network.shortName, { isPromptOver } as unknown as WalletPayments]])
  const { db, networks } = stage
  const prompts = createRefundPrompts({ db, networks, chains, runtime: systemRuntime, log: silentLog, waitMs: 50 })
  const stored = await db.read((tx) => loadMerchantRefund(tx, refund.id))
  if (!stored) throw new Error('There is no refund.')
  const { signal } = new AbortController()
  await Promise.all([prompts.endOver(stored, signal), prompts.endOver(stored, signal)])
  await prompts.endOver(stored, signal)
  expect(asked).toBe(1)
  expect((await read(refund.id)).prompt).not.toBeNull()
  answer(true)
  await expect.poll(async () => (await read(refund.id)).prompt).toBeNull()
  await prompts.endOver(stored, signal)
  expect(asked, 'no prompt is open').toBe(1)
})

// Last: the chain's clock is ahead of the service's from here on.
test('a call of the splitter is over once the chain is past its deadline', async () => {
  const refund = await requested('5.00')
  const [unwanted, unopened] = [await requested('4.00'), await requested('3.00')]
  const plain = await requested('2.00', { isPlain: true })
  await prompt([refund.id, unwanted.id, unopened.id])
  await prompt([plain.id])
  expect((await prompt([refund.id])).body.code).toBe('REFUND_PROMPTED')
  await stage.chain.increaseTime({ seconds: 2 * 3_600 })
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  // A reorg could still put the call into an earlier block.
  expect((await ask(`/refunds/${unwanted.id}/cancel`, {})).body.code).toBe('REFUND_PROMPTED')
  expect((await read(unopened.id)).prompt).not.toBeNull()
  await settle()
  expect((await prompt([refund.id])).status).toBe(200)
  // It is cancelled, and read, without another prompt first.
  expect((await ask(`/refunds/${unwanted.id}/cancel`, {})).body.refund).toMatchObject({ status: 'cancelled' })
  expect(await read(unopened.id)).toMatchObject({ status: 'to_pay', prompt: null })
  // A transfer that a wallet still shows never ends by itself.
  expect((await ask(`/refunds/${plain.id}/cancel`, {})).body.code).toBe('REFUND_PROMPTED')
})
