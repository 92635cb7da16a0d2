import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pageTexts } from '@stablecoin-checkout/bff/testing/texts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openPages, pageOf } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('pay-link')
const { bff, chain, sweep } = story
const browser = await openBrowser()

/** A page that may talk to the service alone; anything else, and every refusal of its policy, fails the visit. */
const follow = (id: string, use: (customer: Visit) => Promise<void>, tolerated?: RegExp) =>
  browser.visit({ url: `${bff.url()}/pay/${id}`, origins: [bff.url()], ...(tolerated && { tolerated }) }, use)

test('a link made on the server shows where to pay, and the payment through to the end', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'invoice-7' })
  await follow(payment.id, async (customer) => {
    expect(await customer.page.title()).toBe('Pay 25.00 USDC to Corner Coffee')
    await customer.reads('Waiting for your payment')
    expect(await customer.address()).toBe(payment.depositAddress)
    await customer.portray('9-pay-link')
    await chain.pay(payment.depositAddress, '25.00')
    await customer.reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
    await sweep([payment])
    await customer.reads('The shop has received the money.')
  })
  const [{ count } = { count: 0 }] = await bff.query<{ count: number }>('select count(*) as count from payments')
  expect(count).toBe(1)
})

test('a whole link gives the element its client secret, which the service never sees', async () => {
  const payment = await bff.createDeposit({ amount: '5.00', orderId: 'invoice-9' })
  const secret = bff.clientSecretOf(payment.id) ?? ''
  const { body } = await bff.get(`/payments/${payment.id}`)
  expect(body['payment']).toMatchObject({ clientSecret: secret })
  const ofElement = () => document.querySelector('stablecoin-checkout')?.getAttribute('client-secret')
  await follow(`${payment.id}#client_secret=${secret}`, async (customer) => {
    await customer.reads('Waiting for your payment')
    expect(await customer.page.evaluate(ofElement)).toBe(secret)
  })
  // Programs take the dot of the sentence for a part of the link, or cut it; paying needs no secret.
  const ends = [
    ['', null],
    [`#client_secret=${secret}.`, secret],
    ['#client_secret=c', null],
  ] as const
  for (const [end, given] of ends) {
    await follow(payment.id + end, async (customer) => {
      await customer.reads('Waiting for your payment')
      expect(await customer.page.evaluate(ofElement), end).toBe(given)
      const hash = () => document.querySelector<HTMLAnchorElement>('a.receipt')?.hash
      if (given) expect(await customer.page.evaluate(hash)).toBe(`#client_secret=${given}`)
    })
  }
  expect(readFileSync(story.files.logPath, 'utf8')).not.toContain(secret)
})

test('the link of a paid payment says so to whoever opens it later', async () => {
  const payment = await bff.createDeposit({ amount: '3.00', orderId: 'invoice-8' })
  await chain.pay(payment.depositAddress, '3.00')
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid' })
  await follow(payment.id, (customer) => customer.reads('Paid'))
})

test('nobody takes a test payment for a real one', async () => {
  const { body } = await bff.ask('/api/v1/sandbox/payments/create', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-public-key': bff.merchant.testPublicKey },
    body: JSON.stringify({ amount: '25.00', currency: 'USDC', network: 'devnet' }),
  })
  const { id } = body['payment'] as { id: string }
  await follow(id, async (customer) => {
    expect(await customer.page.title()).toMatch(/^TEST · /)
    // Once, by the element: the page itself says it only where no script runs.
    await customer.reads('Test payment: send no real money')
    await customer.reads('Waiting for your payment')
    expect(
      await customer.page
        .getByText(/^Test payment/)
        .filter({ visible: true })
        .count(),
    ).toBe(1)
  })
})

test('a link that is no payment’s says so, and loads nothing', () =>
  follow(
    randomUUID(),
    async (customer) => {
      await customer.reads('There is no such payment')
      const loaded = await customer.page.evaluate(() => performance.getEntriesByType('resource').length)
      expect(loaded).toBe(0)
    },
    /404/,
  ))

test('the script runs from its stable address and from the one with its hash, on a page of somebody else', async () => {
  const { body } = await bff.ask('/stablecoin-checkout.json')
  const hashed = (body as Record<string, { url: string }>)['stablecoin-checkout.js']?.url
  for (const path of ['/stablecoin-checkout.js', hashed]) {
    const payment = await bff.createDeposit({ amount: '4.00', orderId: `script-${path}` })
    const script = `<script src="${bff.url()}${path}" async></script>`
    const tag = `<stablecoin-checkout payment-id="${payment.id}"></stablecoin-checkout>`
    const url = await openPages(new Map([['/', { body: pageOf(script, tag) }]]))
    await browser.visit({ url, origins: [url, bff.url()] }, (customer) => customer.reads('Waiting for your payment'))
  }
})

/** Words that are the same in every language: names, tokens, networks, and what the service and its customers wrote. */
const names = /Corner Coffee|Devnet|USDC|USDT|EIP-681|Solana|English|JavaScript|0x\w+|\b[\da-f]{4}\b/gi

/** Sentences of the page and of the element, as a reader sees them. */
const seenTexts = (page: Page) =>
  page.evaluate(() => {
    const texts: string[] = []
    const walk = (node: Node) => {
      if (node instanceof Element && node.shadowRoot) walk(node.shadowRoot)
      for (const child of node.childNodes) {
        if (child instanceof Element && /^(script|style|noscript|details)$/.test(child.localName)) continue
        if (child instanceof Text && child.data.trim()) texts.push(child.data.trim().replace(/\s+/g, ' '))
        walk(child)
      }
    }
    walk(document.body)
    return texts
  })

test('a hosted page is in the reader’s language, with nothing left in English, at 320 pixels, light and dark', async () => {
  const payment = await bff.createDeposit({ amount: '1250.00', orderId: 'languages' })
  await follow(payment.id, async ({ page, reads }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await reads('Waiting for your payment')
    const sentences = (texts: string[]) => texts.map((text) => text.replaceAll(names, '').trim())
    const english = new Set(sentences(await seenTexts(page)).filter((text) => /[a-z]{3}/i.test(text)))
    expect(english.size).toBeGreaterThan(8)
    const codes = await page.locator('a[hreflang]').evaluateAll((all) => all.map((one) => one.getAttribute('hreflang')))
    expect(codes).toEqual(Object.keys(pageTexts))
    await expectAccessible(page, 'light', [], ['color-contrast'])
    await expectAccessible(page, 'dark')
    for (const code of codes.filter((one) => one !== 'en')) {
      await page.locator('summary').click()
      await page.locator(`a[hreflang=${code}]`).click()
      const card = page.locator(`stablecoin-checkout section[lang=${code}]`)
      await card.waitFor()
      await page.locator('stablecoin-checkout [part~=address]:not([inert] *)').waitFor()
      const left = sentences(await seenTexts(page)).filter((text) => english.has(text))
      expect(left, String(code)).toEqual([])
      expect(await page.locator('html').getAttribute('dir')).toBe(code === 'ar' ? 'rtl' : 'ltr')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow, `${code} ${colorScheme}`).toBeLessThanOrEqual(0)
      }
      await expectAccessible(page, 'light', [], ['color-contrast'])
      await expectAccessible(page, 'dark')
    }
  })
})

test('a change of language keeps the client secret, and the title follows the payment in that language', async () => {
  const payment = await bff.createDeposit({ amount: '6.00', orderId: 'in-german', returnUrl: 'https://shop.example/7' })
  const secret = bff.clientSecretOf(payment.id) ?? ''
  await follow(`${payment.id}#client_secret=${secret}`, async ({ page, reads }) => {
    await reads('Waiting for your payment')
    await page.locator('summary').click()
    await page.locator('a[hreflang=de]').click()
    await reads('Warten auf Ihre Zahlung')
    expect(new URL(page.url()).search).toBe('?lang=de')
    expect(await page.locator('stablecoin-checkout').getAttribute('client-secret')).toBe(secret)
    expect(await page.title()).toBe('6,00 USDC an Corner Coffee bezahlen')
    expect(await page.locator('time').textContent()).not.toContain('UTC')
    const back = page.locator('main > a.back')
    expect(await back.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await page.getByText('Zu bezahlen bis').waitFor()
    expect(await page.locator('footer').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await chain.pay(payment.depositAddress, '6.00')
    await expect.poll(() => page.title()).toBe('Zahlung erkannt · Corner Coffee')
    await chain.mine(2)
    await expect.poll(() => page.title()).toBe('Bezahlt · Corner Coffee')
    expect(await back.isVisible()).toBe(true)
    expect(await back.getAttribute('href')).toBe(`https://shop.example/7?paymentId=${payment.id}`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('Zu bezahlen bis').isVisible()).toBe(false)
  })
  await sweep([payment])
})

test('a link whose text attacks stays text, in one column of 320 pixels, from either direction', async () => {
  const description = `\u202e<img src=x onerror="window.hacked=true"> ${'متجر'.repeat(20)}${'W'.repeat(120)} 🛍️`
  const { body } = await bff.ask('/api/v1/links', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': bff.merchant.apiKey,
      'x-api-secret': bff.merchant.apiSecret,
    },
    body: JSON.stringify({ amount: '1250.50', description }),
  })
  const { id } = body['link'] as { id: string }
  const sums: Record<string, string> = { ar: '1,250.50 USDC أو USDT', de: '1.250,50 USDC oder USDT' }
  await follow(id, async ({ page, portray }) => {
    const codes = await page.locator('a[hreflang]').evaluateAll((all) => all.map((one) => one.getAttribute('hreflang')))
    expect(codes).toEqual(Object.keys(pageTexts))
    for (const code of codes.map(String)) {
      await page.goto(`${bff.url()}/pay/${id}?lang=${code}`)
      await page.locator(`stablecoin-checkout section[lang=${code}]`).waitFor()
      if (sums[code]) {
        expect(await page.title()).toContain(sums[code])
        // The element shows it: the page does not repeat it.
        expect(await page.locator('.sum').count()).toBe(0)
        await portray(`hosted-hostile-${code}`)
        await expectAccessible(page, 'narrow')
      }
      await expectAccessible(page, 'light', [], ['color-contrast'])
      await expectAccessible(page, 'dark')
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    }
  })
})
