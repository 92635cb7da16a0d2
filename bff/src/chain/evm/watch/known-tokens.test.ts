import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import type { Db } from '../../../db/db.ts'
import { saveToken } from '../../../payment/store/token-store.ts'
import { readKnownTokens } from './known-tokens.ts'

const [kept, removed] = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb']

let db: Db
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

test('removed tokens are still searched for, and a token has its currently configured name', async () => {
  await db.write(async (tx) => {
    saveToken(tx, 'devnet', { address: kept, symbol: 'OLD', decimals: 6 })
    saveToken(tx, 'devnet', { address: removed, symbol: 'GONE', decimals: 6 })
  })
  const tokens = [{ address: kept.toUpperCase().replace('0X', '0x'), symbol: 'NEW', decimals: 6 }]
  const known = await readKnownTokens(db, { shortName: 'devnet', tokens } as unknown as EvmNetwork)
  expect(known.all).toEqual(new Set([kept, removed]))
  expect(known.describe(kept)).toEqual({ token: kept, currency: 'NEW', decimals: 6 })
  expect(known.describe(removed)).toEqual({ token: removed, currency: 'GONE', decimals: 6 })
  expect([known.isFormer(kept), known.isFormer(removed), known.isFormer(null)]).toEqual([false, true, false])
})
