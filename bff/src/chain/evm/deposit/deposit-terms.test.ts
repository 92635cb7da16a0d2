import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { simulatedChainId } from '../../../core/simulated-chain-ids.ts'
import type { DepositDraft, ServiceAddresses } from '../../deposit-kind.ts'
import { formatDepositTerms, parseDepositTerms } from './deposit-terms.ts'
import { evmDeposits } from './evm-deposits.ts'
import { depositAddress } from './forwarder-address.ts'

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

test('a new deposit can be refunded whole only after the second in which its window ends, and is valid on one chain', () => {
  const addressOf = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
  const network = { chainId: 8_453, platformWallet: addressOf('7'), factory: addressOf('1') } as EvmNetwork
  const { newDeposit } = evmDeposits('forwarder') as ServiceAddresses<EvmNetwork>
  const of = (isTest: boolean, operator: string | null = addressOf('8')) =>
    newDeposit(network, {
      ...{ token: { address: addressOf('4') }, merchantWallet: addressOf('6'), feeBps: 150, salt: '07'.repeat(32) },
      ...{ operator, common: { isTest, due: 25n, least: 24n, windowEndsAtMs: 900_001 } },
    } as unknown as DepositDraft)
  const { depositAddress: address, depositTerms, isDirect } = of(false)
  const { factory, ...stored } = parseDepositTerms(depositTerms)
  expect(stored).toEqual({
    ...{ chainId: 8_453, token: addressOf('4'), amount: 25n, least: 24n, merchant: addressOf('6') },
    ...{ platform: addressOf('7'), feeBps: 150, deadlineSeconds: 901, operator: addressOf('8') },
    salt: `0x${'07'.repeat(32)}`,
  })
  expect([address, factory, isDirect]).toEqual([depositAddress(stored, factory), addressOf('1'), false])
  expect(parseDepositTerms(of(true).depositTerms).chainId).toBe(simulatedChainId)
  expect(() => of(false, null)).toThrow('A network needs an operator')
})
