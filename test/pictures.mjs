// Makes the pictures of README.md and docs/dashboard.md from the running demo, and names them for the test that looks after them.
// `npm run pictures` makes all of them, `npm run pictures -- payments home` two.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { chromePath } from './harness/chrome.mjs'
import { pictures } from './picture-list.mjs'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const run = fileURLToPath(new URL('../demo/run.mjs', import.meta.url))

/** The start builds what is old, and a machine may be busy. */
const startWithinMs = 300_000
const pictureWithinMs = 60_000
/** A picture is sharp on a screen of high density, and still small. */
const density = 1.5
const quality = 80

const wanted = process.argv.slice(2)
const chosen = pictures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (chosen.length === 0)
  throw new Error(`There is no such picture; there are ${pictures.map(({ name }) => name).join(', ')}.`)

const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const demo = spawn(process.execPath, [run], {
  env: { ...process.env, DEMO_FOLDER: folder },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const ended = once(demo, 'exit')
try {
  await makePictures(await startedDemo())
} finally {
  demo.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

async function startedDemo() {
  const path = join(folder, '.state.json')
  const deadlineMs = Date.now() + startWithinMs
  while (!existsSync(path)) {
    if (demo.exitCode !== null || Date.now() > deadlineMs) throw new Error('The demo did not start.')
    await sleep(100)
  }
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function makePictures(state) {
  const { executablePath, args } = await chromePath()
  const browser = await chromium.launch({ executablePath, args })
  try {
    // The link works once: what it stores is given to every page.
    const first = await browser.newContext({ locale: 'en-US' })
    const page = await first.newPage()
    await page.goto(state.dashboard)
    await page.getByRole('heading', { name: 'Home' }).waitFor({ timeout: pictureWithinMs })
    const signedIn = await first.storageState()
    await first.close()
    for (const picture of chosen) await makePicture(browser, { state, signedIn, picture })
  } finally {
    await browser.close()
  }
}

async function makePicture(browser, { state, signedIn, picture }) {
  const { name, theme = 'light', width = 1200, height = 800, isSignedOut = false, open } = picture
  const context = await browser.newContext({
    locale: 'en-US',
    colorScheme: theme,
    reducedMotion: 'reduce',
    viewport: { width, height },
    deviceScaleFactor: density,
    ...(!isSignedOut && { storageState: signedIn }),
  })
  context.setDefaultTimeout(pictureWithinMs)
  try {
    const page = await context.newPage()
    await open(page, { ...state, dashboard: `${new URL(state.dashboard).origin}/dashboard/` })
    await page.waitForLoadState('load')
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ animations: 'disabled' })
    const devtools = await context.newCDPSession(page)
    // Playwright itself writes no WebP.
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    writeFileSync(join(docs, `${name}.webp`), bytes)
    process.stdout.write(`docs/${name}.webp  ${Math.ceil(bytes.length / 1000)} kB\n`)
  } finally {
    await context.close()
  }
}
