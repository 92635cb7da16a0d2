import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import type { DepositPayment, PaymentId } from '../../../payment/payment.ts'
import { depositFactory } from '../deploy/contracts.generated.ts'
import { parseDepositTerms } from '../deposit/deposit-terms.ts'
import { toTuple } from '../deposit/forwarder-address.ts'
import { encodeRefund } from '../deposit/refund-call.ts'
import { createWindowHolder } from './held-windows.ts'
import { createLateSearcher } from './late-search.ts'

const { signal } = new AbortController()
const endMs = systemRuntime.nowMs() + 100 * 60 * 60 * 1000

let stage: ContractStage
let holder: ReturnType<typeof createWindowHolder>
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())
beforeEach(() => {
  const { db, ledger, network, evm } = stage
  holder = createWindowHolder({ db, ledger, adapter: evm, network, runtime: systemRuntime, log: silentLog })
})

async function createDeposit(): Promise<DepositPayment> {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  const headers = { 'Idempotency-Key': systemRuntime.newUuid() }
  const { body } = await stage.post('/api/v1/deposits/create', order, { headers })
  return (await stage.load(body.payment.id)) as DepositPayment
}

const usdc = () => String(stage.network.tokens[0]?.address)

function pay({ depositAddress }: DepositPayment, amount: bigint) {
  const args = [depositAddress as Hex, amount] as const
  return stage.send({ to: usdc(), data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args }) })
}

/** As anyone can. */
function settle({ depositTerms }: DepositPayment) {
  const args = [toTuple(parseDepositTerms(depositTerms))] as const
  const data = encodeFunctionData({ abi: depositFactory.abi, functionName: 'settle', args })
  return stage.send({ to: stage.network.factory, data })
}

const head = async () => {
  const number = Number(await stage.chain.getBlockNumber())
  return { number, hash: '', parentHash: '', timeMs: endMs }
}
const hold = async (ids: readonly PaymentId[]) => [...(await holder.hold(ids, await head(), signal))]

test('a payment settled externally before any node returned its logs keeps its window open, is searched for and paid', async () => {
  const [settled, unpaid] = [await createDeposit(), await createDeposit()]
  await pay(settled, 25_000_000n)
  expect((await settle(settled)).status).toBe('success')
  expect(await hold([settled.id, unpaid.id])).toEqual([settled.id])
  const { db, ledger, network, evm } = stage
  const search = createLateSearcher({ db, ledger, adapter: evm, network, runtime: systemRuntime, log: silentLog })
  while (await search(await head(), signal));
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect(await stage.load(settled.id)).toMatchObject({ status: 'sweeping', received: 25_000_000n })
  expect(await hold([settled.id])).toEqual([])
})

test('a partial amount in the books does not explain a settlement', async () => {
  const payment = await createDeposit()
  await pay(payment, 10_000_000n)
  await stage.watch()
  expect((await stage.load(payment.id)).received).toBe(0n)
  await pay(payment, 15_000_000n)
  await settle(payment)
  expect(await hold([payment.id])).toEqual([payment.id])
})

test('a forwarder deployed by a return is not settled', async () => {
  const payment = await createDeposit()
  const terms = parseDepositTerms(payment.depositTerms)
  await stage.chain.setBalance({ address: payment.depositAddress as Hex, value: 7n })
  await stage.chain.impersonateAccount({ address: terms.operator })
  await stage.chain.setBalance({ address: terms.operator, value: 10n ** 18n })
  const data = encodeRefund({ terms, token: `0x${'0'.repeat(40)}`, to: stage.customer.address, amount: 7n })
  const hash = await stage.chain.sendTransaction({ account: terms.operator, to: terms.factory, data })
  const { status } = await receiptOf(stage.chain, hash)
  expect(status).toBe('success')
  expect(await stage.chain.getCode({ address: payment.depositAddress as Hex })).toBeDefined()
  expect(await hold([payment.id])).toEqual([])
})
