import { openStage, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { viewUnmatched } from '../../../checkout/wire/unmatched-view.ts'
import { baseUnits } from '../../../core/money.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import type { EvmSender } from '../send/evm-sender.ts'

const never = new AbortController().signal
const coins = 10n ** 18n
const account = '0x00000000000000000000000000000000000000A1'
const otherAccount = '0x00000000000000000000000000000000000000a2'
const contract = '0x0000000000000000000000000000000000010000'
/** Loops until no gas is left. */
const burnsAll: Hex = '0x5b600056'
/** Loops while there is more than 4,096 gas, and accepts the coins: the maximum cost of a recipient. */
const burnsNearlyAll: Hex = ('0x5b5a61100010600057' + '00') as Hex
let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

/** A paid deposit with unmatched coins at its address, and their return address. */
async function sendCoins(to: string): Promise<PaymentId> {
  const id = await stage.pay()
  await stage.passUntil(stage.sweeper(), 'swept', [id])
  const { depositAddress } = await stage.load(id)
  await stage.chain.setBalance({ address: depositAddress as Hex, value: coins })
  await stage.ledger.apply(id, {
    ...{ type: 'unmatched.measured', network: 'devnet', token: coinAddress, currency: 'ETH', decimals: 18 },
    ...{ balance: baseUnits(String(coins)), block: 1, txId: null, atMs: stage.clock.nowMs },
  })
  await nameAddress(id, to)
  return id
}

const nameAddress = (id: PaymentId, address: string) =>
  stage.ledger.apply(id, { type: 'refund.requested', network: 'devnet', address, atMs: stage.clock.nowMs })

async function passes(changes: Partial<EvmSender> = {}): Promise<void> {
  const sweeper = stage.sweeper(changes)
  for (let count = 0; count < 4; count++) {
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 2 })
    stage.clock.nowMs += 1_000
  }
}

const shown = async (id: PaymentId) => viewUnmatched(await stage.load(id), new Map())[0]

async function gasOfNewest(): Promise<bigint> {
  const hash = (await stage.outgoing()).at(-1)?.tx_id as Hex
  return (await stage.chain.getTransactionReceipt({ hash })).gasUsed
}

test('coins are not sent to a contract that burns gas: nothing is paid for it, and the merchant sees the reason', async () => {
  await stage.chain.setCode({ address: contract, bytecode: burnsAll })
  const id = await sendCoins(contract)
  const nonce = await stage.operatorNonce()
  await passes()
  expect(await stage.operatorNonce()).toBe(nonce)
  expect(await shown(id)).toMatchObject({
    amount: '1.00',
    refund: { state: 'failed', address: contract, message: expect.stringMatching(/^The address takes no coins, or/) },
  })
  const reasons = stage.warnings.map(({ fields }) => ('reason' in fields ? fields.reason : ''))
  expect(reasons).toContainEqual(expect.stringMatching(/^CoinsRefused\(0x0+10000, 50000\)/))

  await nameAddress(id, account)
  await passes()
  expect(await stage.chain.getBalance({ address: account })).toBe(coins)
  expect(await shown(id)).toMatchObject({ amount: '0.00', refund: { state: 'refunded' } })
})

test('coins are sent to a contract that needs gas, at up to twice an account’s cost', async () => {
  // An existing account: a new one costs another 25,000 gas.
  await stage.chain.setBalance({ address: account, value: 1n })
  await sendCoins(account)
  await passes()
  expect(await stage.chain.getBalance({ address: account })).toBe(coins + 1n)
  const plain = await gasOfNewest()

  await stage.chain.setCode({ address: contract, bytecode: burnsNearlyAll })
  await sendCoins(contract)
  await passes()
  expect(await stage.chain.getBalance({ address: contract })).toBe(coins)
  const costly = await gasOfNewest()
  expect(costly).toBeGreaterThan(plain + 10_000n)
  expect(costly).toBeLessThanOrEqual(2n * plain)
})

test('coins are not sent where a forwarder without the bound would let the recipient burn gas: the estimate is compared with a plain one', async () => {
  const id = await sendCoins(otherAccount)
  const nonce = await stage.operatorNonce()
  const costly: EvmSender['checkRefund'] = async (call) => {
    const checked = await stage.sender.checkRefund(call)
    return 'gas' in checked && call.to === otherAccount ? { gas: 11_700_000n } : checked
  }
  await passes({ checkRefund: costly })
  expect(await stage.operatorNonce()).toBe(nonce)
  expect(await shown(id)).toMatchObject({ refund: { state: 'failed', address: otherAccount } })
})
