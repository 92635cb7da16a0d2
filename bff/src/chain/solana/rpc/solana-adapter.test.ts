import { beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { createSolanaAdapter, type SolanaAdapter } from './solana-adapter.ts'
import type { AskNode, SolanaRpc } from './solana-rpc.ts'

const { signal } = new AbortController()

/** What a node answers to each method, and what it was asked. */
let answers: Record<string, (...params: never[]) => unknown>
let asked: { method: string; params: unknown[] }[]
let adapter: SolanaAdapter
beforeEach(() => {
  ;[answers, asked] = [{}, []]
  const ask = async <T>(schema: z.ZodType<T>, method: string, params: unknown[]): Promise<T> => {
    asked.push({ method, params })
    return schema.parse(answers[method]?.(...(params as never[])))
  }
  const rpc = {
    ask,
    onOneNode: <T>(read: (one: AskNode) => Promise<T>) => read(ask),
    isAttestedBy: (attests: (one: AskNode) => Promise<boolean>) => attests(ask),
    async isAttested<T>(
      { schema, method, params }: { schema: z.ZodType<T>; method: string; params: unknown[] },
      isSame: (response: T) => boolean,
    ) {
      return isSame(await ask(schema, method, params))
    },
  } as unknown as SolanaRpc
  adapter = createSolanaAdapter({ shortName: 'solana' } as SolanaNetwork, rpc, log)
})

const slotOf = (index: number) => 5_000 - index
const listed = (index: number) => ({
  ...{ signature: `s${index}`, slot: slotOf(index), err: null, confirmationStatus: 'finalized' },
  blockTime: slotOf(index),
})

/** The node has `count` transactions of the account, `s0` the newest, and lists a thousand at once. */
function haveTransactions(count: number): void {
  answers['getSignaturesForAddress'] = (_: string, { before, until }: { before?: string; until?: string }) => {
    const first = before === undefined ? 0 : Number(before.slice(1)) + 1
    const end = until === undefined ? count : Number(until.slice(1))
    return Array.from({ length: Math.max(0, Math.min(1_000, end - first)) }, (_, index) => listed(first + index))
  }
}

test.each([999, 1_000, 1_001, 2_000])('of %i transactions each is listed once, oldest first', async (count) => {
  haveTransactions(count)
  const found = await adapter.signatures('account', null, 7, signal)
  expect(found.map(({ signature }) => signature)).toEqual(
    Array.from({ length: count }, (_, index) => `s${count - 1 - index}`),
  )
  expect(found[0]).toMatchObject({ timeMs: slotOf(count - 1) * 1_000, isFailed: false, isFinal: true })
})

test('a list ends at the transaction that was read last, and only nodes that have the slot may give it', async () => {
  haveTransactions(3_000)
  expect(await adapter.signatures('account', 's1200', 77, signal)).toHaveLength(1_200)
  expect(asked.map(({ params }) => params[1])).toMatchObject([
    { until: 's1200', minContextSlot: 77, commitment: 'confirmed' },
    { until: 's1200', minContextSlot: 77, before: 's999' },
  ])
})

test('a list of the time since then reads no page of older transactions', async () => {
  haveTransactions(3_000)
  const found = await adapter.signatures('account', null, 7, signal, slotOf(998) * 1_000)
  expect([found.length, asked.length]).toEqual([1_000, 1])
  expect(await adapter.signatures('account', null, 7, signal, slotOf(999) * 1_000)).toHaveLength(2_000)
})

test('a node that leaves out accounts or statuses is not believed', async () => {
  answers['getMultipleAccounts'] = () => ({ context: { slot: 1 }, value: [null] })
  answers['getSignatureStatuses'] = () => ({ context: { slot: 1 }, value: [null] })
  expect(await adapter.accounts(['a'], 9, signal)).toEqual([undefined])
  expect(asked[0]?.params[1]).toMatchObject({ minContextSlot: 9, commitment: 'confirmed' })
  await expect(adapter.accounts(['a', 'b'], 9, signal)).rejects.toThrow('omitted accounts')
  expect(await adapter.statuses(['a'], signal)).toEqual([undefined])
  await expect(adapter.statuses(['a', 'b'], signal)).rejects.toThrow('omitted statuses')
})

test('a transaction is gone once a later slot is final and the node has it not even confirmed', async () => {
  let final = 10
  answers['getSlot'] = ({ commitment }: { commitment: string }) => (commitment === 'finalized' ? final : 99)
  answers['getTransaction'] = () => null
  expect(await adapter.isGone('tx', 10, signal)).toBe(false)
  final = 11
  expect(await adapter.isGone('tx', 10, signal)).toBe(true)
  expect(asked.at(-1)?.params[1]).toMatchObject({ commitment: 'confirmed' })
})
