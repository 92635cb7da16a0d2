import { decodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { baseUnits } from '../../../core/money.ts'
import { simulatedChainId, simulatedContract } from '../../../core/simulated-chain-ids.ts'
import type { MerchantRefund } from '../../../payment/merchant-refund.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { contractCall } from './contract-call.ts'
import { refundCall, refundPlace } from './refund-terms.ts'
import { formatSplitTerms, parseSplitTerms, type SplitTerms, splitDetails, termsHash } from './split-terms.ts'

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`
const domain = { name: 'USD Coin', version: '2' }

const network = {
  chainId: 8_453,
  name: 'Base',
  publicRpcUrls: ['https://base.example'],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorerUrl: 'https://explorer.example',
  deposits: 'forwarder',
  splitter: addressOf('5'),
  tokens: [
    { symbol: 'USDT', address: addressOf('6'), decimals: 6, authorization: 'permit2' },
    { symbol: 'USDC', address: addressOf('1'), decimals: 6, permit: domain, authorization: domain },
  ],
} as unknown as EvmNetwork

const terms: SplitTerms = {
  chainId: 8_453,
  splitter: addressOf('5'),
  token: addressOf('1'),
  amount: 25_000_000n,
  paymentId: 'a payment',
  merchant: addressOf('2'),
  platform: addressOf('3'),
  feeBps: 150,
  deadlineSeconds: 1_800_000_000,
}

const callOf = (currency: string, given = terms) =>
  contractCall(network, { currency, splitTerms: formatSplitTerms(given), termsHash: termsHash(given) })

const approvalIn = (data: Hex) => decodeFunctionData({ abi: erc20Abi, data })

test('the approval is of exactly the amount to the splitter, and its reset is to nothing', () => {
  const { approval } = callOf('USDC')
  expect(approval).toMatchObject({ to: terms.token, requiresReset: false })
  expect(approvalIn(approval.data)).toEqual({ functionName: 'approve', args: [terms.splitter, 25_000_000n] })
  expect(approvalIn(approval.resetData)).toEqual({ functionName: 'approve', args: [terms.splitter, 0n] })
  expect(callOf('USDT').approval.requiresReset).toBe(true)
})

test('every form of the call pays the terms, before the deadline in seconds', () => {
  const call = callOf('USDC')
  const { permit, authorization } = call
  const inCall = (data: Hex = '0x') => decodeFunctionData({ abi: paymentSplitter.abi, data })
  const details = splitDetails(terms)
  expect(inCall(call.data)).toEqual({ functionName: 'splitPayment', args: [details] })
  expect(inCall(call.before.data)).toEqual({ functionName: 'splitPaymentBefore', args: [details, 1_800_000_000n] })
  expect(inCall(permit?.data).args?.slice(0, 2)).toEqual([details, 1_800_000_000n])
  expect(inCall(authorization?.data).args?.[0]).toEqual(details)
  expect(inCall(authorization?.data).args?.slice(2, 4)).toEqual([0n, 1_800_000_000n])
  expect([call.before, permit, authorization].map((form) => form?.deadline)).toEqual(Array(3).fill('1800000000'))
})

test('what the payer signs names the token’s domain, the splitter, the amount and the deadline; by ERC-3009 also the terms', () => {
  const { permit, authorization } = callOf('USDC')
  const signing = { ...domain, chainId: 8_453, verifyingContract: terms.token }
  expect(permit?.typedData).toMatchObject({
    primaryType: 'Permit',
    domain: signing,
    message: { owner: null, spender: terms.splitter, value: '25000000', nonce: null, deadline: '1800000000' },
  })
  expect(authorization?.typedData).toMatchObject({
    primaryType: 'ReceiveWithAuthorization',
    domain: signing,
    message: {
      ...{ from: null, to: terms.splitter, value: '25000000', validAfter: '0', validBefore: '1800000000' },
      nonce: termsHash(terms),
    },
  })
})

test('a token without a domain, or with Permit2 alone, has no call by signature', () => {
  const call = callOf('USDT')
  expect(call).not.toHaveProperty('permit')
  expect(call).not.toHaveProperty('authorization')
})

test('the wallet of a test payment is asked for the simulated chain, and nobody’s chain id', () => {
  expect(callOf('USDC').chain).toMatchObject({ chainId: 8_453, name: 'Base', rpcUrls: ['https://base.example'] })
  const call = callOf('USDC', { ...terms, chainId: simulatedChainId })
  expect([call.chainId, call.chain.chainId]).toEqual([simulatedChainId, simulatedChainId])
})

const refund = {
  id: 'refund_1',
  isTest: false,
  currency: 'USDC',
  tokenAddress: terms.token,
  amount: baseUnits('5000000'),
} as unknown as MerchantRefund

test('a merchant refund pays the whole amount to its address, within an hour of each request for its call', () => {
  const place = refundPlace(network, refund, addressOf('9'))
  const stored = parseSplitTerms(place.splitTerms ?? '')
  expect(stored).toEqual({
    ...{ chainId: 8_453, splitter: terms.splitter, token: terms.token, amount: 5_000_000n, paymentId: 'refund_1' },
    ...{ merchant: addressOf('9'), platform: addressOf('9'), feeBps: 0, deadlineSeconds: 0 },
  })
  expect(place).toMatchObject({ address: addressOf('9'), splitter: terms.splitter, termsHash: termsHash(stored) })
  const call = refundCall(network, { ...refund, place }, 1_700_000_000_999)
  expect(call?.before.deadline).toBe('1700003600')
  expect(call?.params).toMatchObject({ amount: '5000000', recipient1: addressOf('9'), recipient1Percentage: 10_000 })
  expect(call).toMatchObject({ authorization: { typedData: { message: { nonce: place.termsHash } } } })
})

test('a merchant refund in the sandbox moves no token; a splitter is stored in lower case, and without one there is no call', () => {
  const place = refundPlace(network, { ...refund, isTest: true }, addressOf('9'))
  expect(parseSplitTerms(place.splitTerms ?? '')).toMatchObject({
    ...{ chainId: simulatedChainId, splitter: simulatedContract, token: simulatedContract },
  })
  const checksummed = { ...network, splitter: getAddress(addressOf('b')) }
  expect(refundPlace(checksummed, refund, addressOf('9')).splitter).toBe(addressOf('b'))
  const plain = refundPlace({ ...network, deposits: 'xpub' }, refund, addressOf('9'))
  expect(plain).toEqual({ address: addressOf('9'), splitter: null, termsHash: null, splitTerms: null })
  expect(refundCall(network, { ...refund, place: plain }, 0)).toBeUndefined()
  expect(refundCall(network, { ...refund, place: null }, 0)).toBeUndefined()
})
