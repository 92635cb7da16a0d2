import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const element = path('../../widget/dist/stablecoin-checkout.js')

/** Visits of each page, taking turns, in a fresh browser context each. */
const visits = 15
/** A page that has not come by then is broken, not slow. */
const visitMaxMs = 15_000
const firstLoadMaxKb = 15
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
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><script async src="${script}"></script>${body}`

async function servePages(bff: string, publicKey: string) {
  const [lit, widget] = [await emptyLitScript(), readFileSync(element, 'utf8')]
  const app = new Hono()
  const script = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/javascript' } })
  app.get('/lit.js', () => script(lit))
  app.get('/widget.js', () => script(widget))
  app.get('/lit', (c) => c.html(page('/lit.js', '<x-empty></x-empty>')))
  const attributes = `api-base="${bff}" public-key="${publicKey}" amount="25.00" currency="USDC" network="devnet"`
  app.get('/widget', (c) => c.html(page('/widget.js', `<stablecoin-checkout ${attributes}></stablecoin-checkout>`)))
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
const qrVisible = untilThere(
  `document.querySelector('stablecoin-checkout')?.shadowRoot?.querySelector('[part="qr"]')`,
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

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Weight of the first load, and how soon a customer sees the QR code. */
export async function benchWidget(): Promise<Measure[]> {
  const kb = gzipSync(readFileSync(element), { level: 9 }).length / 1000
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const bff = await startServer('service', [join(folder, 'widget.sqlite')])
  const pages = await servePages(bff.url, bff.publicKey)
  const browser = await chromium.launch({ ...(await chromePath()) })
  try {
    const [lit, qr]: [number[], number[]] = [[], []]
    for (let count = 0; count < visits; count++) {
      lit.push(await visit(browser, `${pages.url}/lit`, firstPaint))
      qr.push(await visit(browser, `${pages.url}/widget`, qrVisible))
    }
    const ratio = Math.round((median(qr) / median(lit)) * 100) / 100
    return [
      {
        name: 'widget: first load, gzip',
        value: Math.round(kb * 10) / 10,
        unit: 'kB',
        target: `<= ${firstLoadMaxKb}`,
        isGood: kb <= firstLoadMaxKb,
      },
      { name: 'widget: empty Lit page, first paint', value: Math.round(median(lit)), unit: 'ms' },
      { name: 'widget: QR code visible', value: Math.round(median(qr)), unit: 'ms' },
      {
        name: 'widget: QR visible / empty Lit page',
        value: ratio,
        unit: 'x',
        target: `<= ${timeMax}`,
        isGood: ratio <= timeMax,
      },
    ]
  } finally {
    await browser.close()
    pages.close()
    bff.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
