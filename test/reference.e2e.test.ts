import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { type Look, openBrowser, type Visit } from './harness/browser.ts'
import { openShell } from './harness/shell-docs.ts'
import { openStory } from './harness/story.ts'

const { bff, folder } = await openStory('reference')
const browser = await openBrowser()

/** Any request to another host, and every refusal of the page's policy, fails the visit. */
const open = (path: string, use: (reader: Visit) => Promise<void>) =>
  browser.visit({ url: `${bff.url()}${path}`, origins: [bff.url()] }, use)

const openAllDetails = () => {
  for (const details of document.querySelectorAll('details')) details.open = true
}

// Pages that have every part, and few operations: axe takes a second for each.
test.each<[path: string, look: Look]>([
  ['/docs', 'light'],
  ['/docs', 'dark'],
  ['/docs/links', 'narrow'],
  ['/docs/links', 'dark'],
])('%s is accessible (%s)', (path, look) =>
  open(path, async ({ page }) => {
    await page.evaluate(openAllDetails)
    await expectAccessible(page, look)
  }),
)

test('every page fits the narrowest screen, has no script, and asks no other host', () =>
  open('/docs', async ({ page, portray }) => {
    const paths = await page
      .locator('nav a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(paths.length).toBeGreaterThan(9)
    for (const path of paths) {
      await page.goto(`${bff.url()}${path}`)
      await page.evaluate(openAllDetails)
      await portray(`reference-${path.split('/').at(-1)}`)
      expect(await page.evaluate(() => document.scripts.length)).toBe(0)
    }
  }))

test('it is dark where the browser is, and the keyboard reaches the content past the navigation', () =>
  open('/docs', async ({ page }) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await background()).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).toBe('rgb(21, 23, 28)')
    await page.keyboard.press('Tab')
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
    expect(await focused()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('#quickstart') !== null)).toBe(true)
  }))

test('who types the quickstart creates a payment, reads it, and completes one without money', () =>
  open('/docs', async ({ page }) => {
    const [create = '', read = '', sandbox = ''] = await page
      .locator('#quickstart code[data-language=sh]')
      .allTextContents()
    const home = join(folder, 'reader')
    mkdirSync(home)
    const { apiKey, apiSecret, testPublicKey } = bff.merchant
    const shell = openShell(home, { API_KEY: apiKey, API_SECRET: apiSecret, TEST_KEY: testPublicKey })
    async function run(command: string) {
      const { exitCode, stdout, stderr } = await shell.run(
        command.replaceAll('"network": "base"', '"network": "devnet"'),
        '',
      )
      expect([exitCode, stderr]).toEqual([0, ''])
      return JSON.parse(stdout) as { payment: { id: string; outcome: string; isTest: boolean } }
    }
    const { payment } = await run(create)
    expect(await run(`PAYMENT=${payment.id}\n${read}`)).toMatchObject({
      payment: { id: payment.id, outcome: 'pending' },
    })
    const [createTest = '', complete = ''] = sandbox.split('\n\n')
    const { payment: test } = await run(createTest)
    expect(await run(`PAYMENT=${test.id}\n${complete}`)).toMatchObject({ payment: { outcome: 'paid', isTest: true } })
  }))
