import { type AppFixture, noChains, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { WalletPayments } from '../../chain/connector.ts'
import { sql } from '../../db/db.ts'
import { setWallets } from '../../merchant/wallets.ts'
import type { PaymentId } from '../../payment/payment.ts'

const customer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** What the nodes say about wallets' transactions. */
const node: Pick<WalletPayments, 'nonceOf' | 'isPromptOver'> = {}
let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({ contracts: { ...noChains, chains: new Map([['devnet', node as WalletPayments]]) } })
})
afterEach(() => {
  delete node.nonceOf
  delete node.isPromptOver
})
afterAll(() => bff.close())

type Prompt = { id: string; transactionHash: string | null; batchId: string | null }
type Refund = { id: string; prompt: Prompt | null }
type Body = { code?: string; refund: Refund; prompt: Prompt }

async function ask(path: string, body?: object) {
  const answer = await bff.call(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: answer.body as unknown as Body }
}

async function requested(network = 'devnet'): Promise<string> {
  const { payment } = (await bff.create({ ...order, network }, { 'Idempotency-Key': crypto.randomUUID() })).body
  const id = payment['id'] as PaymentId
  const transfer = { ...transferTo(id, 25_000_000n), network }
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  return (await ask(`/payments/${id}/refunds`, { address: customer })).body.refund.id
}

const prompt = (...refundIds: string[]) => ask('/refunds/prompts', { refundIds, account: bff.deps.operator })
const report = ({ id }: Prompt, body: object) => ask(`/refunds/prompts/${id}`, body)
const promptOf = async (id: string) => (await ask(`/refunds/${id}`)).body.refund.prompt
/** A part of the refund arrives: a transfer pays the rest, and no call of the splitter. */
async function arrive(id: string, type: 'transfer.seen' | 'transfer.confirmed', txId = hash('0')) {
  const transfer = { ...transferTo(id as PaymentId, 5_000_000n), txId }
  await bff.deps.ledger.apply(id as PaymentId, { type, transfer, atMs: bff.nowMs() })
}
const nonceOf = async ({ id }: Prompt) =>
  (
    await bff.deps.db.read((tx) =>
      tx.get<{ nonce: number | null }>(sql`select nonce from refund_prompts where id = ${id}`),
    )
  )?.nonce
const hash = (digit: string) => `0x${digit.repeat(64)}`

test('wallets are asked to pay one refund twenty times at most, rejected ones included', async () => {
  const id = await requested()
  for (let time = 0; time < 20; time++) {
    const { status, body } = await prompt(id)
    expect(status).toBe(200)
    await report(body.prompt, { isRejected: true })
  }
  expect((await prompt(id)).body.code).toBe('REFUND_NOT_PAYABLE')
})

test('a wallet that sent a batch cannot reject, and its batch and its transaction are both remembered', async () => {
  const id = await requested()
  const { body } = await prompt(id)
  expect((await report(body.prompt, { batchId: 'b1', isRejected: true })).status).toBe(400)
  await report(body.prompt, { batchId: 'b1' })
  expect((await report(body.prompt, { isRejected: true })).body.code).toBe('REFUND_PROMPTED')
  await report(body.prompt, { transactionHash: hash('a') })
  expect(await promptOf(id)).toMatchObject({ batchId: 'b1', transactionHash: hash('a') })
  await report(body.prompt, { batchId: 'b2' })
  expect(await promptOf(id)).toMatchObject({ batchId: 'b2', transactionHash: hash('a') })
})

test('a batch that the wallet gave up ends the prompt; what it has sent, or was never given, cannot be given up', async () => {
  const id = await requested()
  const first = await prompt(id)
  expect((await report(first.body.prompt, { isGivenUp: true })).body.code, 'there is no batch').toBe('REFUND_PROMPTED')
  await report(first.body.prompt, { batchId: 'b1' })
  expect((await report(first.body.prompt, { isGivenUp: true })).status).toBe(200)
  expect(await promptOf(id)).toBe(null)
  const second = await prompt(id)
  expect(second.status, 'another wallet can be asked at once').toBe(200)
  await report(second.body.prompt, { batchId: 'b2' })
  await report(second.body.prompt, { transactionHash: hash('a') })
  expect((await report(second.body.prompt, { isGivenUp: true })).body.code, 'it was sent').toBe('REFUND_PROMPTED')
})

test('a prompt for two refunds that has paid a part of one of them is still open for the other', async () => {
  const [one, other] = [await requested(), await requested()]
  const { body } = await prompt(one, other)
  await report(body.prompt, { transactionHash: hash('c') })
  await arrive(one, 'transfer.seen', hash('c'))
  expect(await promptOf(one), 'a reorg may still take it away').toMatchObject({ id: body.prompt.id })
  await arrive(one, 'transfer.confirmed', hash('c'))
  expect(await promptOf(one)).toBeNull()
  expect((await prompt(one)).status).toBe(200)
  expect((await prompt(other)).body.code).toBe('REFUND_PROMPTED')
})

test('a nonce is that of the transaction which the wallet reported last', async () => {
  const id = await requested()
  await arrive(id, 'transfer.confirmed')
  const { body } = await prompt(id)
  const nonces = new Map([
    [hash('d'), 7],
    [hash('e'), 8],
  ])
  node.nonceOf = async ({ txId }) => {
    // A page reports the faster one while a node is asked about the first.
    if (txId === hash('d')) await report(body.prompt, { transactionHash: hash('e') })
    return nonces.get(txId) ?? null
  }
  await report(body.prompt, { transactionHash: hash('d') })
  expect(await promptOf(id)).toMatchObject({ transactionHash: hash('e') })
  expect(await nonceOf(body.prompt)).toBe(8)
  await report(body.prompt, { transactionHash: hash('f') })
  expect(await nonceOf(body.prompt), 'no node knows the newest').toBeNull()
})

test('what was read before a wallet reported its transaction does not end its prompt', async () => {
  const id = await requested()
  const { body } = await prompt(id)
  node.isPromptOver = async ({ txId }) => {
    if (txId === null) await report(body.prompt, { transactionHash: hash('a') })
    return txId === null
  }
  await promptOf(id)
  expect(await promptOf(id)).toMatchObject({ transactionHash: hash('a') })
})

test('a list of refunds names no prompt whose transaction was reverted', async () => {
  const ids = [await requested(), await requested()]
  const { body } = await prompt(...ids)
  await report(body.prompt, { transactionHash: hash('a') })
  const listed = async () => {
    const { refunds } = (await ask('/refunds?status=open')).body as unknown as { refunds: Refund[] }
    return ids.map((id) => refunds.find((refund) => refund.id === id)?.prompt?.transactionHash ?? null)
  }
  node.isPromptOver = async () => false
  expect(await listed()).toEqual([hash('a'), hash('a')])
  node.isPromptOver = async () => true
  expect(await listed()).toEqual([null, null])
})

test('one prompt is for refunds of one network', async () => {
  await setWallets(bff.deps, bff.merchant.merchantId, new Map([['elsewhere', bff.deps.operator]]))
  bff.advance(2_000)
  const [here, there] = [await requested(), await requested('elsewhere')]
  expect(await prompt(here, there)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect([await promptOf(here), await promptOf(there)]).toEqual([null, null])
})
