import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isNightly } from '@stablecoin-checkout/rig/nightly'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { chromePath } from './chrome.mjs'
import { until } from './until.ts'

const screens = fileURLToPath(new URL('../.results/screens/', import.meta.url))

const desktop = { width: 1100, height: 900 }
/** The narrowest screen that pages must support (WCAG 1.4.10). */
const narrow = { width: 320, height: 640 }

/** A look in which a page is checked. */
export type Look = 'light' | 'dark' | 'narrow'
export const looks: Readonly<Record<Look, { colorScheme: 'light' | 'dark'; viewport: typeof desktop }>> = {
  light: { colorScheme: 'light', viewport: desktop },
  dark: { colorScheme: 'dark', viewport: desktop },
  narrow: { colorScheme: 'light', viewport: narrow },
}

/**
 * Nightly runs save all screenshots; `SCREENSHOTS=refund` saves those with that text in their name. They assert nothing, and take
 * half of a story's time.
 */
const wantedScreenshots = process.env['SCREENSHOTS']
export const savesScreenshot = (name: string): boolean =>
  wantedScreenshots === undefined ? isNightly : name.includes(wantedScreenshots)

export type Site = {
  url: string
  /** The only origins that the page may call. */
  origins: readonly string[]
  /** Console messages to ignore. By default, any error fails the test. */
  tolerated?: RegExp
  /** Prepares the page before it is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

/** Browser messages about a service that dies while responding, is away, or has not yet verified a network after a restart. */
export const serviceAway =
  /ERR_(CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)|status of 503/

/** Far more than anything on a page takes, because the machine may be busy. */
const patienceMs = 60_000

/** Short compared with the time to pay, which must not run out while the page waits. */
const aheadMs = 500

/** A customer at a screen. */
export type Visit = {
  page: Page
  /** The deposit address in the element, which identifies the payment. */
  address(): Promise<string>
  amount(): Promise<string>
  title(): Promise<string | null>
  orderId(): string
  /** Waits for a text on the page. */
  reads(words: string | RegExp): Promise<void>
  /** `reads` while the page's clock runs ahead, after `page.clock.install()`: delayed retries happen immediately. */
  readsAhead(words: string): Promise<void>
  press(button: string): Promise<void>
  /**
   * Verifies that the page does not scroll sideways, neither wide nor as narrow as a small phone. Saves screenshots if requested.
   */
  portray(name: string): Promise<void>
}

/**
 * One browser for all files of the worker, which share its modules; a visit's context has no traces of another. Playwright ends
 * it with the process.
 */
let launched: Promise<Browser> | undefined

async function launch(): Promise<Browser> {
  const { executablePath, args } = await chromePath()
  // Without a process per site and page: a page reuses what an earlier one has compiled.
  const isShared = ['--disable-site-isolation-trials', '--renderer-process-limit=1']
  return await chromium.launch({ executablePath, args: [...args, ...isShared], timeout: patienceMs })
}

export async function openBrowser() {
  if (launched && !(await launched).isConnected()) launched = undefined
  launched ??= launch()
  const browser = await launched
  // Closes whatever a file has left open.
  afterAll(async () => {
    free.length = 0
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  return {
    visit: (site: Site, use: (visit: Visit) => Promise<void>) => visit(browser, site, use),
    /** Reads an image's pixels: for each of `points`, whether it is dark. */
    async readDarkness(png: Buffer, points: readonly (readonly [x: number, y: number])[]): Promise<boolean[]> {
      const page = await browser.newPage()
      try {
        return await page.evaluate(darkness, { source: `data:image/png;base64,${png.toString('base64')}`, points })
      } finally {
        await page.close()
      }
    },
  }
}

/** Runs in a page. `points` are fractions of the image's width and height. */
async function darkness({ source, points }: { source: string; points: readonly (readonly [number, number])[] }) {
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  context.drawImage(image, 0, 0)
  return points.map(([x, y]) => {
    const [red = 0, green = 0, blue = 0] = context.getImageData(
      Math.floor(x * image.width),
      Math.floor(y * image.height),
      1,
      1,
    ).data
    return red + green + blue < 3 * 128
  })
}

/** A browser context, and what must be cleaned before its next visit. */
type Room = {
  context: BrowserContext
  /** Keeps the context's process alive between two visits. */
  blank: Page
  /** Origins of its pages. */
  origins: Set<string>
  /** Whether it was changed irreversibly. */
  isSpoiled: boolean
}

/** Unused contexts of this file. A visit in a new one takes twice as long: it loads and compiles all files of the page again. */
const free: Room[] = []

const undone = ['addInitScript', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket', 'setOffline'] as const
const undoneOfClock = [
  'install',
  'fastForward',
  'pauseAt',
  'resume',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const

/** `SLOW_PAGES=6`: how many times slower pages run, so that a story fails that does not wait for what it needs. */
const slowdown = Number(process.env['SLOW_PAGES'] ?? 1)

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

async function openRoom(browser: Browser): Promise<Room> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: desktop,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(patienceMs)
  // A page that is closed already needs none.
  if (slowdown > 1) context.on('page', (page) => void slowDown(page).catch(() => {}))
  const room: Room = { context, blank: await context.newPage(), origins: new Set(), isSpoiled: false }
  const spoilBy = <Of extends object>(target: Of, names: readonly (keyof Of)[]) => {
    for (const name of names) {
      const original = target[name] as (...args: unknown[]) => unknown
      const noted = (...args: unknown[]) => {
        room.isSpoiled = true
        return original.apply(target, args)
      }
      Object.assign(target, { [name]: noted })
    }
  }
  spoilBy(context, undone)
  spoilBy(context.clock, undoneOfClock)
  return room
}

/** A page without traces of earlier ones, except for files in the browser's cache. */
async function openPage({ context, origins }: Room): Promise<Page> {
  const page = await context.newPage()
  if (origins.size === 0) return page
  await context.clearCookies()
  const devtools = await context.newCDPSession(page)
  for (const origin of origins) await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
  origins.clear()
  return page
}

async function leave(room: Room): Promise<void> {
  const { context, blank, isSpoiled } = room
  // A response that a handler still waits for is no fault of the story.
  const routed = [context, ...context.pages()]
  await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
  if (isSpoiled) return await context.close()
  await Promise.all(context.pages().map((page) => page === blank || page.close()))
  free.push(room)
}

async function visit(
  browser: Browser,
  { url, origins, tolerated, prepare }: Site,
  use: (visit: Visit) => Promise<void>,
) {
  const room = free.pop() ?? (await openRoom(browser))
  const page = await openPage(room)
  const faults: string[] = []
  // Violations of the content security policy also appear in the console.
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    room.origins.add(origin)
    if (protocol !== 'data:' && !origins.includes(origin)) faults.push(`request to ${request.url()}`)
  })
  try {
    await prepare?.(page)
    await page.goto(url)
    await use(customerOn(page))
    const unexpected = faults.filter((fault) => !tolerated?.test(fault))
    expect(unexpected, unexpected.join('\n')).toEqual([])
  } finally {
    await leave(room)
  }
}

/** Excludes the placeholder shown while a payment is created: it has the same text, and an address of zeros. */
const live = ':not([inert] *)'

function customerOn(page: Page): Visit {
  const part = async (name: string) =>
    (await page.locator(`stablecoin-checkout [part~=${name}]${live}`).textContent())?.trim() ?? ''
  const shown = (words: string | RegExp) =>
    page.getByText(words).and(page.locator(live)).filter({ visible: true }).first()
  return {
    page,
    address: async () => (await part('address')).replace(/\s/g, ''),
    amount: async () => (await part('amount')).replace(/\s+/g, ' '),
    title: async () => {
      const title = page.locator('stablecoin-checkout .title')
      return (await title.count()) > 0 ? await title.textContent() : null
    },
    orderId: () => new URL(page.url()).searchParams.get('order') ?? '',
    reads: async (words) => await shown(words).waitFor(),
    async readsAhead(words) {
      await until(`the page to say "${words}"`, async () => {
        if (await shown(words).isVisible()) return true
        await page.clock.fastForward(aheadMs)
        return false
      })
    },
    press: async (button) => await page.getByRole('button', { name: button }).click(),
    async portray(name) {
      const isSaved = savesScreenshot(name)
      for (const [look, { colorScheme, viewport }] of Object.entries(looks)) {
        // Colours do not affect a page's width.
        if (look === 'dark' && !isSaved) continue
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        if (isSaved) {
          mkdirSync(screens, { recursive: true })
          await page.evaluate(() => window.scrollTo(0, 0))
          await page.screenshot({ path: `${screens}${name}.${look}.png`, fullPage: true, animations: 'disabled' })
        }
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow, `${name} must not scroll sideways (${look})`).toBeLessThanOrEqual(0)
        if (look !== 'narrow') continue
        const lists = await page
          .locator('.scroll')
          .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
        expect(
          lists.filter((cut) => cut > 0),
          `no list of ${name} is cut on a telephone`,
        ).toEqual([])
      }
      await page.emulateMedia({ colorScheme: null })
      await page.setViewportSize(desktop)
    },
  }
}
