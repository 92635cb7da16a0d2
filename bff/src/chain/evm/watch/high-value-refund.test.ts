import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
} from '@stablecoin-checkout/rig/contract-stage'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Of 20.00 and more. */
const wanted = 6
const never = new AbortController().signal

let stage: ContractStage
let liar: LyingNode
let truth: string
beforeAll(async () => {
  stage = await openContractStage({ highValue: { amount: '20', confirmations: wanted } })
  truth = String(stage.network.rpcUrls[0])
  liar = await openLyingNode(truth)
})
afterAll(async () => {
  await liar.close()
  await stage.close()
})

type Refund = { id: string; status: string; paid: string; call: Created['contractCall'] }

async function ask(path: string, body?: unknown): Promise<Refund> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return ((await response.json()) as { refund: Refund }).refund
}

async function watchBy(watcher: ReturnType<ContractStage['otherWatcher']>): Promise<void> {
  for (let passes = 0; passes < 5; passes++) await watcher.pass(never)
}

/** A payment that its customer has paid, final. */
async function paidPayment(amount: string): Promise<Created> {
  // A watcher begins with the newest block.
  await stage.watch()
  const payment = await stage.create({ amount })
  await stage.pay(payment)
  // Seen in one block, and asked for again in a later one.
  await stage.watch()
  await stage.chain.mine({ blocks: wanted })
  await stage.watch()
  expect((await stage.load(payment.id)).status).toBe('completed')
  return payment
}

test('a high-value refund is paid with its own confirmations, once two nodes have it', async () => {
  const payment = await paidPayment('45.00')
  const address = privateKeyToAccount(generatePrivateKey()).address
  const [high, low] = [
    await ask(`/payments/${payment.id}/refunds`, { amount: '25.00', address }),
    await ask(`/payments/${payment.id}/refunds`, { amount: '19.99', address }),
  ]
  for (const { call } of [high, low]) await stage.pay({ ...payment, contractCall: call })
  const watcher = stage.otherWatcher({ rpcUrls: [truth, liar.url] })
  await stage.chain.mine({ blocks: wanted - 2 })
  await watchBy(watcher)
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ status: 'confirming', paid: '0.00' })
  expect(await ask(`/refunds/${low.id}`)).toMatchObject({ status: 'paid', paid: '19.99' })
  liar.lie('eth_getTransactionReceipt', () => null)
  await stage.chain.mine({ blocks: wanted })
  await watchBy(watcher)
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ status: 'confirming', paid: '0.00' })
  liar.mend()
  await stage.chain.mine({ blocks: 1 })
  await watchBy(watcher)
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ status: 'paid', paid: '25.00' })
})

// Last: the chain's clock is ahead of the service's from here on.
test('what a wallet was asked for a high-value refund is over only with its own confirmations', async () => {
  const payment = await paidPayment('45.00')
  const address = privateKeyToAccount(generatePrivateKey()).address
  const [high, low] = [
    await ask(`/payments/${payment.id}/refunds`, { amount: '25.00', address }),
    await ask(`/payments/${payment.id}/refunds`, { amount: '19.00', address }),
  ]
  await ask('/refunds/prompts', { refundIds: [high.id, low.id], account: stage.merchantAccount.address })
  await stage.chain.increaseTime({ seconds: 2 * 3_600 })
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect(await ask(`/refunds/${low.id}`)).toMatchObject({ prompt: null })
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ prompt: { account: stage.merchantAccount.address } })
  await stage.chain.mine({ blocks: wanted - confirmations })
  await stage.watch()
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ prompt: null })
})
