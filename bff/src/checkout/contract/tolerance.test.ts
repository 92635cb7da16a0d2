import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { testUsdt } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setMerchant } from '../../merchant/accounts.ts'
import { parseTolerance } from '../../merchant/merchant-settings.ts'

let stage: ContractStage
beforeEach(async () => {
  stage = await openContractStage()
})
afterEach(() => stage.close())

/** USDT's owner enables its fee, as on Ethereum: 0.19 % of every transfer. */
async function chargeFee(): Promise<void> {
  const [address] = stage.network.tokens.filter(({ symbol }) => symbol === 'USDT').map((token) => token.address)
  const call = { address: address as `0x${string}`, abi: testUsdt.abi, functionName: 'setParams', args: [19n, 49n] }
  const hash = await stage.chain.writeContract({ ...call, account: stage.tokenOwner } as never)
  await receiptOf(stage.chain, hash)
}

async function payWithFee() {
  await chargeFee()
  const payment = await stage.create({ currency: 'USDT' })
  await stage.watch()
  const { transactionHash } = await stage.pay(payment)
  await stage.chain.mine({ blocks: confirmations - 1 })
  await stage.watch()
  return { id: payment.id, transactionHash }
}

test('a payment whose token deducted a fee completes within the merchant’s tolerance', async () => {
  await setMerchant(stage.db, stage.merchant.merchantId, { tolerance: parseTolerance('20,0.10') })
  const { id, transactionHash } = await payWithFee()
  expect(await stage.status(id)).toMatchObject({
    outcome: 'paid',
    paymentState: 'completed',
    amountReceived: '24.952501',
  })
  expect((await stage.process(id, transactionHash)).status).toBe(200)
})

test('without a tolerance it stays open, and process reports what is missing', async () => {
  const { id, transactionHash } = await payWithFee()
  expect(await stage.status(id)).toMatchObject({ outcome: 'pending', paymentState: 'underpaid' })
  const { status, body } = await stage.process(id, transactionHash)
  expect([status, body['message']]).toEqual([400, '24.952501 of 25.00 USDT arrived'])
})
