import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, isOnPostgres } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
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

type Refund = {
  status: string
  address: Hex
  remainingUnits: string
  call: { approval: { to: Hex; data: Hex }; contractAddress: Hex; before: { data: Hex } }
}

describe.skipIf(!isWanted)('(needs MEDUSA=1 and TEST_DATABASE=postgres) Medusa 2', () => {
  test('sells for what was paid on the chain (cart, payment session, link, deposit, webhook, captured order), and refunds it in part and in full', async () => {
    const story = await openStory('medusa')
    const { bff, chain, merchant, wallets, files, openTill, sweep } = story
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
      select o.id, p.id as payment, p.captured_at, c.raw_amount->>'value' as captured
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

    const medusaPayment = String(orders[0].payment)
    const { rpc, token } = chain.node()
    await rpc('anvil_impersonateAccount', wallets.merchant)
    await rpc('anvil_setBalance', wallets.merchant, '0x8ac7230489e80000')
    const send = (to: string, data: string) => rpc('eth_sendTransaction', { from: wallets.merchant, to, data })
    const pageOf = async (made: number) => {
      const { payment: shown } = await medusa.admin(`/payments/${medusaPayment}?fields=*refunds,data`)
      const { refunds } = (shown?.['data'] ?? {}) as { refunds?: { id: string; url: string }[] }
      expect(refunds).toHaveLength(made)
      return refunds?.[made - 1] as { id: string; url: string }
    }
    /** Medusa asks for it, the customer names an address on the page, and the merchant's wallet pays. */
    async function refund(amount: number, made: number, pay: (refund: Refund) => Promise<unknown>): Promise<Hex> {
      await medusa.admin(`/payments/${medusaPayment}/refund`, { amount })
      const { id, url } = await pageOf(made)
      const address = getAddress(`0x${randomBytes(20).toString('hex')}`)
      const named = await fetch(`${bff.url()}/api/v1/refunds/${id}/address`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ address, clientSecret: new URL(url).hash.slice('#client_secret='.length) }),
      })
      expect(named.status).toBe(200)
      const read = async () => (await bff.get(`/refunds/${id}`)).body['refund'] as Refund
      await pay(await read())
      await until('the refund to be paid', async () => {
        await chain.mine(1)
        return (await read()).status === 'paid'
      })
      return address
    }

    // A part through the splitter, and the rest by a transfer.
    const part = await refund(5.01, 1, async ({ call }) => {
      await send(call.approval.to, call.approval.data)
      await send(call.contractAddress, call.before.data)
    })
    await chain.pay(wallets.merchant, '0.29985')
    const rest = await refund(14.98, 2, async ({ address, remainingUnits }) => {
      const args = [address, BigInt(remainingUnits)] as const
      await send(token().address, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
    })
    expect([await chain.balance('USDC', part), await chain.balance('USDC', rest)]).toEqual([5_010_000n, 14_980_000n])
    expect(await chain.balance('USDC', wallets.merchant)).toBe(0n)
    expect((await bff.get(`/payments/${payment.id}/refunds`)).body['refundable']).toBe('0.00')
    const recorded = await db.query(
      `select r.raw_amount->>'value' as amount, pc.raw_refunded_amount->>'value' as sum
         from refund r join payment p on p.id = r.payment_id
         join payment_collection pc on pc.id = p.payment_collection_id
        where p.id = $1 and r.deleted_at is null order by r.created_at`,
      [medusaPayment],
    )
    expect(recorded.rows).toEqual([
      { amount: '5.01', sum: '19.99' },
      { amount: '14.98', sum: '19.99' },
    ])
    const more = await medusa.admin(`/payments/${medusaPayment}/refund`, { amount: 0.01 }).catch(String)
    // Medusa's own limit is a cent wider.
    expect(more).toMatch(/answered 400: .*is left to refund/)
    expect((await db.query('select 1 from refund where deleted_at is null')).rows).toHaveLength(2)
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
