import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, isOnPostgres } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openMedusa } from './harness/medusa.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

/**
 * The provider in a real Medusa 2.21 from the registry: 721 MB of packages, about a minute to install and one to run.
 * `MEDUSA=1 TEST_DATABASE=postgres npx vitest run --project test test/medusa.test.ts`; `MEDUSA_FOLDER` keeps the packages.
 */
const isWanted = process.env['MEDUSA'] === '1' && isOnPostgres

describe.skipIf(!isWanted)('(needs MEDUSA=1 and TEST_DATABASE=postgres) Medusa 2', () => {
  test('sells for what was paid on the chain: cart, payment session, link, deposit, webhook, captured order', async () => {
    const story = await openStory('medusa')
    const { bff, chain, merchant, files, openTill, sweep } = story
    const { location, drop } = await createTestDatabase()
    const temporary = process.env['MEDUSA_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'medusa-'))
    const env = {
      CHECKOUT_URL: bff.url(),
      API_KEY: merchant.apiKey,
      API_SECRET: merchant.apiSecret,
      WEBHOOK_SECRET: merchant.webhookSecret,
    }
    const empty = await emptied(location)
    const logPath = files.logPath.replace('.log', '-shop.log')
    const medusa = await openMedusa({ folder: temporary, database: empty, logPath, env })
    const db = new pg.Client(empty)
    await db.connect()
    afterAll(async () => {
      await db.end()
      await medusa.stop()
      await drop()
      if (process.env['MEDUSA_FOLDER'] === undefined) rmSync(temporary, { recursive: true, force: true })
    })

    const earned = await openTill()
    const { cart } = await medusa.store('/carts', { region_id: medusa.region, email: 'guest@example.com' })
    await medusa.store(`/carts/${cart?.['id']}/line-items`, { variant_id: medusa.variant, quantity: 1 })
    const { payment_collection: collection } = await medusa.store('/payment-collections', { cart_id: cart?.['id'] })
    const provider_id = 'pp_stablecoin-checkout_main'
    const opened = await medusa.store(`/payment-collections/${collection?.['id']}/payment-sessions`, { provider_id })
    const sessions = opened['payment_collection']?.['payment_sessions'] as { data: { linkId: string } }[] | undefined
    const session = sessions?.[0]
    expect(session?.data).toMatchObject({ price: '19.99', currency: 'USD' })

    // Who completes the cart without paying gets no order.
    const early = await medusa.store(`/carts/${cart?.['id']}/complete`, {}).catch((error: Error) => error.message)
    expect(String((early as { type?: string }).type ?? early)).not.toBe('order')

    // As the page of the link does when the customer has chosen.
    const chosen = await fetch(`${bff.url()}/api/v1/links/public/${session?.data.linkId}/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ network: 'devnet', currency: 'USDC' }),
    })
    expect(chosen.status).toBe(200)
    const { payment } = (await chosen.json()) as { payment: PaymentBody }
    expect(payment['amount']).toBe('19.99')
    await chain.pay(payment.depositAddress, '19.99')
    await chain.mine(2)
    await bff.shows(payment.id, { outcome: 'paid' })

    const sql = `
      select o.id, p.captured_at, c.raw_amount->>'value' as captured
        from "order" o
        join order_cart oc on oc.order_id = o.id
        join order_payment_collection opc on opc.order_id = o.id
        join payment p on p.payment_collection_id = opc.payment_collection_id
        join capture c on c.payment_id = p.id
       where oc.cart_id = $1`
    const orders = await until('the order to be captured', async () => {
      const { rows } = await db.query(sql, [cart?.['id']])
      return rows.length > 0 && rows[0].captured_at !== null && rows
    })
    expect(orders).toMatchObject([{ captured: '19.99' }])
    await sweep([payment])
    expect(await earned()).toEqual({ merchant: '19.69015', platform: '0.29985' })
    await expectBooksToClose(story)
  })
})

/** The rig's databases are copies of the service's schema; Medusa needs one with none. */
async function emptied(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return url
}
