import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDepositTerms, parseDepositTerms } from './deposit-terms.ts'

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value): `0x${string}` => `0x${Buffer.from(value).toString('hex')}`)
const amount = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n })
const terms = fc.record({
  chainId: fc.integer({ min: 1 }),
  token: hex(20),
  amount,
  least: amount,
  merchant: hex(20),
  platform: hex(20),
  feeBps: fc.integer({ min: 0, max: 10_000 }),
  deadlineSeconds: fc.integer({ min: 0 }),
  operator: hex(20),
  salt: hex(32),
  factory: hex(20),
})

test('terms are restored exactly as stored, whatever their amounts', () => {
  fc.assert(
    fc.property(terms, (given) => {
      expect(parseDepositTerms(formatDepositTerms(given))).toEqual(given)
    }),
  )
})

test("a corrupt row is refused with the field's name", () => {
  const [given] = fc.sample(terms, 1)
  if (!given) throw new Error('no sample')
  const stored = JSON.parse(formatDepositTerms(given))
  expect(() => parseDepositTerms(JSON.stringify({ ...stored, amount: '1.5' }))).toThrow('amount')
  expect(() => parseDepositTerms(JSON.stringify({ ...stored, amount: 25 }))).toThrow('amount')
  expect(() => parseDepositTerms(JSON.stringify({ ...stored, merchant: '0x12' }))).toThrow('merchant')
  expect(() => parseDepositTerms('{}')).toThrow('salt')
})
