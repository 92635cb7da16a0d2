import { order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { tillPin } from '@stablecoin-checkout/rig/till-stage'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { looks, openBrowser } from './harness/browser.ts'
import { faultsFor, visitedLanguages } from './harness/said.ts'
import { openServedApp } from './harness/served-app.ts'

const { bff, stage, url } = await openServedApp()
const browser = await openBrowser()

type PaymentId = Parameters<typeof stage.pay>[0]

/** Pays a deposit in full, and asks the customer for an address for a refund of it. @returns its page. */
async function requestRefund(language: string): Promise<string> {
  const { payment } = (await bff.create({ ...order, orderId: `refund-${language}` })).body
  const id = payment['id'] as PaymentId
  const transfer = { ...transferTo(id, 25_000_000n), blockTimeMs: bff.nowMs() }
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  const response = await bff.fetch(`/api/v1/payments/${id}/refunds`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
    body: JSON.stringify({ amount: '10.00' }),
  })
  const { refund } = (await response.json()) as { refund: { id: string; pageUrl: string } }
  return `${url}/refund/${refund.id}#${refund.pageUrl.split('#')[1]}`
}

test.each(visitedLanguages)(
  'in "%s" till, receipt and refund page say no word of English, and do not scroll sideways on a telephone',
  async (language) => {
    const found: string[] = []
    const token = stage.tokenOf(await stage.make({ priceCurrency: 'USD' }))
    const prepare = async (page: Page) => {
      await page.addInitScript((code) => localStorage.setItem('language', code), language)
      await page.setViewportSize(looks.narrow.viewport)
    }
    await browser.visit({ url: `${url}/till#pair=${token}`, origins: [url], prepare }, async ({ page }) => {
      const look = async (screen: string, isThere: string) => {
        await page.locator(isThere).first().waitFor()
        found.push(...(await faultsFor(language, page, screen)))
        await expectAccessible(page, 'narrow')
      }
      await look('PIN', 'main.pin')
      await page.keyboard.type(tillPin)
      await look('keypad', 'main.keypad')
      await page.keyboard.type('1250')
      await page.keyboard.press('Enter')
      await look('open sale', 'main.sale .status.open')
      const newest = await bff.deps.db.read((tx) =>
        tx.all<{ id: string }>({
          strings: ['select link_id as id from till_sales order by created_at_ms desc limit 1'],
          params: [],
        } as never),
      )
      const payment = await stage.choose({ id: newest[0]?.id ?? '' } as never)
      await stage.pay(payment, 10_000_000n)
      await look('partly paid sale', 'main.sale .status.partial')
      const rest = { ...transferTo(payment, 2_500_000n), logIndex: 1, blockTimeMs: bff.nowMs() }
      await bff.deps.ledger.apply(payment, { type: 'transfer.confirmed', transfer: rest, atMs: bff.nowMs() })
      await look('paid sale', 'main [data-next]')
      const receipt = await page.locator('.receipt a').getAttribute('href')
      await page.locator('main [data-next]').click()
      bff.advance(1_000)
      await page.locator('main.keypad').waitFor()
      await page.locator('header button').first().click()
      await look('day', 'main.day')
      const own = async (path: string) => {
        const to = new URL(path)
        to.searchParams.set('lang', language)
        await page.goto(to.href)
      }
      await own(receipt ?? '')
      await look('receipt', '.receipt')
      await own(await requestRefund(language))
      await look('refund page', '#address')
    })
    expect([...new Set(found)]).toEqual([])
  },
)

test('a refund’s page takes an address also behind a link that ends with the dot of a sentence', async () => {
  await browser.visit({ url: `${await requestRefund('dot')}.`, origins: [url] }, async ({ page }) => {
    await page.locator('input[name=address]').fill('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
    await page.locator('form button').click()
    expect(await Promise.race([page.waitForEvent('load').then(() => 'taken'), alerted(page)])).toBe('taken')
  })
})

async function alerted(page: Page): Promise<string | null> {
  const alert = page.locator('[role=alert]:not(:empty)')
  await alert.waitFor()
  return await alert.textContent()
}
