import {
  merchantId,
  network,
  openAuthorizationRows,
  otherMerchant,
  token,
} from '@stablecoin-checkout/rig/authorization-rows'
import { times } from '@stablecoin-checkout/rig/nightly'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../db/db.ts'
import type { CheckedAuthorization } from '../../payment/authorization.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { verifyBounds } from './authorization-bounds.ts'

const dayMs = 24 * 60 * 60 * 1000
const nowMs = 10 * dayMs
const dailyBudgetMicros = 1_000
const limits = { perPayer: 1_000, perAddress: 1_000, dailyBudgetMicros }

let database: TestDatabase
let db: Db
let add: Awaited<ReturnType<typeof openAuthorizationRows>>
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  add = await openAuthorizationRows(db, nowMs - 1)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

type Asked = { merchant: typeof merchantId; client: string | null; costMicros: number }

/** @returns the refusal's code; undefined: the authorization may be sent. */
async function refusalOf({ merchant, client, costMicros }: Asked): Promise<string | undefined> {
  const checked: CheckedAuthorization = {
    ...{ paymentId: 'new' as PaymentId, merchantId: merchant, network, token, payer: 'payer', nonce: '0xnew' },
    ...{ kind: 'authorization', value: 1n, recipient: '0x', target: '0x', data: '0x', digest: '0x', signature: '0x' },
    ...{ isKeySignature: true, sendBeforeMs: nowMs + 1 },
  }
  const simulated = { costMicros, costMaxMicros: costMicros, balance: 10n ** 12n }
  const verified = db.write((tx) =>
    verifyBounds(tx, { checked, simulated, limits, client, isByServer: client === null, nowMs }),
  )
  return await verified.then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
}

test('for any requesters in any order the daily budget is never exceeded, nor by one client half of it, nor by one merchant what is left to others', async () => {
  const asked = fc.record({
    merchant: fc.constantFrom(merchantId, otherMerchant),
    client: fc.constantFrom(null, 'one', 'two'),
    costMicros: fc.integer({ min: 1, max: 700 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 3, maxLength: 12 }), async (history) => {
      await db.write((tx) => tx.run(sql`delete from authorizations`))
      const taken: Asked[] = []
      const sum = (isOne: (one: Asked) => boolean) =>
        taken.filter(isOne).reduce((total, { costMicros }) => total + costMicros, 0)
      for (const one of history) {
        const { merchant, client, costMicros } = one
        const before = sum(() => true)
        const code = await refusalOf(one)
        if (code !== undefined) {
          // Nobody is refused its first while the budget suffices.
          const isFirst = !taken.some((other) => other.merchant === merchant || other.client === client)
          if (isFirst) expect([code, before + costMicros > dailyBudgetMicros]).toEqual(['DAILY_LIMIT', true])
          continue
        }
        await add({ merchantId: merchant, client, costMicros, payer: `payer ${taken.length}` })
        taken.push(one)
        const all = sum(() => true)
        const ofMerchant = sum((other) => other.merchant === merchant)
        expect(all).toBeLessThanOrEqual(dailyBudgetMicros)
        if (client !== null && taken.filter((other) => other.client === client).length > 1)
          expect(sum((other) => other.client === client)).toBeLessThanOrEqual(dailyBudgetMicros / 2)
        const isShared = all > 0.8 * dailyBudgetMicros
        if (isShared && taken.filter((other) => other.merchant === merchant).length > 1)
          expect(2 * ofMerchant).toBeLessThanOrEqual(dailyBudgetMicros - (all - ofMerchant))
      }
    }),
    { numRuns: times(25, 1_000) },
  )
})
