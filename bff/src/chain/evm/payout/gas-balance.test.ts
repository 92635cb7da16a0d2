import { beforeEach, expect, test } from 'vitest'
import { noteGasBalance, readGasBalance, warnEmpty } from './gas-balance.ts'
import type { PayoutContext } from './payout-context.ts'

const account = '0xa'
const startMs = 1_000_000

let nowMs = startMs
let warned: object[] = []
let noted: object[] = []
let reads = 0
let context: PayoutContext
beforeEach(() => {
  nowMs = startMs
  warned = []
  noted = []
  reads = 0
  const sender = {
    head: async () => ({}),
    fees: async () => ({ maxFeePerGas: 3n, maxPriorityFeePerGas: 1n }),
    async balance() {
      reads += 1
      return 7n
    },
  }
  const long = Number.NEGATIVE_INFINITY
  context = {
    network: { shortName: 'devnet' },
    account,
    signer: { address: account },
    runtime: { nowMs: () => nowMs },
    memory: { balanceReadAtMs: long, emptyUntilMs: long, warnedAtMs: long },
    log: { warn: (fields: object) => void warned.push(fields) },
    gasBalances: { note: (_: string, balance: object) => void noted.push(balance) },
    sender,
  } as unknown as PayoutContext
})

const minuteMs = 60_000

/** How often the balance was read by passes at these times after the start. */
async function readsAt(...times: readonly number[]): Promise<number> {
  for (const afterMs of times) {
    nowMs = startMs + afterMs
    await readGasBalance(context)
  }
  return reads
}

test('the balance is read every five minutes, and said with what one sweep needs at most', async () => {
  expect(await readsAt(0, 1, 5 * minuteMs - 1)).toBe(1)
  expect(noted).toEqual([{ address: account, balanceWei: 7n, neededWei: 900_000n, readAtMs: startMs }])
  expect(await readsAt(5 * minuteMs, 10 * minuteMs - 1)).toBe(2)
})

test('a clock that was set back does not end the reads of the balance', async () => {
  await readsAt(0)
  expect(await readsAt(-60 * minuteMs)).toBe(2)
})

test('a balance that another call noted is not read again for five minutes', async () => {
  noteGasBalance(context, { neededWei: 1n, balanceWei: 2n })
  expect(await readsAt(5 * minuteMs - 1)).toBe(0)
  expect(await readsAt(5 * minuteMs)).toBe(1)
})

test('a balance that a node called too low without its amount is read by the next pass', async () => {
  await readsAt(0)
  warnEmpty(context, { neededWei: 9n })
  expect(noted).toHaveLength(1)
  expect(await readsAt(1)).toBe(2)
  warnEmpty(context, { neededWei: 9n, balanceWei: 8n })
  expect(noted.at(-1)).toMatchObject({ neededWei: 9n, balanceWei: 8n })
  expect(await readsAt(2)).toBe(2)
})

test('a low balance pauses the payouts for fifteen seconds each time, and is logged once a minute', () => {
  for (const afterMs of [0, 1, minuteMs - 1, minuteMs]) {
    nowMs = startMs + afterMs
    warnEmpty(context, { neededWei: 10n ** 18n, balanceWei: 5n * 10n ** 17n })
    expect(context.memory.emptyUntilMs).toBe(nowMs + 15_000)
  }
  expect(warned).toEqual(Array(2).fill({ network: 'devnet', address: account, needed: '1', balance: '0.5' }))
})
