import { decodeTransferCheckedInstructionUnchecked } from '@solana/spl-token'
import { Keypair, Transaction } from '@solana/web3.js'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { beforeEach, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { baseUnits } from '../../../core/money.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { ContractPayment, DepositPayment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaSplitTerms, referenceOf, type SolanaSplitTerms } from '../facts/solana-split-terms.ts'
import { createTransactionRequests } from './solana-pay.ts'
import { countedOwnerOf } from './verify-transfer.ts'

const { signal } = new AbortController()
const account = Keypair.generate().publicKey.toBase58()
const windowEndsAtMs = 900_000
const payment = newPayment({
  ...{ network: 'solana', due: baseUnits('25000000'), windowEndsAtMs, acceptedUntilMs: windowEndsAtMs + 86_400_000 },
  tokenAddress: Keypair.generate().publicKey.toBase58(),
  depositAddress: Keypair.generate().publicKey.toBase58(),
})

let nowMs: number
let held: bigint
let isPayable: boolean
beforeEach(() => {
  ;[nowMs, held, isPayable] = [windowEndsAtMs, 25_000_000n, true]
})

const request = createTransactionRequests({
  network: { name: 'Solana' } as SolanaNetwork,
  health: { get: () => ({ isPayable, reason: 'down' }) } as unknown as NetworkHealth,
  adapter: {
    recentBlockhash: async () => ({ blockhash: account, lastValidBlockHeight: 1 }),
    tokenAccounts: async ([, ...others]) => [{ amount: held } as never, ...others.map(() => undefined)],
  },
  runtime: { nowMs: () => nowMs } as Parameters<typeof createTransactionRequests>[0]['runtime'],
  log,
})
const ask = (changes: Partial<DepositPayment> = {}) =>
  request({ ...payment, ...changes }, account, signal).then(
    ({ message }) => message,
    ({ code }: { code: string }) => code,
  )

test('a transaction is made up to the last moment of the window, also where late money is taken', async () => {
  expect(await ask()).toBe('25.00 USDC to Corner Coffee')
  nowMs += 1
  expect(await ask()).toBe('PAYMENT_ENDED')
})

test('a transaction is made for what is not seen yet, if the wallet holds it to the last unit', async () => {
  held -= 1n
  expect(await ask()).toBe('INSUFFICIENT_FUNDS')
  expect(await ask({ seen: baseUnits('1') })).toBe('24.999999 USDC to Corner Coffee')
  expect(await ask({ seen: payment.due })).toBe('ALREADY_PAID')
})

test('no transaction is made for a test, or while no node answers', async () => {
  expect(await ask({ isTest: true })).toBe('TEST_PAYMENT')
  isPayable = false
  expect(await ask()).toBe('NETWORK_UNAVAILABLE')
})

const key = () => Keypair.generate().publicKey.toBase58()
const terms: SolanaSplitTerms = {
  family: 'solana',
  ...{ genesisHash: key(), mint: payment.tokenAddress, decimals: 6, amount: 25_000_000n, paymentId: 'a payment' },
  ...{ merchant: key(), platform: key(), feeBps: 150, deadlineSeconds: 900 },
}
const askWallet = (changes: Partial<SolanaSplitTerms> = {}, of: Partial<ContractPayment> = {}) =>
  request(
    newContractPayment({ network: 'solana', splitTerms: formatSolanaSplitTerms({ ...terms, ...changes }), ...of }),
    account,
    signal,
  )
const refusalOf = (asked: ReturnType<typeof askWallet>) => asked.then(String, ({ code }: { code: string }) => code)

/** Receiving account and amount of each transfer, and the keys of the last. */
async function transfersIn(asked: ReturnType<typeof request>) {
  const { instructions } = Transaction.from(Buffer.from((await asked).transaction, 'base64'))
  // Both accounts are missing: they are made first.
  const transfers = instructions.slice(instructions.length / 2)
  const decoded = transfers.map((one) => decodeTransferCheckedInstructionUnchecked(one))
  return {
    paid: decoded.map(({ keys, data }) => [keys.destination?.pubkey.toBase58(), data.amount]),
    named: transfers.map(({ keys }) => keys.length > 4 && keys.at(-1)?.pubkey.toBase58()),
  }
}

test('a wallet payment pays platform and merchant, whose transfer comes last and names the payment', async () => {
  const { paid, named } = await transfersIn(askWallet())
  expect(paid).toEqual([
    [tokenAccountOf(terms.mint, terms.platform), 375_000n],
    [tokenAccountOf(terms.mint, terms.merchant), 24_625_000n],
  ])
  expect(named).toEqual([false, referenceOf(terms)])
})

test('a share of nothing is no transfer, and a transaction is counted by the merchant’s account, if it gets anything', async () => {
  const free = await transfersIn(askWallet({ feeBps: 0 }))
  expect(free.paid).toEqual([[tokenAccountOf(terms.mint, terms.merchant), 25_000_000n]])
  expect([countedOwnerOf(terms), countedOwnerOf({ ...terms, feeBps: 0 })]).toEqual(Array(2).fill(terms.merchant))
  const all = await transfersIn(askWallet({ feeBps: 10_000 }))
  expect(all.paid).toEqual([[tokenAccountOf(terms.mint, terms.platform), 25_000_000n]])
  expect(countedOwnerOf({ ...terms, feeBps: 10_000 })).toBe(terms.platform)
})

test('a deposit is paid what is not seen yet, to its address', async () => {
  const { paid, named } = await transfersIn(request({ ...payment, seen: baseUnits('1') }, account, signal))
  expect(paid).toEqual([[tokenAccountOf(payment.tokenAddress, payment.depositAddress), 24_999_999n]])
  expect(named).toEqual([false])
})

test('a wallet payment is paid until the last millisecond of its deadline, and by one transaction', async () => {
  expect((await askWallet()).message).toBe('25.00 USDC to Corner Coffee')
  expect(await refusalOf(askWallet({}, { seen: baseUnits('1') }))).toBe('ALREADY_PAID')
  expect(await refusalOf(askWallet({}, { status: 'cancelled', closedAs: 'cancelled' }))).toBe('PAYMENT_ENDED')
  nowMs += 1
  expect(await refusalOf(askWallet())).toBe('PAYMENT_ENDED')
  held -= 1n
  nowMs -= 1
  expect(await refusalOf(askWallet())).toBe('INSUFFICIENT_FUNDS')
})
