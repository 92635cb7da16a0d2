import { expect, test } from 'vitest'
import { PaymentError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'
import { createAuthorizationScheme } from './authorization-scheme.ts'
import { createTransactionScheme } from './transaction-scheme.ts'
import { reasonOf, tooLate, transactionOf } from './x402-refusal.ts'
import { decodeProof, encodeHeader, isSameRequirements, type Requirements } from './x402-wire.ts'

const evmAddress = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const solanaAddress = 'So11111111111111111111111111111111111111112'

const ours: Requirements = {
  ...{ scheme: 'exact', network: 'eip155:8453', asset: evmAddress, amount: '25000000', payTo: evmAddress },
  ...{ maxTimeoutSeconds: 300, extra: { name: 'USD Coin', version: '2' } },
}

test('requirements are the same if every field that binds is, whatever else another server says', () => {
  expect(isSameRequirements({ ...ours, maxTimeoutSeconds: 60, extra: { ...ours.extra, more: 1 } }, ours)).toBe(true)
  for (const changed of [
    ...[{ scheme: 'upto' }, { network: 'eip155:1' }, { asset: solanaAddress }, { amount: '25000001' }],
    ...[{ payTo: solanaAddress }, { extra: { name: 'USD Coin', version: '1' } }, { extra: { name: 'USD Coin' } }],
    { extra: undefined },
  ])
    expect([changed, isSameRequirements({ ...ours, ...changed } as Requirements, ours)]).toEqual([changed, false])
})

test('the case of an address is a checksum on EVM, and another address on Solana', () => {
  const lower = { ...ours, asset: evmAddress.toLowerCase(), payTo: evmAddress.toLowerCase() }
  expect(isSameRequirements(lower, ours)).toBe(true)
  const onSolana = { ...ours, asset: solanaAddress, payTo: solanaAddress }
  expect(isSameRequirements(onSolana, onSolana)).toBe(true)
  for (const changed of [{ asset: solanaAddress.toLowerCase() }, { payTo: solanaAddress.toLowerCase() }])
    expect(isSameRequirements({ ...onSolana, ...changed }, onSolana)).toBe(false)
})

test('a memo may be left out, because the address says which deposit it is; one that is given is ours', () => {
  const withMemo = { ...ours, extra: { ...ours.extra, memo: 'a payment' } }
  expect(isSameRequirements(ours, withMemo)).toBe(true)
  expect(isSameRequirements(withMemo, withMemo)).toBe(true)
  const other = { ...ours, extra: { ...ours.extra, memo: 'another' } }
  expect(isSameRequirements(other, withMemo)).toBe(false)
})

const proof = { x402Version: 2, accepted: ours, payload: { signature: '0x' } }
const rest = (message: string) => ({ code: 'INVALID_PAYMENT_SIGNATURE', message: `PAYMENT-SIGNATURE ${message}` })
const refusalOf = (header: string) => {
  try {
    decodeProof(header)
    return null
  } catch (error) {
    return error
  }
}

test('a proof is base64 of JSON of version 2, at most 16,384 characters long', () => {
  expect(decodeProof(encodeHeader(proof))).toMatchObject(proof)
  expect(refusalOf('bm8=')).toMatchObject(rest('must be base64 of JSON'))
  const first = { ...proof, x402Version: 1 }
  expect(refusalOf(encodeHeader(first))).toMatchObject(
    rest('must be an x402 payload: x402Version: x402Version must be 2'),
  )
  const bytes = (count: number) => {
    const { length } = JSON.stringify({ ...proof, payload: { pad: '' } })
    return encodeHeader({ ...proof, payload: { pad: 'x'.repeat(count - length) } })
  }
  const [longest, longer] = [bytes(12_288), bytes(12_289)]
  expect([longest.length, longer.length]).toEqual([16_384, 16_388])
  expect(refusalOf(longest)).toBeNull()
  expect(refusalOf(longer)).toMatchObject(rest('must be at most 16384 characters'))
})

test.each(['-1', '1.5', '', '1e3', '0x10', ' 1', '9'.repeat(79)])('"%s" is no amount of a proof', (amount) => {
  const message = rest('must be an x402 payload: accepted.amount: amount must be base units as decimal text')
  expect(refusalOf(encodeHeader({ ...proof, accepted: { ...ours, amount } }))).toMatchObject(message)
  expect(refusalOf(encodeHeader({ ...proof, accepted: { ...ours, amount: '9'.repeat(78) } }))).toBeNull()
})

const network = { tokens: [] } as unknown as Network
const reasons = {
  evm: createAuthorizationScheme({ operator: null } as never, network).reasons,
  svm: createTransactionScheme({} as never, network, { feePayer: 'payer' } as never).reasons,
}

test.each([
  ['INSUFFICIENT_FUNDS', 'insufficient_funds', 'insufficient_funds'],
  ['REQUIREMENTS_MISMATCH', 'invalid_payment_requirements', 'invalid_payment_requirements'],
  ['INVALID_PAYMENT_SIGNATURE', 'invalid_payload', 'invalid_payload'],
  ['DUPLICATE_SETTLEMENT', 'duplicate_settlement', 'duplicate_settlement'],
  ['AGENT_CONSTRAINT_VIOLATED', 'agent_policy_violated', 'agent_policy_violated'],
  ['INVALID_SIGNATURE', 'invalid_exact_evm_signature', 'invalid_exact_svm_payload_transaction'],
  ['AUTHORIZATION_USED', 'invalid_exact_evm_nonce_already_used', 'duplicate_settlement'],
  ['EXPIRES_TOO_SOON', 'invalid_exact_evm_payload_authorization_valid_before', 'invalid_exact_svm_payload_transaction'],
  ['NOT_YET_VALID', 'invalid_exact_evm_payload_authorization_valid_after', 'unexpected_settle_error'],
  [
    'WRONG_VALUE',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    'invalid_exact_svm_payload_amount_mismatch',
  ],
  ['WRONG_RECIPIENT', 'invalid_exact_evm_recipient_mismatch', 'invalid_exact_svm_payload_recipient_mismatch'],
  [
    ...['TRANSFER_REFUSED', 'invalid_exact_evm_transaction_simulation_failed'],
    'invalid_exact_svm_transaction_simulation_failed',
  ],
  ['PAYMENT_NOT_OPEN', 'unexpected_settle_error', 'unexpected_settle_error'],
] as const)('%s is in the words of x402 %s, on Solana %s', (code, evm, svm) => {
  const refusal = new PaymentError(code as 'PAYMENT_NOT_OPEN', '')
  expect([reasonOf(refusal, reasons.evm), reasonOf(refusal, reasons.svm)]).toEqual([evm, svm])
})

test('a refusal after the transfer has its transaction, and any other none', () => {
  expect(transactionOf(tooLate('0x12'))).toBe('0x12')
  expect(transactionOf(tooLate(null))).toBe('')
  expect(tooLate('0x12')).toMatchObject({ status: 409, code: 'PAYMENT_NOT_OPEN' })
})
