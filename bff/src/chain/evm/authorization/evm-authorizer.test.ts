import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { concat, type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import type { CheckedAuthorization } from '../../../payment/authorization.ts'
import { createEvmPool } from '../rpc/evm-pool.ts'
import { createEvmSender } from '../send/evm-sender.ts'
import { costMicros, createCallCosts, createEvmAuthorizer, wholeCostMax } from './evm-authorizer.ts'

const signatureGas = { coinPrice: '50', perPayer: 20, perAddress: 100, dailyBudget: '20' }
/** Of one client: reads, simulations and checked contract signatures per minute. */
const [readsMax, simulationsMax, contractChecksMax] = [400, 60, 20]

let stage: AuthorizationStage
let nowMs: number
let calls: string[]
let open: ReturnType<typeof openAuthorizer>
beforeAll(async () => {
  stage = await openAuthorizationStage({ signatureGas })
})
afterAll(() => stage.close())
beforeEach(async () => {
  nowMs = 0
  calls = []
  open = openAuthorizer()
  await stage.setBaseFee(1)
  await stage.chain.setBalance({ address: stage.relayer.address, value: 10n ** 20n })
})

/** The authorizer on a clock of its own, and the costs that its nodes report. */
function openAuthorizer() {
  const { relayer } = stage
  const network = { ...stage.network, signatureGas }
  const pool = createEvmPool(network, { nowMs: Date.now, log, observe: ({ method }) => void calls.push(method) })
  const own = { network, pool, operator: relayer.address }
  return {
    authorizer: createEvmAuthorizer({ ...own, nowMs: () => nowMs, wake: () => undefined }),
    costs: createCallCosts(own),
    sender: createEvmSender(network, pool),
  }
}

/** A customer's authorization of 25.00, checked without a node. */
async function checkedOf(customer: PrivateKeyAccount = stage.customer): Promise<CheckedAuthorization> {
  const deposit = await stage.createDeposit()
  const signed = await stage.sign(deposit, {}, customer)
  return await open.authorizer.check(await stage.load(deposit.id), signed, Date.now())
}

const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** The code of the refusal, or `simulated`. */
const simulate = (checked: CheckedAuthorization, client: string | null = 'client') =>
  open.authorizer.simulate(checked, client).then(
    () => 'simulated',
    ({ code }) => code as string,
  )

const priced = (coinPrice: string, decimals = 18) =>
  ({ nativeCurrency: { decimals }, signatureGas: { ...signatureGas, coinPrice } }) as EvmNetwork

test('a cost in dollars is rounded up to a millionth', () => {
  expect(costMicros(1n, priced('50'))).toBe(1)
  expect(costMicros(2n * 10n ** 10n, priced('50'))).toBe(1)
  expect(costMicros(2n * 10n ** 10n + 1n, priced('50'))).toBe(2)
  expect(costMicros(0n, priced('50'))).toBe(0)
  expect(costMicros(10n ** 18n, priced('2500.5'))).toBe(2_500_500_000)
  expect(costMicros(1_000_000n, priced('0.5', 6))).toBe(500_000)
  expect(() => costMicros(1n, { ...priced('50'), signatureGas: null })).toThrow('no coinPrice')
})

test('the maximum cost is all gas at the maximum price, and twice the additional fee', () => {
  const fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 3n }
  expect(wholeCostMax({ gas: 100n, l1FeeWei: 11n, ...fees })).toBe(722n)
})

test('the cost includes the priority fee, and at most a base fee that doubles', async () => {
  const checked = await checkedOf()
  const { costMicros: now, costMaxMicros: most } = await open.authorizer.simulate(checked)
  const measured = await open.costs.measure(checked)
  const head = await open.sender.head()
  const fees = await open.sender.fees(head)
  expect(fees.maxPriorityFeePerGas).toBeGreaterThan(0n)
  const { gas } = measured as { gas: bigint }
  expect(now).toBe(
    costMicros(gas * (head.baseFeePerGas + fees.maxPriorityFeePerGas), { ...stage.network, signatureGas }),
  )
  expect(most).toBe(
    costMicros(gas * (2n * head.baseFeePerGas + fees.maxPriorityFeePerGas), { ...stage.network, signatureGas }),
  )
})

test('nothing is accepted that the operator’s balance may not pay', async () => {
  const checked = await checkedOf()
  const fees = await open.sender.fees(await open.sender.head())
  const { gas } = (await open.costs.measure(checked)) as { gas: bigint }
  const value = gas * fees.maxFeePerGas
  await stage.chain.setBalance({ address: stage.relayer.address, value: value - 1n })
  expect(await simulate(checked)).toBe('RELAY_UNAVAILABLE')
  await stage.chain.setBalance({ address: stage.relayer.address, value })
  expect(await simulate(checked)).toBe('simulated')
})

test('an account that lacks one unit is refused, and no transaction is simulated', async () => {
  const poor = newAccount()
  await stage.mint(poor.address, 24_999_999n)
  const checked = await checkedOf(poor)
  expect(await simulate(checked)).toBe('INSUFFICIENT_FUNDS')
  expect(calls).not.toContain('eth_estimateGas')
  await stage.mint(poor.address, 1n)
  expect(await simulate(checked)).toBe('simulated')
})

test('an authorization that a third party has submitted is refused without a simulation', async () => {
  const checked = await checkedOf()
  expect(await simulate(checked)).toBe('simulated')
  expect((await stage.send({ to: checked.target, data: checked.data as Hex })).status).toBe('success')
  calls.length = 0
  expect(await simulate(checked)).toBe('AUTHORIZATION_USED')
  expect(calls).not.toContain('eth_estimateGas')
})

/** PUSH2 n JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 3 JUMPI: takes about 21,000 gas, and 26 a turn. */
const spenderOf = (turns: number): Hex => concat(['0x61', toHex(turns, { size: 2 }), '0x5b6001900380600357'])

test('a call that needs more than 600,000 gas with its margin is refused', async () => {
  const target = '0x00000000000000000000000000000000000000c5'
  const measure = async (turns: number) => {
    await stage.chain.setCode({ address: target, bytecode: spenderOf(turns) })
    return await open.costs.measure({ target, data: '0x' })
  }
  const { gas } = (await measure(17_000)) as { gas: bigint }
  expect(gas).toBeGreaterThan(550_000n)
  expect(gas).toBeLessThanOrEqual(600_000n)
  expect(await measure(19_500)).toMatchObject({ code: 'GAS_TOO_EXPENSIVE' })
})

test('a client reads at most 400 accounts a minute, also by asking for settlements', async () => {
  const empty = newAccount()
  const checked = await checkedOf(empty)
  const codes = new Map<string, number>()
  const count = async () => {
    const code = await simulate(checked)
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  for (let asked = 0; asked < readsMax; asked++) await count()
  expect([...codes]).toEqual([['INSUFFICIENT_FUNDS', readsMax]])
  calls.length = 0
  expect(await simulate(checked)).toBe('RELAY_UNAVAILABLE')
  const known = { txIds: [], createdAtMs: 0 }
  await expect(open.authorizer.findSettlement?.(checked, known, 'client')).rejects.toMatchObject({
    code: 'RELAY_UNAVAILABLE',
  })
  expect(calls).toEqual([])
  expect(await simulate(checked, 'other')).toBe('INSUFFICIENT_FUNDS')
  nowMs += 60_000
  expect(await simulate(checked)).toBe('INSUFFICIENT_FUNDS')
})

test('a client has at most 60 transactions simulated a minute, and accounts without the money take none of them', async () => {
  const [checked, empty] = [await checkedOf(), await checkedOf(newAccount())]
  for (let asked = 0; asked < simulationsMax; asked++) expect(await simulate(empty)).toBe('INSUFFICIENT_FUNDS')
  for (let asked = 0; asked < simulationsMax; asked++) expect(await simulate(checked)).toBe('simulated')
  calls.length = 0
  expect(await simulate(checked)).toBe('RELAY_UNAVAILABLE')
  expect(calls).not.toContain('eth_estimateGas')
  expect(await simulate(checked, 'other')).toBe('simulated')
  nowMs += 60_000
  expect(await simulate(checked)).toBe('simulated')
})

test('a client has at most 20 signatures a minute checked for a contract', async () => {
  const checked = { ...(await checkedOf()), isKeySignature: false }
  for (let asked = 0; asked < contractChecksMax; asked++) expect(await simulate(checked)).toBe('INVALID_SIGNATURE')
  calls.length = 0
  expect(await simulate(checked)).toBe('RELAY_UNAVAILABLE')
  const known = { txIds: [], createdAtMs: 0 }
  await expect(open.authorizer.findSettlement?.(checked, known, 'client')).rejects.toMatchObject({
    code: 'RELAY_UNAVAILABLE',
  })
  expect(calls).toEqual([])
  nowMs += 60_000
  expect(await simulate(checked)).toBe('INVALID_SIGNATURE')
})
