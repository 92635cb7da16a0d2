import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import {
  encodeApproval,
  encodeSplit,
  encodeSplitBefore,
  encodeSplitWithAuthorization,
  encodeSplitWithPermit,
} from './split-call.ts'
import { formatSplitTerms, parseSplitTerms, type SplitTerms, splitDetails } from './split-terms.ts'

type Hex = `0x${string}`
const { abi } = paymentSplitter

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString('hex')}` as Hex)
const someTerms: fc.Arbitrary<SplitTerms> = fc.record({
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  splitter: hex(20),
  token: hex(20),
  amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
  paymentId: fc.oneof(fc.uuid(), fc.string({ maxLength: 100, unit: 'grapheme' })),
  merchant: hex(20),
  platform: hex(20),
  feeBps: fc.integer({ min: 0, max: 10_000 }),
  deadlineSeconds: fc.integer({ min: 0, max: 2 ** 40 }),
})
const [v, r, s] = [27, `0x${'1'.repeat(64)}` as Hex, `0x${'2'.repeat(64)}` as Hex] as const
const signature = `${'1b'.padStart(64, '0')}${r.slice(2)}${s.slice(2)}`

/** Overwrites the digits at `offset`. */
const put = (data: string, offset: number, digits: string) =>
  data.slice(0, offset) + digits + data.slice(offset + digits.length)

test('calls are encoded like viem’s', () => {
  fc.assert(
    fc.property(someTerms, hex(20), (terms, payer) => {
      const details = splitDetails(terms)
      const deadline = BigInt(terms.deadlineSeconds)
      expect(encodeSplit(terms)).toBe(encodeFunctionData({ abi, functionName: 'splitPayment', args: [details] }))
      expect(encodeSplitBefore(terms)).toBe(
        encodeFunctionData({ abi, functionName: 'splitPaymentBefore', args: [details, deadline] }),
      )
      const permit = encodeSplitWithPermit(terms)
      expect(put(permit.data, permit.signatureOffset, signature)).toBe(
        encodeFunctionData({ abi, functionName: 'splitPaymentWithPermit', args: [details, deadline, v, r, s] }),
      )
      const { data, payerOffset, signatureOffset } = encodeSplitWithAuthorization(terms)
      const signed = put(put(data, payerOffset, payer.slice(2).padStart(64, '0')), signatureOffset, signature)
      const args = [details, payer, 0n, deadline, v, r, s] as const
      expect(signed).toBe(encodeFunctionData({ abi, functionName: 'splitPaymentWithAuthorization', args }))
      const erc20 = parseAbi(['function approve(address spender, uint256 amount)'])
      expect(encodeApproval(terms.splitter, terms.amount)).toBe(
        encodeFunctionData({ abi: erc20, functionName: 'approve', args: [terms.splitter, terms.amount] }),
      )
    }),
  )
})

test('the plain call has the selector that existing clients use', () => {
  const [terms] = fc.sample(someTerms, 1)
  expect(terms && encodeSplit(terms).slice(0, 10)).toBe('0xc3ef0114')
})

test('terms are restored unchanged from the database', () => {
  fc.assert(
    fc.property(someTerms, (terms) => {
      expect(parseSplitTerms(formatSplitTerms(terms))).toEqual(terms)
    }),
  )
  expect(() => parseSplitTerms('{"chainId":1}')).toThrow(/splitter/)
})
