import { Keypair } from '@solana/web3.js'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { beforeEach, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { baseUnits } from '../../../core/money.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { DepositPayment } from '../../../payment/payment.ts'
import { createTransactionRequests } from './solana-pay.ts'

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
