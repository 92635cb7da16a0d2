import { transferTo } from '@stablecoin-checkout/rig/test-app'
import { type Sale, tillPin } from '@stablecoin-checkout/rig/till-stage'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser, type Visit } from './harness/browser.ts'
import { holdBack } from './harness/hold-back.ts'
import { openServedApp } from './harness/served-app.ts'

const monthMs = 31 * 24 * 60 * 60_000

const { bff, stage, url } = await openServedApp()
const browser = await openBrowser()

/** A new device at the counter, before its PIN is entered. */
async function openDevice(fields: object, use: (visit: Visit) => Promise<void>, tolerated?: RegExp) {
  const token = stage.tokenOf(await stage.make(fields))
  const site = { url: `${url}/till#pair=${token}`, origins: [url], ...(tolerated && { tolerated }) }
  await browser.visit(site, use)
}

const key = async (page: Page, keys: string) => {
  for (const one of keys) await page.getByRole('button', { name: one, exact: true }).click()
}

async function enterPin({ page, reads }: Visit) {
  await reads('Enter the PIN')
  await page.keyboard.type(tillPin)
  await reads('Charge')
  // The newest sale is the next one.
  bff.advance(1_000)
}

/** The newest sale of the newest till, as the service has it. */
async function newestSale(): Promise<{ id: Sale['id'] }> {
  const [row] = await bff.deps.db.read((tx) =>
    tx.all<{ id: string }>({
      strings: ['select link_id as id from till_sales order by created_at_ms desc limit 1'],
      params: [],
    } as never),
  )
  return { id: row?.id ?? '' }
}

/** How a browser reports the answer to a wrong PIN. */
const wrongPin = /status of 403/

const green = 'rgb(10, 117, 72)'
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

/** Counts the tones that the page plays from now on. */
async function countSounds(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = Object.assign(window, { tones: 0 })
    const { start } = AudioScheduledSourceNode.prototype
    AudioScheduledSourceNode.prototype.start = function (atSeconds) {
      counted.tones += 1
      start.call(this, atSeconds)
    }
  })
  return () => page.evaluate(() => (window as unknown as { tones: number }).tones)
}

/** What a browser needs to install the page: its manifest, and the width of each icon as it is drawn. */
const installable = (page: Page) =>
  page.evaluate(async () => {
    const answer = await fetch(document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? '')
    const { start_url, display, icons } = (await answer.json()) as {
      start_url: string
      display: string
      icons: { src: string }[]
    }
    const widths = icons.map(async ({ src }) => {
      const icon = Object.assign(new Image(), { src })
      await icon.decode()
      return icon.naturalWidth
    })
    return [answer.headers.get('content-type'), start_url, display, ...(await Promise.all(widths))]
  })

test('a till is paired by its link, opened by its PIN, and takes two customers one after the other', async () => {
  await openDevice(
    { priceCurrency: 'USD' },
    async (visit) => {
      const { page, reads, press, portray } = visit
      await reads('Enter the PIN')
      const soundsPlayed = await countSounds(page)
      expect(await installable(page)).toEqual(['application/manifest+json', '/till', 'standalone', 192, 512, 512])
      await expectAccessible(page, 'dark')
      await portray('till-pin')
      await key(page, '999998')
      await reads('Wrong PIN. Attempts left: 4')
      await enterPin(visit)
      // A wrong amount is cleared by one key.
      await key(page, '999')
      await reads('$9.99')
      await portray('till-keypad')
      await expectAccessible(page, 'light')
      await press('Clear')
      await page.keyboard.type('1250')
      await press('Charge $12.50')
      await reads('Waiting for the payment')
      await portray('till-sale')
      await expectAccessible(page, 'narrow')
      const first = await stage.choose((await newestSale()) as Sale)
      await stage.pay(first, 12_500_000n, 'transfer.seen')
      await reads('Wait for the green screen')
      expect([await background(page), await soundsPlayed()]).toEqual([expect.not.stringContaining(green), 0])
      await portray('till-detected')
      await stage.pay(first, 12_500_000n)
      await reads('Next customer')
      await expect.poll(() => background(page)).toBe(green)
      expect(await soundsPlayed()).toBeGreaterThan(0)
      await portray('till-paid')
      await expectAccessible(page, 'dark')
      // By the keyboard alone: the button for the next customer has the focus.
      await page.keyboard.press('Enter')
      bff.advance(1_000)
      await page.keyboard.type('2500')
      await page.keyboard.press('Enter')
      await reads('Waiting for the payment')
      const second = await stage.choose((await newestSale()) as Sale)
      await stage.pay(second, 10_000_000n)
      await reads('Partly paid: 10.00 USDC received, 15.00 USDC missing')
      await portray('till-partial')
      const rest = { ...transferTo(second, 15_000_000n), logIndex: 1, blockTimeMs: bff.nowMs() }
      await bff.deps.ledger.apply(second, { type: 'transfer.confirmed', transfer: rest, atMs: bff.nowMs() })
      await reads('Paid')
      await press('Next customer')
      await page.clock.setFixedTime(bff.nowMs())
      await press('Today')
      await reads('$37.50')
      await portray('till-day')
      await expectAccessible(page, 'light')
    },
    wrongPin,
  )
})

test('a till that asks for a token of its own shows its address, and the link on a tap; a sale is cancelled', async () => {
  await openDevice({ network: 'devnet', currency: 'USDC' }, async (visit) => {
    const { page, reads, press, portray } = visit
    await enterPin(visit)
    await page.keyboard.type('500')
    await page.keyboard.press('Enter')
    await reads('Send exactly 5.00')
    await portray('till-address')
    await press('Another coin or network')
    await reads('Back to 5.00')
    await press('Cancel the sale')
    await reads('Sale cancelled')
    await press('Next customer')
    await reads('0.00')
  })
})

test('without network the till says so, keeps the sale, creates it once, and shows nothing paid by itself', async () => {
  const lost = /ERR_INTERNET_DISCONNECTED|net::ERR/
  await openDevice(
    { priceCurrency: 'USD' },
    async (visit) => {
      const { page, reads, press, portray } = visit
      await reads('Enter the PIN')
      await enterPin(visit)
      const before = await countSales()
      await page.context().setOffline(true)
      await reads('No connection')
      await page.keyboard.type('700')
      await page.keyboard.press('Enter')
      await reads('The sale is kept and goes on by itself')
      await portray('till-offline')
      // The page may even be loaded again in between, from what the device has.
      await page.context().setOffline(false)
      await reads('Waiting for the payment')
      expect(await countSales()).toBe(before + 1)
      await page.context().setOffline(true)
      await reads('The sale is kept and goes on by itself')
      const payment = await stage.choose((await newestSale()) as Sale)
      await stage.pay(payment, 7_000_000n)
      expect(await background(page)).not.toBe(green)
      await page.context().setOffline(false)
      await expect.poll(() => background(page)).toBe(green)
      await press('Next customer')
    },
    lost,
  )
})

test('of two tabs of a till each has its own customer, also after one is loaded again', async () => {
  await openDevice({ priceCurrency: 'USD' }, async (visit) => {
    const { page, reads } = visit
    await enterPin(visit)
    await page.keyboard.type('400')
    await page.keyboard.press('Enter')
    await reads('Waiting for the payment')
    const second = await page.context().newPage()
    await second.goto(`${url}/till`)
    await second.getByText('$0.00').first().waitFor()
    await second.keyboard.type('500')
    await second.keyboard.press('Enter')
    await second.getByText('Waiting for the payment').waitFor()
    // The first tab reads its sale again in between.
    await page.waitForResponse((response) => response.url().includes('/till/sales/'))
    await second.reload()
    await second.getByText('$5.00').first().waitFor()
    await page.reload()
    await reads('$4.00')
    expect(await second.getByText('$4.00').count()).toBe(0)
  })
})

test('a till that is told to wait, or answered by a hotspot’s page, goes on following its sale', async () => {
  await openDevice(
    { priceCurrency: 'USD' },
    async (visit) => {
      const { page, reads, press } = visit
      await enterPin(visit)
      for (const answer of [
        { status: 429, json: { success: false, code: 'RATE_LIMITED', message: 'Too many calls.' } },
        { status: 200, contentType: 'text/html', body: '<title>Sign in to the network</title>' },
      ]) {
        await page.keyboard.type('300')
        await page.keyboard.press('Enter')
        await reads('Waiting for the payment')
        const isAnswered = page.waitForResponse((response) => response.url().includes('/till/sales/'))
        await page.route('**/till/sales/*', (route) => route.fulfill(answer), { times: 1 })
        await isAnswered
        await stage.pay(await stage.choose((await newestSale()) as Sale), 3_000_000n)
        await reads('Next customer')
        await expect.poll(() => background(page)).toBe(green)
        await press('Next customer')
        bff.advance(1_000)
      }
    },
    /status of 429/,
  )
})

test('Enter charges the amount, whatever was tapped before', async () => {
  await openDevice({ priceCurrency: 'USD' }, async (visit) => {
    const { page, reads, press } = visit
    await enterPin(visit)
    await page.getByRole('button', { name: 'Today' }).focus()
    await key(page, '600')
    await page.keyboard.press('Enter')
    await reads('$6.00')
    await reads('Waiting for the payment')
    await press('Cancel the sale')
    await press('Next customer')
    const held = await holdBack(page, 'GET', /\/till\/sales\?since=/)
    await press('Today')
    await held.isAnswered
    await page.keyboard.type('400')
    await page.keyboard.press('Enter')
    await reads('Waiting for the payment')
    await held.release()
  })
})

test('a sale that is cancelled before it was created leaves the keys', async () => {
  const lost = /ERR_INTERNET_DISCONNECTED|net::ERR/
  await openDevice(
    { priceCurrency: 'USD' },
    async (visit) => {
      const { page, reads, press } = visit
      await enterPin(visit)
      await page.context().setOffline(true)
      await key(page, '5')
      await press('Charge $0.05')
      await reads('The sale is kept and goes on by itself')
      await press('Cancel the sale')
      await reads('$0.00')
      await page.context().setOffline(false)
      await key(page, '600')
      await press('Charge $6.00')
      await reads('Waiting for the payment')
    },
    lost,
  )
})

test('a device that has no network when its link is opened is paired once it has', async () => {
  const token = stage.tokenOf(await stage.make({ priceCurrency: 'USD' }))
  const prepare = (page: Page) => page.route('**/till/pair', (route) => route.abort(), { times: 1 })
  const site = { url: `${url}/till#pair=${token}`, origins: [url], tolerated: /ERR_FAILED/, prepare }
  await browser.visit(site, async ({ reads, press }) => {
    await reads('No connection')
    await press('Try again')
    await reads('Enter the PIN')
  })
})

test('the list of the day that comes late does not take the place of a sale', async () => {
  await openDevice({ priceCurrency: 'USD' }, async (visit) => {
    const { page, reads, press } = visit
    await enterPin(visit)
    const held = await holdBack(page, 'GET', /\/till\/sales\?since=/)
    await press('Today')
    await held.isAnswered
    await page.keyboard.type('400')
    await press('Charge $4.00')
    await reads('Waiting for the payment')
    await held.release()
    await stage.pay(await stage.choose((await newestSale()) as Sale), 4_000_000n)
    await expect.poll(() => background(page)).toBe(green)
    await press('Next customer')
  })
})

/** What the till says below its screen. */
const notice = async (page: Page) => (await page.locator('.notice').textContent())?.trim()

test('what the till said while the service did not answer is gone once it answers', async () => {
  await openDevice(
    { priceCurrency: 'USD' },
    async (visit) => {
      const { page, reads, press } = visit
      await enterPin(visit)
      await page.keyboard.type('400')
      await page.route('**/till/sales?*', (route) => route.abort(), { times: 1 })
      await press('Today')
      await reads('No connection')
      await press('Charge $4.00')
      await reads('Waiting for the payment')
      expect(await notice(page)).toBe('')
      await page.route('**/cancel', (route) => route.abort(), { times: 1 })
      await press('Cancel the sale')
      await reads('No connection')
      await expect.poll(() => notice(page)).toBe('')
      await press('Cancel the sale')
      await reads('Sale cancelled')
      await press('Next customer')
      await page.route('**/till/sales', (route) => route.abort(), { times: 1 })
      await page.keyboard.type('500')
      await press('Charge $5.00')
      await reads('The sale is kept and goes on by itself')
      await press('Cancel the sale')
      await reads('$0.00')
      expect(await notice(page)).toBe('')
    },
    /ERR_FAILED/,
  )
})

test('a sale that is cancelled stays cancelled, whatever was asked before', async () => {
  await openDevice({ priceCurrency: 'USD' }, async (visit) => {
    const { page, reads, press } = visit
    await enterPin(visit)
    await page.keyboard.type('400')
    await press('Charge $4.00')
    await reads('Waiting for the payment')
    const held = await holdBack(page, 'GET', /\/till\/sales\//)
    await held.isAnswered
    await press('Cancel the sale')
    await reads('Sale cancelled')
    await held.release()
    expect(await page.getByText('Sale cancelled').count()).toBe(1)
  })
})

test('two presses pair a device once', async () => {
  const token = stage.tokenOf(await stage.make({ priceCurrency: 'USD' }))
  const prepare = (page: Page) => page.route('**/till/pair', (route) => route.abort(), { times: 1 })
  const site = { url: `${url}/till#pair=${token}`, origins: [url], tolerated: /ERR_FAILED/, prepare }
  await browser.visit(site, async ({ page, reads, press }) => {
    await reads('No connection')
    const held = await holdBack(page, 'POST', /\/till\/pair/)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await press('Try again')
    await held.isAnswered
    await press('Try again')
    await held.release()
    await reads('Enter the PIN')
    expect(asked.filter((one) => one.endsWith('/till/pair'))).toHaveLength(1)
  })
})

test('a sum that leaves out the first sales of the day says so', async () => {
  await openDevice({ priceCurrency: 'USD' }, async (visit) => {
    const { page, reads, press } = visit
    await enterPin(visit)
    await page.keyboard.type('400')
    await press('Charge $4.00')
    await reads('Waiting for the payment')
    await press('Cancel the sale')
    await press('Next customer')
    await page.clock.setFixedTime(bff.nowMs())
    await page.route('**/till/sales?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), isComplete: false } })
    })
    await press('Today')
    await reads('Total of the last 1 sales')
    expect(await page.getByText('Total today').count()).toBe(0)
  })
})

test('a receipt is opened from the till, mailed, printed on A4 and on a roll, and opened again a month later', async () => {
  await openDevice({ priceCurrency: 'USD' }, async (visit) => {
    const { page, reads, press, portray } = visit
    await enterPin(visit)
    await page.keyboard.type('400')
    await page.keyboard.press('Enter')
    await reads('Waiting for the payment')
    const payment = await stage.choose((await newestSale()) as Sale)
    await stage.pay(payment, 4_000_000n)
    const link = page.getByRole('link', { name: 'Print receipt' })
    const receipt = (await link.getAttribute('href')) ?? ''
    await page.goto(receipt)
    await reads('Receipt number')
    await reads('Corner Coffee')
    await portray('receipt')
    await expectAccessible(page, 'dark')
    const field = page.getByLabel('Get the receipt by e-mail')
    expect(await field.isVisible(), 'without the client secret').toBe(false)
    await page.goto(`${url}/pay/${payment}/receipt#client_secret=${bff.clientSecretOf(payment)}`)
    await field.fill('ada')
    await press('Send')
    await reads('Enter one e-mail address')
    await field.fill('ada@mail.example')
    await press('Send')
    await reads('The receipt is on its way to')
    expect(await field.count()).toBe(0)
    const shown = await page.locator('.receipt').textContent()
    for (const paper of [{ format: 'A4' }, { width: '80mm', height: '200mm' }]) {
      const pdf = await page.pdf(paper)
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      expect(pdf.length).toBeGreaterThan(5_000)
    }
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Print or save as PDF' }).isVisible()).toBe(false)
    expect(await page.locator('.receipt').textContent()).toContain('$4.00')
    await page.emulateMedia({ media: null })
    bff.advance(monthMs)
    await page.goto(receipt)
    await reads('Receipt number')
    expect(await page.locator('.receipt').textContent()).toBe(shown)
  })
})

async function countSales(): Promise<number> {
  const [row] = await bff.deps.db.read((tx) =>
    tx.all<{ count: number }>({ strings: ['select count(*) as count from till_sales'], params: [] } as never),
  )
  return row?.count ?? 0
}
