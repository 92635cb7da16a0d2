import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { type MailServer, openMailServer } from '@stablecoin-checkout/rig/mail-server'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PageLanguage } from '../../checkout/pay-page/page-language.ts'
import { sql } from '../../db/db.ts'
import { createSendMail, type SendMail } from '../mail/smtp.ts'
import { createReceiptMailPass } from './receipt-mail-worker.ts'

const publicUrl = 'https://pay.shop.example'
const signal = new AbortController().signal

let server: MailServer
beforeAll(async () => {
  server = await openMailServer()
})
afterAll(() => server.close())

let bff: AppFixture
let pass: (send?: SendMail) => Promise<boolean>
const { ask, make, pay } = openRequests(() => bff)
beforeEach(async () => {
  server.mails.length = 0
  bff = await openApp({ publicUrl })
  pass = (send = createSendMail(server.settings())) => createReceiptMailPass({ ...bff.deps, publicUrl, send })(signal)
})
afterEach(() => bff.close())

async function paid(more: object = {}, keys: Record<string, string> = bff.keys.secret) {
  const payment = await make(keys, more)
  await pay(payment.id)
  return payment
}
const request = (
  { id, clientSecret }: { id: string; clientSecret: string },
  email = 'ada@mail.example',
  more: object = {},
) => ask('POST', `/payments/${id}/receipt-mail`, {}, { email, clientSecret, ...more })
const rows = () => bff.deps.db.read((tx) => tx.all<{ address: string | null }>(sql`select * from receipt_mails`))

test('the holder of the client secret gets the receipt once, by a real mail server, and the address is not kept', async () => {
  const payment = await paid({ orderId: 'A-17' })
  expect((await request(payment)).status).toBe(200)
  expect(JSON.stringify(await rows())).not.toContain('ada@')
  await pass()
  await pass()
  expect(server.mails).toHaveLength(1)
  const [mail] = server.mails
  expect(mail).toMatchObject({ to: ['ada@mail.example'], subject: 'Your receipt from Corner Coffee' })
  expect(mail?.from).toBe('Corner Coffee <shop@shop.example>')
  const link = `${publicUrl}/pay/${payment.id}/receipt?lang=en`
  for (const body of [mail?.text, mail?.html]) {
    for (const part of ['25.00 USDC', 'A-17', link]) expect(body).toContain(part)
    expect(body).not.toContain(payment.clientSecret)
    expect(body).not.toContain(bff.merchant.apiSecret)
  }
  expect(await rows()).toMatchObject([{ address: null, due_at_ms: null }])
  bff.advance(25 * 3_600_000)
  await pass()
  expect(await rows()).toMatchObject([{ address: null, address_digest: null, client_digest: null }])
})

test('without the client secret, of a payment that is not paid, or to a second address nothing is sent', async () => {
  const open = await make(bff.keys.secret)
  expect(await request(open)).toMatchObject({ status: 409, body: { code: 'NOT_PAID' } })
  const payment = await paid()
  const guess = { ...payment, clientSecret: open.clientSecret }
  expect(await request(guess)).toMatchObject({ status: 403, body: { code: 'CLIENT_SECRET_REQUIRED' } })
  expect(
    await ask('POST', `/payments/${payment.id}/receipt-mail`, bff.keys.public, { email: 'ada@mail.example' }),
  ).toMatchObject({ status: 403, body: { code: 'CLIENT_SECRET_REQUIRED' } })
  expect((await request(payment)).status).toBe(200)
  expect((await request(payment, 'ADA@mail.example')).status).toBe(200)
  expect(await request(payment, 'eve@mail.example')).toMatchObject({ status: 409, body: { code: 'RECEIPT_SENT' } })
  expect(await rows()).toHaveLength(1)
})

test('the merchant sends it with key and secret, also of a test payment; a public key’s test payment mails nobody', async () => {
  const made = await ask('POST', '/sandbox/payments/create', bff.keys.public, {
    amount: '25.00',
    currency: 'USDC',
    network: 'devnet',
  })
  const { id, clientSecret } = made.body.payment as { id: string; clientSecret: string }
  await ask('POST', `/sandbox/payments/${id}/simulate`, bff.keys.public, { event: 'paid' })
  expect((await request({ id, clientSecret })).body).toMatchObject({ code: 'MAIL_LIMIT' })
  await pay(id as never)
  const sent = await ask('POST', `/payments/${id}/receipt-mail`, bff.keys.secret, { email: 'ada@mail.example' })
  expect(sent.status).toBe(200)
  await pass()
  expect(server.mails[0]?.text).toContain('Test payment')
})

test.each(['a@b.example, c@d.example', 'ada@mail.example\r\nBcc: eve@mail.example', 'Ada <ada@mail.example>', ''])(
  'refuses %j as an address',
  async (email) => {
    expect((await request(await paid(), email)).status).toBe(400)
  },
)

test('a name of the shop can neither add a header nor markup, and an order id of a public key is left out', async () => {
  const name = 'Eve\r\nBcc: eve@mail.example\r\n\r\n<img src=x> "Co" <eve@mail.example>'
  await bff.deps.db.write((tx) =>
    tx.run(sql`update merchants set name = ${name} where id = ${bff.merchant.merchantId}`),
  )
  const payment = await paid({ orderId: 'Visit http://eve.example' }, bff.keys.public)
  await request(payment)
  await pass()
  const [mail] = server.mails
  expect(mail?.to).toEqual(['ada@mail.example'])
  expect(mail?.headers).not.toMatch(/^bcc:/im)
  expect(mail?.headers.match(/^from:/gim)).toHaveLength(1)
  expect(mail?.from).toContain('<shop@shop.example>')
  expect(mail?.html).not.toContain('<img')
  expect(mail?.html).toContain('&lt;img')
  expect(mail?.text).not.toContain('eve.example/')
  expect(`${mail?.text}${mail?.html}`).not.toContain('Visit http')
})

/** Receipts that were mailed today. @param client - The network that asked for them; null: many. */
async function mailedToday(count: number, client: string | null): Promise<void> {
  const { merchantId } = bff.merchant
  await bff.deps.db.write(async (tx) => {
    for (let nth = 0; nth < count; nth++) {
      const id = crypto.randomUUID()
      await tx.run(sql`
          insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
                                status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms)
          values (${id}, ${merchantId}, 'deposit', 0, 'devnet', 'USDC', '0x', 6, '1', '1', 'completed', 0, 0, 0, ${id}, '{}')`)
      await tx.run(sql`
          insert into receipt_mails (payment_id, merchant_id, address_digest, client_digest, language, attempts, created_at_ms)
          values (${id}, ${merchantId}, ${id}, ${client ?? id}, 'en', 1, ${bff.nowMs()})`)
    }
  })
}

test('one address gets five a day and a merchant sends five hundred', async () => {
  for (let count = 0; count < 5; count++) expect((await request(await paid())).status).toBe(200)
  expect(await request(await paid())).toMatchObject({ status: 429, body: { code: 'MAIL_LIMIT' } })
  const first = await paid()
  await bff.deps.db.write((tx) => tx.run(sql`delete from receipt_mails`))
  await mailedToday(500, null)
  expect(await request(first, 'new@mail.example')).toMatchObject({ status: 429, body: { code: 'MAIL_LIMIT' } })
  bff.advance(24 * 3_600_000)
  expect((await request(first, 'new@mail.example')).status).toBe(200)
})

test('an address that got five is mailed again a day after, though nothing has deleted its digests', async () => {
  for (let count = 0; count < 5; count++) expect((await request(await paid())).status).toBe(200)
  const next = await paid()
  bff.advance(24 * 3_600_000 - 1)
  expect(await request(next)).toMatchObject({ status: 429, body: { code: 'MAIL_LIMIT' } })
  bff.advance(1)
  expect((await request(next)).status).toBe(200)
})

test('a mail that could not be sent for a day still knows its address, so that a repeat changes nothing', async () => {
  const payment = await paid()
  await request(payment)
  bff.advance(25 * 3_600_000)
  await pass(async () => ({ isSent: false, isFinal: false, error: 'ECONNREFUSED' }))
  expect((await request(payment)).status).toBe(200)
  expect(await request(payment, 'eve@mail.example')).toMatchObject({ body: { code: 'RECEIPT_SENT' } })
})

test('one client, whose payments may cost next to nothing, leaves half of the day’s receipts to the others', async () => {
  const from = async (address: string, nth: number) => {
    const { id, clientSecret } = await paid()
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `${nth}@mail.example`, clientSecret }),
    }
    const socket = { incoming: { socket: { remoteAddress: address } } } as never
    return (await bff.app.request(`/api/v1/payments/${id}/receipt-mail`, init, socket)).status
  }
  const [many, few] = ['2001:db8:1:1::1', '192.0.2.7']
  expect(await from(many, 1)).toBe(200)
  const [row] = await bff.deps.db.read((tx) => tx.all<{ client_digest: string }>(sql`select * from receipt_mails`))
  await mailedToday(248, row?.client_digest ?? '')
  expect([await from('2001:db8:1:2::1', 2), await from(many, 3)]).toEqual([200, 429])
  expect([await from(few, 4), await from(few, 5)]).toEqual([200, 200])
  expect(await request(await paid(), 'new@mail.example'), 'of a client without an address').toMatchObject({
    status: 200,
  })
  const byMerchant = { email: 'by-shop@mail.example' }
  const { id } = await paid()
  expect((await ask('POST', `/payments/${id}/receipt-mail`, bff.keys.secret, byMerchant)).status).toBe(200)
})

test('a mail server that is down is asked again later; one that rejects the address is not', async () => {
  const gone = await openMailServer()
  await gone.close()
  const payment = await paid()
  await request(payment)
  const down = createSendMail({ ...gone.settings() })
  await pass(down)
  await pass()
  expect(server.mails, 'not before the delay').toEqual([])
  bff.advance(60_000)
  server.refuse('data', 451)
  await pass()
  expect(server.mails).toEqual([])
  bff.advance(5 * 60_000)
  await pass()
  expect(server.mails).toHaveLength(1)

  server.refuse('recipient', 550)
  const rejected = await paid()
  await request(rejected, 'no@mail.example')
  await pass()
  expect(await rows(), 'the addresses are gone').toMatchObject([{ address: null }, { address: null }])
  expect((await request(rejected, 'yes@mail.example')).status, 'the customer may ask again').toBe(200)
})

test('of one payment the mail server is asked for three refused addresses a day, and each counts for the merchant', async () => {
  const payment = await paid()
  const refused: SendMail = async () => ({ isSent: false, isFinal: true, error: 'EENVELOPE 550' })
  for (const name of ['one', 'two', 'three']) {
    expect((await request(payment, `${name}@mail.example`)).status, name).toBe(200)
    await pass(refused)
  }
  expect(await request(payment, 'four@mail.example')).toMatchObject({ status: 429, body: { code: 'MAIL_LIMIT' } })
  bff.advance(24 * 3_600_000)
  expect((await request(payment, 'four@mail.example')).status).toBe(200)
  await pass()
  expect(server.mails.map(({ to }) => to)).toEqual([['four@mail.example']])
  expect(await request(payment, 'five@mail.example')).toMatchObject({ status: 409, body: { code: 'RECEIPT_SENT' } })
  const other = await paid()
  await mailedToday(498, null)
  await request(other, 'one@mail.example')
  await pass(refused)
  expect(await request(await paid(), 'six@mail.example')).toMatchObject({ status: 429, body: { code: 'MAIL_LIMIT' } })
})

test('after eight attempts, about a day, a mail is given up and its address deleted', async () => {
  const payment = await paid()
  await request(payment)
  const send = vi.fn<SendMail>(async () => ({ isSent: false, isFinal: false, error: 'ECONNREFUSED' }))
  for (let hour = 0; hour < 30; hour++) {
    await pass(send)
    bff.advance(3_600_000)
  }
  expect(send).toHaveBeenCalledTimes(8)
  expect(await rows()).toMatchObject([{ address: null, due_at_ms: null }])
})

test('a mail that cannot be written does not end the pass for those after it, and is given up after eight attempts', async () => {
  const broken = await paid()
  await request(broken)
  await bff.deps.db.write((tx) => tx.run(sql`update receipt_mails set address = 'v1.unreadable'`))
  bff.advance(1)
  await request(await paid(), 'bea@mail.example')
  await pass()
  expect(server.mails.map(({ to }) => to)).toEqual([['bea@mail.example']])
  for (let hour = 0; hour < 30; hour++) {
    bff.advance(3_600_000)
    await pass()
  }
  expect(await rows()).toMatchObject([{ address: null }, { address: null }])
  expect((await request(broken)).status, 'the customer may ask again').toBe(200)
})

test('a process that is killed after the server took the mail sends it again with the same id, and never loses it', async () => {
  const payment = await paid()
  await request(payment)
  const real = createSendMail(server.settings())
  await new Promise<void>((left) => {
    const killed: SendMail = async (mail) => {
      await real(mail)
      left()
      return await new Promise(() => {})
    }
    void pass(killed)
  })
  await pass()
  expect(server.mails, 'another process does not send while the first may').toHaveLength(1)
  bff.advance(2 * 60_000)
  await pass()
  expect(server.mails).toHaveLength(2)
  const ids = server.mails.map(({ headers }) => /^message-id: (.*)$/im.exec(headers)?.[1])
  expect(ids).toEqual([`<receipt-${payment.id}@pay.shop.example>`, `<receipt-${payment.id}@pay.shop.example>`])
})

test.each([
  ['de', 'Ihr Beleg von Corner Coffee', 'Danke für Ihre Zahlung'],
  ['ar', 'إيصالك من', 'dir="rtl"'],
] as [PageLanguage, string, string][])(
  'is written in the language of the page: %s',
  async (language, subject, part) => {
    await request(await paid(), 'ada@mail.example', { language })
    await pass()
    expect(server.mails[0]?.subject).toContain(subject)
    expect(server.mails[0]?.html).toContain(part)
  },
)

test('logs in where the settings name a user; a wrong password is reported and repeated', async () => {
  const guarded = await openMailServer({ user: 'shop', password: 'right' })
  await request(await paid())
  await pass(createSendMail({ ...guarded.settings(), login: { user: 'shop', password: 'wrong' } }))
  expect(guarded.mails).toEqual([])
  bff.advance(60_000)
  await pass(createSendMail(guarded.settings()))
  expect(guarded.mails).toHaveLength(1)
  await guarded.close()
})
