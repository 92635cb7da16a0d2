import { Keypair } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { createGasBalances } from '../../../network/gas-balances.ts'
import { readFeePayerBalance } from './fee-payer-balance.ts'
import { sendSolana } from './send-transaction.ts'
import { createSolanaContext, type SolanaSweeperDeps } from './solana-context.ts'
import type { Purpose } from './solana-outgoing-store.ts'

function openContext(balances: bigint[]) {
  const gasBalances = createGasBalances()
  const feePayer = Keypair.generate().publicKey
  let nowMs = 1_000_000
  let asked = 0
  let warnings = 0
  const deps = {
    network: { shortName: 'solana' },
    runtime: { nowMs: () => nowMs },
    log: {
      warn() {
        warnings += 1
      },
    },
    signer: { feePayer },
    sender: {
      async lamports() {
        asked += 1
        return balances.shift() ?? 0n
      },
      unitPrice: async () => 0,
    },
    gasBalances,
  } as unknown as SolanaSweeperDeps
  return {
    context: createSolanaContext(deps),
    asked: () => asked,
    warnings: () => warnings,
    noted: () => gasBalances.get('solana'),
    address: feePayer.toBase58(),
    later: (ms: number) => {
      nowMs += ms
    },
  }
}

test('while nothing is sent, the fee payer’s balance is read every five minutes and stored for the System page', async () => {
  const { context, noted, address, later } = openContext([1_000_000_000n, 7n])
  await readFeePayerBalance(context)
  expect(noted()).toMatchObject({ address, balanceWei: 1_000_000_000n, state: 'ok', readAtMs: 1_000_000 })
  later(299_999)
  await readFeePayerBalance(context)
  expect(noted()?.balanceWei).toBe(1_000_000_000n)
  later(1)
  await readFeePayerBalance(context)
  expect(noted()).toMatchObject({ balanceWei: 7n, state: 'empty' })
})

test('the balance is low once it pays for fewer than fifty payouts, of which only the account’s own minimum remains', async () => {
  const [minimum, payout] = [890_880n, 10_000n]
  for (const [balance, state] of [
    [minimum + 50n * payout, 'ok'],
    [minimum + 50n * payout - 1n, 'low'],
    [minimum + payout, 'low'],
    [minimum + payout - 1n, 'empty'],
  ] as const) {
    const { context, noted } = openContext([balance])
    await readFeePayerBalance(context)
    expect(noted(), String(balance)).toMatchObject({ state })
  }
})

const draftOf = (accountsMade: number, purpose: Purpose = 'sweep') => ({
  ...{ purpose, instructions: [], owners: ['owner'], units: 1, accountsMade },
})

test('after an insufficient balance, the same work and what costs more wait 15 seconds, and cheaper work goes on', async () => {
  const { context, asked, later } = openContext([])
  const isAsked = async (draft: Parameters<typeof sendSolana>[1]) => {
    const before = asked()
    expect(await sendSolana(context, draft, async () => undefined)).toBeUndefined()
    return asked() > before
  }
  expect(await isAsked(draftOf(1))).toBe(true)
  expect(await isAsked(draftOf(1))).toBe(false)
  expect(await isAsked(draftOf(2))).toBe(false)
  expect(await isAsked(draftOf(0, 'close'))).toBe(true)
  expect(await isAsked(draftOf(0))).toBe(true)
  later(14_999)
  for (const draft of [draftOf(0), draftOf(1), draftOf(0, 'close')]) expect(await isAsked(draft)).toBe(false)
  later(1)
  for (const draft of [draftOf(1), draftOf(0), draftOf(0, 'close')]) expect(await isAsked(draft)).toBe(true)
})

test('an insufficient balance is logged once a minute', async () => {
  const { context, warnings, later } = openContext([])
  const send = () => sendSolana(context, draftOf(1), async () => undefined)
  for (let round = 0; round < 4; round++) {
    await send()
    later(15_000)
    expect(warnings()).toBe(1)
  }
  await send()
  expect(warnings()).toBe(2)
})

test('a payout that the balance does not cover stores the balance and the amount needed', async () => {
  const { context, noted } = openContext([900_000n])
  expect(await sendSolana(context, draftOf(1), async () => undefined)).toBeUndefined()
  // Two signatures, the priority fee, the rent of one account and the fee payer's own.
  expect(noted()).toMatchObject({ state: 'empty', balanceWei: 900_000n, neededWei: 2_940_161n })
})
