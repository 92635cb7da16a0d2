import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'rolldown'
import { chromePath } from '../harness/chrome.mjs'
import type { Measure } from './fixtures.ts'
import { startServer } from './server.ts'

/** The name of a chunk with the hash of this build. */
function chunk(name: string): string {
  const pattern = new RegExp(`^stablecoin-checkout-${name}-[\\w-]{8}\\.js$`)
  const found = readdirSync(path('../../widget/dist/')).find((file) => pattern.test(file))
  if (!found) throw new Error(`The element has no chunk ${name}.`)
  return found
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const dist = path('../../widget/dist/')
/** The script of a page and what it imports. */
const firstLoad = ['stablecoin-checkout.js', chunk('element')]
/** What a customer with a wallet in the browser has loaded besides when it is asked. */
const later = [chunk('screens'), chunk('en'), chunk('wallet-payments')]

/** Visits of each page, taking turns, in a fresh browser context each. */
const visits = 15
/** A page that has not come by then is broken, not slow. */
const visitMaxMs = 15_000
const firstLoadMaxKb = 20
/** The code for wallets, on the tap. */
const toPayMaxKb = 20
/** The page behind a payment link: itself, the script, the payment, with all headers. */
const linkMaxKb = 25
const timeMax = 1.5

/** A page with Lit and one word: what nobody who uses Lit can be faster than. */
async function emptyLitScript(): Promise<string> {
  const source = `import { html, LitElement } from 'lit'
customElements.define('x-empty', class extends LitElement { render() { return html\`Hello\` } })`
  const { output } = await build({
    input: 'entry',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? path('./entry.js') : null),
        load: (id) => (id === path('./entry.js') ? source : null),
      },
    ],
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code
}

const page = (script: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><script type="module" async src="${script}"></script>${body}`

async function servePages(bff: string, publicKey: string) {
  const lit = await emptyLitScript()
  const app = new Hono()
  const script = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/javascript' } })
  app.get('/lit.js', () => script(lit))
  app.get('/:file{stablecoin-checkout.*}', (c) => script(readFileSync(`${dist}${c.req.param('file')}`, 'utf8')))
  app.get('/lit', (c) => c.html(page('/lit.js', '<x-empty></x-empty>')))
  const attributes = `api-base="${bff}" public-key="${publicKey}" amount="25.00" currency="USDC" network="devnet"`
  app.get('/widget', (c) =>
    c.html(page('/stablecoin-checkout.js', `<stablecoin-checkout ${attributes}></stablecoin-checkout>`)),
  )
  return await new Promise<{ url: string; close: () => void }>((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() }),
    )
  })
}

/** Scripts for the page, as text: the development runner would add its own helpers to functions. */
const untilThere = (there: string, then: string) => `new Promise((resolve, reject) => {
  const look = () => {
    const found = ${there}
    if (found) resolve(${then})
    else if (performance.now() > ${visitMaxMs}) reject(new Error('It never came: ' + document.body.innerText))
    else requestAnimationFrame(look)
  }
  look()
})`
const firstPaint = untilThere(`performance.getEntriesByName('first-contentful-paint')[0]`, 'found.startTime')
/** The code itself: the skeleton, which comes before the payment, has one too. */
const qrVisible = untilThere(
  `document.querySelector('stablecoin-checkout')?.shadowRoot?.querySelector('[part="qr"]:not([inert] *)')`,
  'performance.now()',
)

/**
 * Milliseconds from navigation to the first paint, or to the frame in which the QR code stands. The page looks for itself
 * from its start: asked from outside after it has loaded, it would count the way of the question.
 */
async function visit(browser: Browser, url: string, script: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await tab.addInitScript(`window.seenAtMs = ${script}`)
    await tab.goto(url)
    return await tab.evaluate<number>('window.seenAtMs')
  } finally {
    await context.close()
  }
}

/** A payment that was made on the server: what a link shows. */
async function makePayment(bff: string, publicKey: string): Promise<string> {
  const answer = await fetch(`${bff}/api/v1/deposits/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': publicKey },
    body: JSON.stringify({ amount: '25.00', currency: 'USDC', network: 'devnet' }),
  })
  const { payment } = (await answer.json()) as { payment: { id: string } }
  return payment.id
}

/** What comes over the wire until the QR code stands, headers included. */
async function weigh(browser: Browser, url: string): Promise<{ kb: number; requests: number }> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const network = await context.newCDPSession(tab)
    await network.send('Network.enable')
    const sizes: number[] = []
    network.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
    await tab.addInitScript(`window.seenAtMs = ${qrVisible}`)
    await tab.goto(url)
    await tab.evaluate<number>('window.seenAtMs')
    return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1000, requests: sizes.length }
  } finally {
    await context.close()
  }
}

const gzipKb = (name: string): number => gzipSync(readFileSync(`${dist}${name}`), { level: 9 }).length / 1000
const round = (value: number): number => Math.round(value * 10) / 10

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Weight of the first load and of paying, and how soon a customer sees the QR code, in a shop and by a payment link. */
export async function benchWidget(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const bff = await startServer('service', [join(folder, 'widget.sqlite'), dist])
  const pages = await servePages(bff.url, bff.publicKey)
  const browser = await chromium.launch({ ...(await chromePath()) })
  try {
    const link = `${bff.url}/pay/${await makePayment(bff.url, bff.publicKey)}`
    const times = { lit: [] as number[], shop: [] as number[], link: [] as number[] }
    for (let count = 0; count < visits; count++) {
      times.lit.push(await visit(browser, `${pages.url}/lit`, firstPaint))
      times.shop.push(await visit(browser, `${pages.url}/widget`, qrVisible))
      times.link.push(await visit(browser, link, qrVisible))
    }
    const wire = await weigh(browser, link)
    return [
      atMost('widget: first load, gzip', sumOf(firstLoad), 'kB', firstLoadMaxKb),
      atMost('widget: wallet code, gzip', sumOf([chunk('wallet-payments')]), 'kB', toPayMaxKb),
      {
        ...{ name: 'widget: all that is loaded when a wallet is asked, gzip', unit: 'kB' },
        value: sumOf([...firstLoad, ...later]),
      },
      atMost('widget: payment link until the QR code is visible, on the wire', round(wire.kb), 'kB', linkMaxKb),
      { name: 'widget: payment link until the QR code is visible', value: wire.requests, unit: 'requests' },
      { name: 'widget: empty Lit page, first paint', value: Math.round(median(times.lit)), unit: 'ms' },
      { name: 'widget: QR code visible', value: Math.round(median(times.shop)), unit: 'ms' },
      { name: 'widget: QR code visible by a payment link', value: Math.round(median(times.link)), unit: 'ms' },
      atMost('widget: QR visible / empty Lit page', ratio(times.shop, times.lit), 'x', timeMax),
      atMost('widget: QR visible by a payment link / empty Lit page', ratio(times.link, times.lit), 'x', timeMax),
    ]
  } finally {
    await browser.close()
    pages.close()
    bff.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const sumOf = (names: readonly string[]): number => round(names.reduce((sum, name) => sum + gzipKb(name), 0))

const ratio = (values: number[], yardstick: number[]): number =>
  Math.round((median(values) / median(yardstick)) * 100) / 100

const atMost = (name: string, value: number, unit: string, max: number): Measure => ({
  ...{ name, value, unit },
  ...{ target: `<= ${max}`, isGood: value <= max },
})
