import type { Context } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import type { Env } from '../access/context/env.ts'
import { PaymentError } from '../core/errors.ts'
import type { Db, Tx } from '../db/db.ts'
import { createWrongKeys } from './wrong-keys.ts'

let nowMs = 0
/** Hashes of the keys that are active in the database. */
let active: string[] = []
let wrongKeys: ReturnType<typeof createWrongKeys>
beforeEach(() => {
  nowMs = 1_000_000
  active = ['good']
  const tx = { all: async () => active.map((hash) => ({ hash })) } as unknown as Tx
  const db = { read: async (unit: (tx: Tx) => Promise<unknown>) => await unit(tx) } as unknown as Db
  // Every wrong key is one too many.
  const failed = async () => {
    throw new PaymentError('RATE_LIMITED', 'too many', { retryAfterSeconds: 30 })
  }
  wrongKeys = createWrongKeys({ db, limits: { failed, addressOf: (c) => String(c) }, runtime: { nowMs: () => nowMs } })
})

const from = (address: string) => address as unknown as Context<Env>
const refusal = { code: 'RATE_LIMITED' }

test('an address is asked again at the very moment that its refusal named', async () => {
  await expect(wrongKeys.count(from('a'), 'wrong')).rejects.toMatchObject(refusal)
  nowMs += 29_999
  await expect(wrongKeys.verify(from('a'), 'wrong')).rejects.toMatchObject(refusal)
  await wrongKeys.verify(from('b'), 'wrong')
  nowMs += 1
  await wrongKeys.verify(from('a'), 'wrong')
})

test('a key that was revoked is good no longer once it has failed, although the good ones are remembered', async () => {
  await expect(wrongKeys.count(from('a'), 'wrong')).rejects.toMatchObject(refusal)
  await wrongKeys.verify(from('a'), 'good')
  active = []
  await wrongKeys.verify(from('a'), 'good')
  await expect(wrongKeys.count(from('a'), 'good')).rejects.toMatchObject(refusal)
  await expect(wrongKeys.verify(from('a'), 'good')).rejects.toMatchObject(refusal)
})

test('a shop paired behind a refused address is refused for ten seconds at most', async () => {
  await expect(wrongKeys.count(from('a'), 'wrong')).rejects.toMatchObject(refusal)
  await wrongKeys.verify(from('a'), 'good')
  active = ['good', 'new']
  nowMs += 9_999
  await expect(wrongKeys.verify(from('a'), 'new')).rejects.toMatchObject(refusal)
  nowMs += 1
  await wrongKeys.verify(from('a'), 'new')
})

test('of ten thousand and one refused addresses the first is counted anew, and the others stay refused', async () => {
  for (let nth = 0; nth <= 10_000; nth++) await wrongKeys.count(from(`${nth}`), null).catch(() => {})
  await wrongKeys.verify(from('0'), null)
  await expect(wrongKeys.verify(from('1'), null)).rejects.toMatchObject(refusal)
  await expect(wrongKeys.verify(from('10000'), null)).rejects.toMatchObject(refusal)
})
