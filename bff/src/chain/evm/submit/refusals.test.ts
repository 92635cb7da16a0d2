import { newContractPayment } from '@stablecoin-checkout/rig/new-payment'
import { encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import type { ContractPayment } from '../../../payment/payment.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import type { EvmAdapter, RpcLog } from '../rpc/evm-adapter.ts'
import { formatSplitTerms, type SplitTerms, splitDetails, termsHash } from '../split/split-terms.ts'
import { verifyConfirmations, verifySplit } from './verify-payment.ts'

const splitter: Hex = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'
const payer: Hex = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const otherToken: Hex = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707'
const txId = `0x${'0a'.repeat(32)}`
const blockHash: Hex = `0x${'0b'.repeat(32)}`
const blockNumber = 100
const skewMs = 15 * 60_000
const createdAtMs = 10 * skewMs
const network = { shortName: 'devnet', name: 'Devnet', chainId: 31_337 } as EvmNetwork

const terms: SplitTerms = {
  ...{ chainId: 31_337, splitter, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3', amount: 25_000_000n },
  ...{ paymentId: 'p1', merchant: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  ...{ platform: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', feeBps: 150, deadlineSeconds: 4_000_000_000 },
}
const payment: ContractPayment = newContractPayment({
  ...{ createdAtMs, termsHash: termsHash(terms), splitTerms: formatSplitTerms(terms) },
  ...{ splitter: splitter.toLowerCase(), tokenAddress: terms.token },
})

/** The splitter's event as the contract emits it. */
function logOf(split: SplitTerms, { received = split.amount, emitter = splitter, logIndex = 7 } = {}): RpcLog {
  const { token, ...details } = splitDetails(split)
  const abi = getAbiItem({ abi: paymentSplitter.abi, name: 'PaymentSplit' })
  const args = { payer, termsHash: termsHash(split), token }
  const values: Record<string, unknown> = { ...args, ...details, received }
  const inputs = abi.inputs.filter(({ indexed }) => !indexed)
  return {
    ...{ address: emitter, transactionHash: txId as Hex, blockHash, blockNumber: '0x64', logIndex: `0x${logIndex}` },
    topics: encodeEventTopics({ abi: [abi], eventName: 'PaymentSplit', args }) as Hex[],
    data: encodeAbiParameters(inputs, inputs.map(({ name }) => values[name ?? '']) as never),
  }
}

type Facts = {
  payment?: ContractPayment
  logs?: RpcLog[]
  receipt?: Awaited<ReturnType<EvmAdapter['receipt']>> | null
  isSuccess?: boolean
  block?: { hash: string; timeMs: number } | null
  isUsed?: boolean
  chainNetwork?: string
}

/** Verifies a transaction with this on-chain state. */
function verify({ logs = [logOf(terms)], isUsed = false, isSuccess = true, ...facts }: Facts = {}) {
  const { receipt = { isSuccess, blockNumber, blockHash, logs }, chainNetwork = 'devnet' } = facts
  const { block = { hash: blockHash, timeMs: createdAtMs } } = facts
  const chain = {
    network: chainNetwork,
    receipt: async () => receipt ?? undefined,
    block: async (number: number) =>
      block && number === blockNumber ? { ...block, number, parentHash: '0x' } : undefined,
  }
  const claim = { payment: facts.payment ?? payment, network, chain, txId, isUsed: async () => isUsed }
  return verifySplit(claim, new AbortController().signal)
}

const refused = async (facts: Facts) => {
  const error = await verify(facts).then(
    () => undefined,
    (reason) => reason,
  )
  return error && { code: error.code, message: error.message, isOpen: error.isOpen }
}

test('a split under the payment’s terms is its transfer: payer, received amount, location', async () => {
  expect(await verify({ logs: [logOf(terms, { received: 24_990_000n })] })).toEqual({
    ...{ network: 'devnet', txId, logIndex: 7, payer: payer.toLowerCase(), topic: payment.termsHash },
    ...{ source: splitter.toLowerCase(), amount: 24_990_000n, blockNumber, blockHash, blockTimeMs: createdAtMs },
  })
})

test('it is found among others of the same transaction, and counts regardless of the transaction’s earlier use', async () => {
  const others = [logOf({ ...terms, paymentId: 'p2' }, { logIndex: 1 }), logOf(terms, { emitter: payer, logIndex: 2 })]
  const logs = [...others, logOf(terms, { logIndex: 3 })]
  expect(await verify({ logs, isUsed: true })).toMatchObject({ logIndex: 3 })
})

test('each refusal has its code and reason, and only those that may change later are open', async () => {
  const otherTerms = [logOf({ ...terms, amount: 1n })]
  const otherContract = {
    ...{ code: 'OTHER_CONTRACT', isOpen: false },
    message: `the transaction pays nothing through ${splitter.toLowerCase()}`,
  }
  expect(await refused({ chainNetwork: 'other' })).toEqual({
    ...{ code: 'WRONG_NETWORK', message: 'the payment is on devnet', isOpen: false },
  })
  expect(await refused({ receipt: null })).toEqual({
    ...{ code: 'TRANSACTION_NOT_FOUND', isOpen: true },
    message: `payment not found on-chain: no block of Devnet holds ${txId} yet`,
  })
  expect(await refused({ isSuccess: false })).toEqual({
    ...{
      code: 'TRANSACTION_REVERTED',
      message: `the transaction ${txId} was reverted: it moved nothing`,
      isOpen: false,
    },
  })
  expect(await refused({ logs: [] })).toEqual(otherContract)
  expect(await refused({ logs: [logOf(terms, { emitter: payer })] })).toEqual(otherContract)
  expect(await refused({ logs: [{ ...logOf(terms), topics: [`0x${'11'.repeat(32)}`] }] })).toEqual(otherContract)
  expect(await refused({ logs: otherTerms, isUsed: true })).toEqual({
    ...{ code: 'ALREADY_USED', message: 'the transaction pays another payment', isOpen: false },
  })
  expect(await refused({ logs: [logOf({ ...terms, token: otherToken })] })).toEqual({
    ...{ code: 'OTHER_TOKEN', isOpen: false },
    message: `the transaction pays in another token than ${terms.token}`,
  })
  expect(await refused({ logs: otherTerms })).toEqual({
    ...{ code: 'OTHER_TERMS', isOpen: false },
    message: 'the transaction pays under other terms: payment id, amount or recipients',
  })
  const replaced = {
    ...{ code: 'NOT_CANONICAL', isOpen: true },
    message: 'payment not yet confirmed: the block of the transaction was replaced',
  }
  expect(await refused({ block: { hash: `0x${'0c'.repeat(32)}`, timeMs: createdAtMs } })).toEqual(replaced)
  expect(await refused({ block: null })).toEqual(replaced)
  expect(await refused({ block: { hash: blockHash, timeMs: createdAtMs - skewMs - 1 } })).toEqual({
    ...{ code: 'OLDER_THAN_PAYMENT', message: 'the transaction is older than the payment', isOpen: false },
  })
})

test('a block older than the payment by at most the clock tolerance is accepted', async () => {
  expect(await refused({ block: { hash: blockHash, timeMs: createdAtMs - skewMs } })).toBeUndefined()
})

test('an event whose fields do not match its hash pays nobody', async () => {
  const { topics } = logOf(terms)
  const forged = { ...logOf({ ...terms, merchant: payer }), topics }
  expect(await refused({ logs: [forged] })).toMatchObject({ code: 'OTHER_TOKEN' })
  expect(await refused({ logs: [forged, logOf({ ...terms, paymentId: 'p2' })] })).toMatchObject({ code: 'OTHER_TERMS' })
  expect(await verify({ logs: [forged, logOf(terms)] })).toMatchObject({ amount: 25_000_000n })
})

test('the token’s address may have any case', async () => {
  const logs = [logOf({ ...terms, amount: 1n })]
  const upper = { ...payment, tokenAddress: `0x${terms.token.slice(2).toUpperCase()}` }
  expect(await refused({ logs, payment: upper })).toMatchObject({ code: 'OTHER_TERMS' })
})

test('a block counts among its own confirmations, and a head before it counts none', () => {
  expect(() => verifyConfirmations(100, 102, 3)).not.toThrow()
  expect(() => verifyConfirmations(100, 101, 3)).toThrow('payment not yet confirmed: 2 of 3 confirmations')
  expect(() => verifyConfirmations(100, 90, 3)).toThrow('payment not yet confirmed: 0 of 3 confirmations')
  expect(() => verifyConfirmations(100, 99, 1)).toThrow(
    expect.objectContaining({ code: 'NOT_CONFIRMED', isOpen: true }),
  )
})
