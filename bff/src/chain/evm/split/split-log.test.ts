import fc from 'fast-check'
import { encodeAbiParameters, encodeEventTopics, getAbiItem, getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { isSplitLog, readSplitLog, splitTopic } from './split-log.ts'
import { parseSplitTerms, type SplitTerms, splitDetails, termsHash } from './split-terms.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString('hex')}` as Hex)
const someTerms: fc.Arbitrary<SplitTerms> = fc.record({
  ...{ chainId: fc.integer({ min: 1, max: 1_000_000 }), splitter: hex(20), token: hex(20) },
  ...{ amount: fc.bigInt({ min: 1n, max: 2n ** 128n }), paymentId: fc.uuid(), merchant: hex(20), platform: hex(20) },
  ...{ feeBps: fc.integer({ min: 0, max: 10_000 }), deadlineSeconds: fc.integer({ min: 0, max: 2 ** 32 }) },
})

const { abi } = paymentSplitter
/** Contains capital letters. */
const payer = getAddress(`0x${'ab'.repeat(20)}`)

/** The splitter's log of a payment under these terms. */
function logOf(terms: SplitTerms, received: bigint) {
  const { inputs } = getAbiItem({ abi, name: 'PaymentSplit' })
  const fields: Record<string, unknown> = { ...splitDetails(terms), payer, termsHash: termsHash(terms), received }
  const valuesOf = (isIndexed: boolean) => inputs.filter(({ indexed = false }) => indexed === isIndexed)
  const topics = encodeEventTopics({ abi, eventName: 'PaymentSplit', args: fields as never }) as Hex[]
  const data = encodeAbiParameters(
    valuesOf(false) as never,
    valuesOf(false).map(({ name }) => fields[name ?? '']) as never,
  )
  return { address: terms.splitter, topics, data }
}

test('merchant and platform share the whole amount', () => {
  fc.assert(
    fc.property(someTerms, (terms) => {
      const details = splitDetails(terms)
      expect(details.recipient1Percentage + details.recipient2Percentage).toBe(10_000n)
      expect(details.recipient2Percentage).toBe(BigInt(terms.feeBps))
      expect([details.recipient1, details.recipient2, details.recipient3, details.recipient3Percentage]).toEqual([
        ...[terms.merchant, terms.platform, `0x${'0'.repeat(40)}`, 0n],
      ])
      // The contract's division: shares round down, and the remainder is the merchant's.
      const fee = (terms.amount * details.recipient2Percentage) / 10_000n
      expect(fee * 10_000n).toBeLessThanOrEqual(terms.amount * BigInt(terms.feeBps))
      expect((terms.amount - fee) * 10_000n).toBeGreaterThanOrEqual(terms.amount * details.recipient1Percentage)
    }),
  )
})

test('a split is read from its log as paid, for any terms', () => {
  fc.assert(
    fc.property(someTerms, fc.bigInt({ min: 0n, max: 2n ** 128n }), (terms, received) => {
      const log = logOf(terms, received)
      expect(isSplitLog(log.topics)).toBe(true)
      const split = readSplitLog(terms.chainId, log)
      expect(split).toMatchObject({ payer: payer.toLowerCase(), termsHash: termsHash(terms), received })
      expect([split?.details.amount, split?.details.paymentId]).toEqual([terms.amount, terms.paymentId])
    }),
  )
})

test('a log whose fields do not match its hash is not a split: another chain, contract, hash or text', () => {
  const [terms] = fc.sample(someTerms, 1)
  if (!terms) throw new Error('There are terms.')
  const log = logOf(terms, terms.amount)
  const [topic, ...topics] = log.topics
  if (!topic) throw new Error('There is a topic.')
  expect(readSplitLog(terms.chainId, log)).toBeDefined()
  expect(readSplitLog(terms.chainId + 1, log)).toBeUndefined()
  expect(readSplitLog(terms.chainId, { ...log, address: payer })).toBeUndefined()
  expect(readSplitLog(terms.chainId, { ...log, data: '0x' })).toBeUndefined()
  expect(readSplitLog(terms.chainId, { ...log, topics: [splitTopic] })).toBeUndefined()
  expect([isSplitLog(topics), isSplitLog([topic]), isSplitLog([`0x${'0'.repeat(64)}`, ...topics])]).toEqual([
    ...[false, false, false],
  ])
})

test('incomplete terms in a database row are refused by name', () => {
  expect(() => parseSplitTerms('{}')).toThrow(/Stored split terms are corrupt: chainId/)
})
