import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { pngOf } from '@stablecoin-checkout/rig/pictures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { noBranding } from './branding.ts'
import { loadBranding, loadLogo, saveBranding } from './branding-store.ts'
import { readLogo } from './logo-picture.ts'

let db: Db
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

test('a merchant’s colour and logo change on no other merchant’s pages', async () => {
  const { merchantId: own } = newPayment()
  const other = 'other' as MerchantId
  await db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${other}, 'o', 's', 0)`),
  )
  const [ownLogo, otherLogo] = [readLogo(pngOf(8, 8)), readLogo(pngOf(9, 9))]
  const ownPages = { ...noBranding, color: '#111111', logo: ownLogo.name }
  const otherPages = { ...noBranding, color: '#222222', logo: otherLogo.name }
  await db.write((tx) => saveBranding(tx, own, ownPages, ownLogo))
  expect(await db.read((tx) => loadBranding(tx, other))).toEqual(noBranding)
  await db.write((tx) => saveBranding(tx, other, otherPages, otherLogo))
  const stored = () =>
    db.read(async (tx) => ({
      own: await loadBranding(tx, own),
      other: await loadBranding(tx, other),
      logos: [await loadLogo(tx, ownLogo.name), await loadLogo(tx, otherLogo.name)],
    }))
  expect(await stored()).toEqual({ own: ownPages, other: otherPages, logos: [ownLogo.bytes, otherLogo.bytes] })
  await db.write((tx) => saveBranding(tx, other, noBranding))
  expect(await stored()).toEqual({ own: ownPages, other: noBranding, logos: [ownLogo.bytes, undefined] })
})
