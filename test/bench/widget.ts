import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import { Hono } from 'hono'
import { type Browser, type CDPSession, chromium } from 'playwright-core'
import type { StorefrontConfig } from '../../demo/storefront/config.ts'
import { chromePath } from '../harness/chrome.mjs'
import { until } from '../harness/until.ts'
import type { Measure } from './fixtures.ts'
import { type Server, startServer } from './server.ts'

/** The name of a chunk with the hash of this build. */
function chunk(name: string): string {
  const pattern = new RegExp(`^stablecoin-checkout-${name}-[\\w-]{7}\\.js$`)
  const found = readdirSync(dist).find((file) => pattern.test(file))
  if (!found) throw new Error(`The element has no chunk ${name}.`)
  return found
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const dist = path('../../widget/dist/')
/** The script of a page and what it imports. */
const firstLoad = ['stablecoin-checkout.js', chunk('element')]
/** What a customer with a wallet in the browser has loaded besides when it is asked. */
const later = [chunk('screens'), chunk('en'), chunk('wallet-payments')]

/** Visits of each page on each line, taking turns, in a fresh browser context each. */
const visits = 7
/** A page that has not come by then is broken, not slow. */
const visitMaxMs = 15_000
const firstLoadMaxKb = 20
/** The code for wallets, on the tap. */
const toPayMaxKb = 20
/** The page behind a payment link: itself, the script, the payment, with all headers. */
const linkMaxKb = 25

/** A browser's connection and processor, and how much longer than by the hand-written page the QR code may take on it. */
type Line = { name: string; ratioMax: number; prepare(tab: CDPSession): Promise<unknown> }
const plain: Line = { name: 'plain', ratioMax: 1.3, prepare: async () => {} }
/** 150 ms there and back, 1.6 Mbit/s, a processor of a quarter of the speed. */
const slow4G: Line = {
  name: 'slow 4G',
  ratioMax: 1.5,
  async prepare(tab) {
    const bytesPerSecond = 1_600_000 / 8
    await tab.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
    await tab.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  },
}

const terms = { amount: '25.00', currency: 'USDC', network: 'devnet' }

const tagPage = (bff: Server) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title>
<link rel="icon" href="data:,"><script type="module" async src="${bff.url}/stablecoin-checkout.js"></script>
<stablecoin-checkout public-key="${bff.publicKey}" amount="25.00" currency="USDC" network="devnet"></stablecoin-checkout>`

type Pages = { url: string; close: () => void }

/** The hand-written page, and one with the tag. */
function servePages(bff: Server): Promise<Pages> {
  const app = new Hono()
  app.get('/hand-written', (c) => c.html(readFileSync(path('./hand-written.html'), 'utf8')))
  app.get('/tag', (c) => c.html(tagPage(bff)))
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() }),
    )
  })
}

/** The demo's shop, in a process of its own as in the demo. What would need a chain is never asked for. */
async function demoShop(bff: Server, folder: string): Promise<Pages> {
  const { shortName, name, chainId } = devnetFacts
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const config: StorefrontConfig = {
    port,
    bff: bff.url,
    origin: url,
    publicKey: bff.publicKey,
    apiKey: bff.apiKey,
    apiSecret: bff.apiSecret,
    webhookSecret: '',
    journalPath: null,
    scriptPath: `${dist}stablecoin-checkout.js`,
    networks: [{ shortName, name, chainId, rpcUrl: 'http://127.0.0.1:1', tokens: {} }],
    customerPrivateKey: '0x1',
  }
  const configPath = join(folder, 'shop.json')
  writeFileSync(configPath, JSON.stringify(config))
  const env = { ...process.env, STOREFRONT_CONFIG: configPath }
  const child = fork(path('../../demo/dist/storefront.js'), { env })
  await Promise.race([
    until('the shop to answer', async () => (await fetch(`${url}/health`)).ok),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The shop ended with ${code}`))),
  ])
  return { url, close: () => void child.kill('SIGKILL') }
}

/** Scripts for the page, as text: the development runner would add its own helpers to functions. */
const qrVisible = `new Promise((resolve, reject) => {
  const poll = () => {
    const element = document.querySelector('stablecoin-checkout')?.shadowRoot?.querySelector('[part="qr"]:not([inert] *)')
    if (element ?? document.getElementById('qr')) resolve(performance.now())
    else if (performance.now() > ${visitMaxMs}) reject(new Error('No QR code: ' + document.body.innerText))
    else requestAnimationFrame(poll)
  }
  poll()
})`

/**
 * Milliseconds from navigation to the frame in which the QR code stands. The page polls by itself from its start: asked from
 * outside after it has loaded, it would count the way of the question.
 */
async function visit(browser: Browser, url: string, { prepare }: Line): Promise<number> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await prepare(await context.newCDPSession(tab))
    await tab.addInitScript(`window.qrAtMs = ${qrVisible}`)
    await tab.goto(url, { waitUntil: 'commit' })
    return await tab.evaluate<number>('window.qrAtMs')
  } finally {
    await context.close()
  }
}

/** A payment that was made on the server: what a link shows. */
async function makePayment({ url, publicKey }: Server): Promise<string> {
  const answer = await fetch(`${url}/api/v1/deposits/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': publicKey },
    body: JSON.stringify(terms),
  })
  const { payment } = (await answer.json()) as { payment: { id: string } }
  return payment.id
}

/** What comes over the wire until the QR code stands, headers included. On a slow line, where nothing later is there at once. */
async function weigh(browser: Browser, url: string, { prepare }: Line): Promise<{ kb: number; requests: number }> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const network = await context.newCDPSession(tab)
    await network.send('Network.enable')
    await prepare(network)
    const sizes: number[] = []
    network.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
    await tab.addInitScript(`window.qrAtMs = ${qrVisible}`)
    await tab.goto(url, { waitUntil: 'commit' })
    await tab.evaluate<number>('window.qrAtMs')
    return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1000, requests: sizes.length }
  } finally {
    await context.close()
  }
}

/** How soon a customer sees the QR code on each page, against the hand-written one. */
async function compare(browser: Browser, pages: ReadonlyMap<string, string>, line: Line): Promise<Measure[]> {
  const times = new Map([...pages.keys()].map((name) => [name, [] as number[]]))
  for (let count = 0; count < visits; count++)
    for (const [name, url] of pages) times.get(name)?.push(await visit(browser, url, line))
  const [base = 0, ...others] = [...times.values()].map(median)
  const ms = (name: string, value: number) => ({
    name: `QR code visible, ${line.name}`,
    case: name,
    value: Math.round(value),
    unit: 'ms',
  })
  const names = [...pages.keys()].slice(1)
  return [
    ms(handWritten, base),
    ...names.flatMap((name, index) => {
      const value = others[index] ?? 0
      const ratio = Math.round((value / base) * 100) / 100
      return [
        ms(name, value),
        { ...atMost(`QR code visible, ${line.name}`, ratio, 'x', line.ratioMax), case: name, ratioTo: handWritten },
      ]
    }),
  ]
}

const handWritten = 'hand-written page'

const gzipKb = (name: string): number => gzipSync(readFileSync(`${dist}${name}`), { level: 9 }).length / 1000
const round = (value: number): number => Math.round(value * 10) / 10

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Weight of the first load and of paying, and how soon a customer sees the QR code: in shops, and by a payment link. */
export async function benchWidget(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const bff = await startServer('service', [join(folder, 'widget.sqlite'), dist])
  const [shops, demo] = await Promise.all([servePages(bff), demoShop(bff, folder)])
  const browser = await chromium.launch({ ...(await chromePath()) })
  try {
    const link = `${bff.url}/pay/${await makePayment(bff)}`
    const query = new URLSearchParams({ service: bff.url, publicKey: bff.publicKey, ...terms })
    const pages = new Map([
      [handWritten, `${shops.url}/hand-written?${query}`],
      ['demo shop', `${demo.url}/checkout?product=beans`],
      ['tag with a public key', `${shops.url}/tag`],
      ['payment link', link],
    ])
    const wire = await weigh(browser, link, slow4G)
    const compared: Measure[] = []
    for (const line of [plain, slow4G]) compared.push(...(await compare(browser, pages, line)))
    return [
      atMost('first load, gzip', sumOf(firstLoad), 'kB', firstLoadMaxKb),
      atMost('wallet code, gzip', sumOf([chunk('wallet-payments')]), 'kB', toPayMaxKb),
      {
        name: 'all that is loaded when a wallet is asked, gzip',
        unit: 'kB',
        value: sumOf([...firstLoad, ...later]),
      },
      atMost('payment link until the QR code is visible, on the wire', round(wire.kb), 'kB', linkMaxKb),
      { name: 'payment link until the QR code is visible', value: wire.requests, unit: 'requests' },
      ...compared,
    ]
  } finally {
    await browser.close()
    shops.close()
    demo.close()
    bff.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const sumOf = (names: readonly string[]): number => round(names.reduce((sum, name) => sum + gzipKb(name), 0))

const atMost = (name: string, value: number, unit: string, max: number): Measure => ({
  name,
  value,
  unit,
  target: `<= ${max}`,
  isGood: value <= max,
})
