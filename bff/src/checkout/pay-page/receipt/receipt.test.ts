import { createHash } from 'node:crypto'
import { everyPart } from '@stablecoin-checkout/rig/app-defaults'
import { openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentEvent } from '../../../payment/event.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { receiptTexts } from './receipt-texts.ts'

const monthMs = 31 * 24 * 60 * 60_000

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp({ publicUrl: 'https://pay.example' })
})
afterEach(() => bff.close())

async function create(fields: object = {}): Promise<PaymentId> {
  const { body } = await bff.create({ ...order, ...fields }, bff.keys.secret)
  return body.payment['id'] as PaymentId
}

const apply = (id: PaymentId, event: PaymentEvent) => bff.deps.ledger.apply(id, event)

async function pay(id: PaymentId, units = 25_000_000n) {
  const transfer = { ...transferTo(id, units), blockTimeMs: bff.nowMs() }
  await apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
}

async function page(id: string, language = 'en') {
  const answer = await bff.fetch(`/pay/${id}/receipt`, { headers: { 'Accept-Language': language } })
  return { answer, text: await answer.text() }
}

/** The card's text, without markup and without what its script alone shows. */
const cardOf = (text: string) =>
  (/<section class="card.*?<\/section>/s.exec(text)?.[0] ?? '')
    .replaceAll(/<(dt|dd) data-of="\w+" hidden>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const details = (id: string, headers: Record<string, string>, body: object = {}) =>
  bff.call(`/api/v1/payments/${id}/receipt`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('the receipt of a paid payment', () => {
  test('names shop, sum, time, network and transaction, the same a month later', async () => {
    const id = await create({ orderId: 'o-1042' })
    await pay(id)
    const { answer, text } = await page(id)
    expect(answer.status).toBe(200)
    const number = `20261121-${id.slice(0, 8).toUpperCase()}`
    const txId = transferTo(id, 1n).txId
    const when = 'Nov 21, 2026, 12:00\u202fPM UTC'.replaceAll('\u202f', ' ')
    expect(cardOf(text)).toBe(
      `Receipt 25.00 USDC Paid Receipt number ${number} Paid on ${when} Paid 25.00 USDC Network Devnet Transaction ${txId} Confirms that this payment arrived. It is not a tax invoice.`,
    )
    expect(text).toContain('<body><main>')
    expect(text).toContain('<bdi>Corner Coffee</bdi>')
    expect(text).toContain(`href="https://scan.example/tx/${txId}"`)
    bff.advance(monthMs)
    expect((await page(id)).text).toBe(text)
  })

  test('has the price, its rate and the amount in tokens', async () => {
    const id = await create({ amount: undefined, price: '25.00', priceCurrency: 'USD' })
    await pay(id)
    expect(cardOf((await page(id)).text)).toMatch(
      /^Receipt \$25\.00 Paid .*Price \$25\.00 Paid 25\.00 USDC Exchange rate 1 USDC = 1 USD /,
    )
  })

  test('shows a stranger who knows the id no more than the public view: neither order nor customer', async () => {
    const id = await create({ orderId: 'secret-order', customerEmail: 'ada@shop.example', metadata: { table: 'nine' } })
    await pay(id)
    expect((await page(id)).text).not.toMatch(/secret-order|ada@|nine/)
    const refused = await details(id, bff.keys.public)
    expect([refused.status, refused.body['code']]).toEqual([403, 'CLIENT_SECRET_REQUIRED'])
    expect((await details(id, {})).status).toBe(401)
    expect((await details(id, {}, { clientSecret: 'cs_wrong' })).status).toBe(403)
    const other = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
    expect((await details(id, other)).status).toBe(404)
    const nobody = openPage(bff)
    expect((await nobody.ask('POST', `/payments/${id}/receipt`, {})).status).toBe(401)
  })

  test('shows the order to the customer with the client secret, to the shop, and to its people', async () => {
    const id = await create({ orderId: 'o-1042' })
    await pay(id)
    const receipt = {
      number: `20261121-${id.slice(0, 8).toUpperCase()}`,
      state: 'paid',
      url: `https://pay.example/pay/${id}/receipt`,
      orderId: 'o-1042',
      description: null,
    }
    bff.advance(monthMs)
    expect((await details(id, {}, { clientSecret: bff.clientSecretOf(id) })).body['receipt']).toEqual(receipt)
    expect((await details(id, bff.keys.secret)).body['receipt']).toEqual(receipt)
  })

  test('says what the payment’s link was for', async () => {
    const headers = { ...bff.keys.secret, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ amount: '25.00', description: 'Table 7' })
    const made = await bff.call('/api/v1/links', { method: 'POST', headers, body })
    const link = (made.body['link'] as { id: string }).id
    const answer = await bff.post(`/api/v1/links/public/${link}/create`, { network: 'devnet', currency: 'USDC' })
    const id = answer.body.payment['id'] as PaymentId
    await pay(id)
    const given = { clientSecret: bff.clientSecretOf(id) }
    expect((await details(id, {}, given)).body['receipt']).toMatchObject({ description: 'Table 7', state: 'paid' })
  })
})

test('a person of the shop sees the order in the browser that is signed in', async () => {
  await bff.close()
  bff = await openApp()
  const id = await create({ orderId: 'o-1042' })
  const viewer = await signedIn(bff, 'viewer')
  const { body } = await viewer.ask('POST', `/payments/${id}/receipt`, {})
  expect(body['receipt']).toMatchObject({ orderId: 'o-1042', state: 'none' })
})

describe('a receipt says what became of the money', () => {
  test('nothing was paid yet', async () => {
    const id = await create()
    const { answer, text } = await page(id)
    expect(answer.status).toBe(200)
    expect(cardOf(text)).toBe(
      'There is no receipt yet This payment isn’t complete. Open it to see what is missing. Show the payment',
    )
  })

  test('less than was due came, and goes back', async () => {
    const id = await create()
    await pay(id, 10_000_000n)
    const atMs = bff.nowMs()
    await apply(id, { type: 'window.ended', blockTimeMs: atMs + 900_001, atMs })
    const card = cardOf((await page(id)).text)
    expect(card).toMatch(/^Receipt 10\.00 USDC Not paid /)
    expect(card).toMatch(/Asked for 25\.00 USDC Paid 10\.00 USDC .* To be refunded 10\.00 USDC$/)
  })

  test('more than was due came: paid, with what goes back', async () => {
    const id = await create()
    await pay(id, 26_500_000n)
    const card = cardOf((await page(id)).text)
    expect(card).toMatch(
      /^Receipt 26\.50 USDC Paid .*Asked for 25\.00 USDC Paid 26\.50 USDC .*To be refunded 1\.50 USDC /,
    )
  })
})

describe('refunds that the merchant’s wallet pays', () => {
  const customer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  async function refundOf(id: PaymentId, amount: string) {
    const body = { amount, address: customer, reason: 'Sold out' }
    const answer = await bff.call(`/api/v1/payments/${id}/refunds`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
      body: JSON.stringify(body),
    })
    const refund = (answer.body['refund'] as { id: string }).id
    return {
      pay: (units: bigint, place: number) => {
        const transfer = {
          ...transferTo(refund as PaymentId, units),
          logIndex: place,
          txId: `0x${'ef'.repeat(31)}0${place}`,
        }
        const atMs = bff.nowMs()
        return apply(refund as PaymentId, { type: 'transfer.confirmed', transfer, atMs })
      },
    }
  }
  const stateOf = async (id: PaymentId) =>
    ((await details(id, bff.keys.secret)).body['receipt'] as { state: string }).state

  test('are shown with their transactions, without reason and address, until everything is back', async () => {
    const id = await create()
    await pay(id)
    const first = await refundOf(id, '10.00')
    expect(cardOf((await page(id)).text)).toMatch(/^Receipt 25\.00 USDC Paid .*To be refunded 10\.00 USDC /)
    await first.pay(10_000_000n, 1)
    const partly = (await page(id)).text
    expect(cardOf(partly)).toMatch(
      /^Receipt 25\.00 USDC Partly refunded .* Refunded 10\.00 USDC Refund transaction 0xefef\w+01 /,
    )
    expect(partly).toContain(`href="https://scan.example/tx/0x${'ef'.repeat(31)}01"`)
    expect(partly).not.toMatch(/Sold out|0x3C44/i)
    expect(await stateOf(id)).toBe('partlyRefunded')
    const second = await refundOf(id, '15.00')
    await second.pay(5_000_000n, 2)
    expect(cardOf((await page(id)).text)).toMatch(/Refunded 5\.00 USDC To be refunded 10\.00 USDC/)
    await second.pay(10_000_000n, 3)
    expect(cardOf((await page(id)).text)).toMatch(/^Receipt 25\.00 USDC Refunded /)
    expect(await stateOf(id)).toBe('refunded')
  })

  test('of what was paid too much into the merchant’s own wallet leave the payment paid', async () => {
    const id = await create()
    await bff.deps.db.write((tx) => tx.run(sql`update payments set is_direct = 1 where id = ${id}`))
    await pay(id, 26_500_000n)
    const excess = await refundOf(id, '1.50')
    await excess.pay(1_500_000n, 1)
    expect(cardOf((await page(id)).text)).toMatch(/^Receipt 26\.50 USDC Paid .* Refunded 1\.50 USDC /)
    expect(await stateOf(id)).toBe('paid')
    const due = await refundOf(id, '5.00')
    await due.pay(5_000_000n, 2)
    expect(await stateOf(id)).toBe('partlyRefunded')
  })

  test('of an excess that a reorg has taken since were of the amount due', async () => {
    const id = await create()
    await bff.deps.db.write((tx) => tx.run(sql`update payments set is_direct = 1 where id = ${id}`))
    await pay(id)
    const second = { ...transferTo(id, 25_000_000n), logIndex: 1, blockTimeMs: bff.nowMs() }
    await apply(id, { type: 'transfer.confirmed', transfer: second, atMs: bff.nowMs() })
    await (await refundOf(id, '25.00')).pay(25_000_000n, 1)
    expect(await stateOf(id)).toBe('paid')
    await apply(id, { type: 'transfer.reverted', transfer: second, atMs: bff.nowMs() })
    expect(await stateOf(id)).toBe('refunded')
    expect(cardOf((await page(id)).text)).toMatch(/^Receipt 25\.00 USDC Refunded .* Refunded 25\.00 USDC /)
  })
})

describe('the receipt by e-mail', () => {
  const element = { name: 'e-x.js', hashedName: 'e-x.js', integrity: 'sha384-x', body: async () => Buffer.from('') }
  const elementFiles = { element, files: [element], find: () => undefined }
  const payPage = async (id: string) => {
    const answer = await bff.fetch(`/pay/${id}`, { headers: { 'Accept-Language': 'en' } })
    return { answer, text: await answer.text() }
  }

  test('is offered on the receipt and the payment’s page, in each language, by a script that the policy allows', async () => {
    await bff.close()
    bff = await openApp({ elementFiles })
    const id = await create()
    await pay(id)
    for (const { answer, text } of [await page(id), await payPage(id)]) {
      expect(text).toContain('<form class="card mail" hidden')
      const policy = answer.headers.get('Content-Security-Policy') ?? ''
      const hashOf = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`
      const scripts = [...text.matchAll(/<script(?: type="module")?>(.*?)<\/script>/gs)].map(
        ([, source]) => source ?? '',
      )
      const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, source]) => source ?? '')
      expect(scripts.some((source) => source.includes('/receipt-mail'))).toBe(true)
      for (const source of [...scripts, ...styles]) expect(policy).toContain(hashOf(source))
    }
    for (const [language, texts] of Object.entries(receiptTexts)) {
      const { text } = await page(id, language)
      expect(text).toContain(`>${texts.mailSend}</button>`)
      expect(texts.mailSent, language).toContain('{0}')
    }
  })

  test('is not offered without mail, before the payment is paid, and for a test payment', async () => {
    expect((await page(await create())).text).not.toContain('class="card mail"')
    const made = await bff.post('/api/v1/sandbox/payments/create', { ...order }, bff.keys.public)
    const test = made.body.payment['id'] as PaymentId
    await pay(test)
    expect((await page(test)).text).toMatch(/class="state paid"/)
    expect((await page(test)).text).not.toContain('class="card mail"')
    await bff.close()
    bff = await openApp({ elementFiles, parts: Object.assign({}, everyPart, { mail: null }) })
    const id = await create()
    await pay(id)
    for (const { text } of [await page(id), await payPage(id)]) expect(text).not.toContain('class="card mail"')
  })
})

describe('the page', () => {
  test('runs its own scripts alone, is framed by nobody and kept by no cache', async () => {
    const { answer } = await page(await create())
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
  })

  test.each(['7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', 'seven', 'pl_4fJtkVn3cXo0T2yqY9sLwQ1b'])(
    'says of %s that there is no such payment',
    async (id) => {
      const { answer, text } = await page(id)
      expect([answer.status, text.includes('There is no such payment')]).toEqual([404, true])
    },
  )

  test('has no sentence in English in another', async () => {
    const { en, ...others } = receiptTexts
    // One word may be alike: "Transaction" is French too.
    for (const [code, texts] of Object.entries(others)) {
      const same = Object.entries(texts).filter(
        ([key, text]) => text.includes(' ') && text === en[key as keyof typeof en],
      )
      expect(same, code).toEqual([])
    }
    const id = await create()
    await pay(id)
    expect(cardOf((await page(id, 'ar')).text)).toContain(receiptTexts.ar.number)
    expect(cardOf((await page(id, 'de')).text)).toMatch(/^Beleg 25,00 USDC Bezahlt Belegnummer /)
  })

  test('is reached from the payment’s page', async () => {
    const element = { name: 'e-x.js', hashedName: 'e-x.js', integrity: 'sha384-x', body: async () => Buffer.from('') }
    await bff.close()
    bff = await openApp({ elementFiles: { element, files: [element], find: () => undefined } })
    const id = await create()
    const text = await (await bff.fetch(`/pay/${id}`, { headers: { 'Accept-Language': 'de' } })).text()
    expect(text).toContain(`<a class="receipt" href="/pay/${id}/receipt?lang=de">Beleg</a>`)
  })
})
