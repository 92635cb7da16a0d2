import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import { parseSplitTerms, termsHash } from '../../chain/evm/split/split-terms.ts'

/** The configuration written by `init`. */
const feeBps = 0
let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage({ feeBps })
})
afterAll(() => stage.close())

for (const how of ['plain', 'before'] as const) {
  test(`without a fee the ${how} call names the platform's wallet as second recipient, and the merchant gets all`, async () => {
    const payment = await stage.create()
    const { merchant, platform } = stage.wallets
    expect(payment.contractCall.params).toMatchObject({
      ...{ recipient1: merchant, recipient2: platform },
      ...{ recipient1Percentage: 10_000, recipient2Percentage: 0, recipient3Percentage: 0 },
    })
    expect(payment).toMatchObject({ platformWallet: platform, platformPercentage: 0, feeAmount: '0.00' })

    const balances = () => Promise.all([merchant, platform].map((wallet) => stage.balanceOf(wallet)))
    const [merchantBefore = 0n, platformBefore = 0n] = await balances()
    const receipt = await stage.pay(payment, how)
    expect(receipt.status).toBe('success')
    expect(await balances()).toEqual([merchantBefore + 25_000_000n, platformBefore])
    const transfers = parseEventLogs({ abi: testUsdc.abi, eventName: 'Transfer', logs: receipt.logs })
    expect(transfers.map(({ args }) => args.to)).toEqual([merchant])
    const [split] = parseEventLogs({ abi: paymentSplitter.abi, eventName: 'PaymentSplit', logs: receipt.logs })
    expect(split?.args).toMatchObject({ recipient2: platform, recipient2Percentage: 0n, received: 25_000_000n })

    await stage.chain.mine({ blocks: confirmations })
    await stage.watch()
    const { status, body } = await stage.process(payment.id, receipt.transactionHash)
    expect([status, body.payment]).toMatchObject([200, { outcome: 'paid', amountReceived: '25.00' }])
  })
}

test('without a fee another second recipient makes another payment, and pays nothing of this one', async () => {
  const payment = await stage.load((await stage.create()).id)
  if (payment.mode !== 'contract') throw new Error('The payment is not a contract payment')
  const terms = parseSplitTerms(payment.splitTerms)
  expect(termsHash(terms)).toBe(payment.termsHash)
  expect(termsHash({ ...terms, platform: stage.customer.address })).not.toBe(payment.termsHash)
})
