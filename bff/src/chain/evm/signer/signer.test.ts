import { inspect } from 'node:util'
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { expect, test } from 'vitest'
import { createSigner } from './signer.ts'

const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const transaction = {
  chainId: 31337,
  nonce: 7,
  to: '0x00000000000000000000000000000000000000aa',
  data: '0x1234',
  gas: 21_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
} as const

test('a transaction is signed by its account, matches the request, and its hash is known before it is sent', async () => {
  const signer = createSigner(key)
  const { raw, txId } = await signer.signTransaction(transaction)
  expect(txId).toBe(keccak256(raw))
  expect(parseTransaction(raw)).toMatchObject({ ...transaction, type: 'eip1559' })
  expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(signer.address)
})

test('the same transaction is signed identically, so that a repeat has the same hash', async () => {
  const signer = createSigner(key)
  expect(await signer.signTransaction(transaction)).toEqual(await signer.signTransaction(transaction))
})

test.each([
  ['without 0x', key.slice(2)],
  ['too short', key.slice(0, 60)],
  ['zero', `0x${'0'.repeat(64)}`],
  ['beyond the order of the curve', `0x${'f'.repeat(64)}`],
])('a malformed key (%s) is refused and never repeated in the error', (_, malformed) => {
  const refusal = catchError(() => createSigner(malformed))
  expect(refusal).toBeInstanceOf(Error)
  expect(inspect(refusal, { depth: 10 })).not.toContain(malformed.slice(2))
})

test('a printed signer does not reveal its key', () => {
  const signer = createSigner(key)
  const shown = inspect(signer, { depth: 10, showHidden: true }) + JSON.stringify(signer)
  expect(shown).not.toContain(key.slice(2, 20))
})

function catchError(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}
