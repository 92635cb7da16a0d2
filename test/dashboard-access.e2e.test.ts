import { pngOf } from '@stablecoin-checkout/rig/pictures'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { ownConnection, runBeside } from './harness/bff.ts'
import { openBrowser, type Site } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openPages, pageOf } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-access')
const { bff, files } = story
const browser = await openBrowser()
const url = bff.url().replace('127.0.0.1', 'localhost')

/** A text that becomes a script where somebody writes it as HTML. */
const hostile = '<img src=x onerror="window.hacked=true">'

/** A telephone's passkeys, unlocked by its owner, as Chromium plays them. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
}

async function invitation(args: readonly string[] = []): Promise<string> {
  const run = await runBeside(['dashboard', 'invite', ...args, '--json'], files.env, files.program)
  if (run.exitCode !== 0) throw new Error(`Nobody could be invited:\n${run.stderr}`)
  const { hash } = new URL((JSON.parse(run.stdout) as { link: string }).link)
  return `${url}/dashboard${hash}`
}

/** A browser with a telephone; whoever is not signed in is answered 401, which stands in the console. */
const at = (path: string): Site => ({
  url: path,
  origins: [url],
  tolerated: /40[13]/,
  prepare: addAuthenticator,
})

const cookieOf = async (page: Page) =>
  (await page.context().cookies(url)).find(({ name }) => name === 'checkout-session')

/** What the page itself would be answered, with the session's cookie. */
const askIn = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ({ method, path, body }) => {
      const init = {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }
      const response = await fetch(`/api/v1${path}`, init)
      const { code } = (await response.json()) as { code?: string }
      return [response.status, code]
    },
    { method, path, body },
  )

const notHacked = async (page: Page) => expect(await page.evaluate(() => 'hacked' in window)).toBe(false)

/** Fills in what hosted pages show, and reads the preview. */
async function brand(page: Page): Promise<void> {
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: pngOf(900, 600) }
  const preview = page.getByRole('figure', { name: 'Preview on a light page' })
  await page.getByLabel('Logo').setInputFiles({ ...file, buffer: Buffer.from('<svg/>') })
  await page.getByText('This file isn’t a picture').waitFor()
  await page.getByLabel('Logo').setInputFiles(file)
  await preview.locator('img').waitFor()
  await page.getByLabel('Colour of buttons').fill('#ffd400')
  await page.getByText('Too pale for a light page: #836d00 is used there.').waitFor()
  await expect
    .poll(() => preview.locator('.pay').evaluate((one) => getComputedStyle(one).backgroundColor))
    .toBe('rgb(131, 109, 0)')
  await page.getByLabel('Link to your terms').fill('https://shop.example/terms?<b>')
}

test('an owner makes a passkey from the link, signs in with it again, and manages keys, people and wallets', async () => {
  const link = await invitation(['--name', hostile])
  await browser.visit(at(link), async ({ page, reads, press, portray }) => {
    await page.context().addCookies([{ name: 'checkout-session', value: 'A'.repeat(43), url }])
    await reads('You are invited to Corner Coffee')
    // The token stands in no address any more.
    expect(page.url()).toBe(`${url}/dashboard/sign-in`)
    await expectAccessible(page, 'light')
    await press('Create a passkey')
    await reads(hostile)
    const first = await cookieOf(page)
    expect(first).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(first?.value).not.toMatch(/^A+$/)

    await page.locator('.person summary').click()
    await press('Sign out')
    await press('Sign in with a passkey')
    await reads(hostile)
    expect((await cookieOf(page))?.value).not.toBe(first?.value)
    const replayed = await fetch(`${url}/api/v1/dashboard/session`, {
      headers: { cookie: `checkout-session=${first?.value}`, ...ownConnection },
    })
    expect(replayed.status).toBe(401)

    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByLabel('Kind').selectOption({ label: 'API key with secret' })
    await press('Create a key')
    await reads('The secret is shown once')
    const secret = await page.locator('[data-secret]').textContent()
    expect(secret).toMatch(/^sk_/)
    await expectAccessible(page, 'dark')
    await portray('dashboard-keys')

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByLabel('Name', { exact: true }).fill(`Bob ${hostile}`)
    await press('Invite')
    await page.locator('[data-link]').waitFor()
    await expectAccessible(page, 'narrow')
    await portray('dashboard-people')

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name shown to customers').fill(`Café ${hostile}`)
    await page.getByLabel('Percent').fill('1.15')
    await page.getByLabel('But no more than').fill('2.00')
    await press('Save')
    await reads('Saved for payments')
    await page.reload()
    await expect.poll(() => page.getByLabel('Percent').inputValue()).toBe('1.15')
    expect(await page.getByLabel('But no more than').inputValue()).toBe('2.00')
    await portray('dashboard-settings')
    await page.getByRole('link', { name: 'Your page' }).click()
    await brand(page)
    await press('Publish')
    await reads('Saved. Customers see it now.')
    await portray('dashboard-branding')
    await page.getByRole('link', { name: 'Wallets' }).click()
    const account = privateKeyToAccount(generatePrivateKey())
    await page.getByRole('listitem').filter({ hasText: '0x' }).first().getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New wallet on').fill(account.address)
    await press('Continue')
    const message = (await page.locator('[data-message]').textContent()) ?? ''
    await page.getByLabel('Signature').fill(await account.signMessage({ message }))
    await press('Set the wallet')
    await reads('The wallet was changed.')
    await page.getByText(account.address).first().waitFor()
    await expectAccessible(page, 'light')
    await portray('dashboard-wallets')

    const { id } = await bff.createDeposit({ amount: '5.00', orderId: 'branded' })
    await page.goto(`${url}/pay/${id}`)
    await reads('Waiting for your payment')
    const logo = page.locator('header img')
    expect(await logo.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight])).toEqual([512, 341])
    const button = page.getByRole('button', { name: 'Paying from an exchange?' })
    // The merchant's hue, at a lightness that can be read.
    expect(await button.evaluate((one) => getComputedStyle(one).color)).toMatch(/^oklch\(0\.5\d* 0\.1\d* 94\.\d+\)$/)
    await page.getByRole('link', { name: 'Terms' }).waitFor()
    await expectAccessible(page, 'dark')
    await portray('hosted-branded')
    await notHacked(page)
    await page.goto(`${url}/dashboard/settings`)

    await page.getByRole('link', { name: 'Audit log' }).click()
    await reads('changed the wallet on')
    await page.getByLabel('Change').selectOption('Developers')
    await reads('created the key')
    await page.getByText('changed the wallet on').waitFor({ state: 'detached' })
    await expectAccessible(page, 'dark')
    await portray('dashboard-audit')
    await notHacked(page)
  })
  await browser.visit(at(link), ({ reads }) => reads('The link was used, has expired or is incomplete'))
})

test('another site’s page gets nothing out of a session, and cannot frame the dashboard', async () => {
  const owner = await openDashboard(story)
  const form = `<form id="form" method="post" action="${url}/api/v1/payments/fail" enctype="text/plain"><input name='{"paymentId":"x","a":"' value='"}'></form>`
  const attack = `<script>
    window.answers = Promise.all([
      fetch('${url}/api/v1/dashboard/session', { credentials: 'include' }).then((r) => r.text(), () => 'refused'),
      fetch('${url}/api/v1/webhooks/rotate-secret', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(() => 'sent', () => 'refused'),
    ])</script>`
  const evil = await openPages(
    new Map([
      ['/', { body: pageOf('', `<iframe src="${url}/dashboard/"></iframe>${attack}`) }],
      ['/form', { body: pageOf('', form) }],
    ]),
  )
  const { prepare } = owner.site()
  const site: Site = { url: evil, origins: [evil, url], tolerated: /./, ...(prepare && { prepare }) }
  await browser.visit(site, async ({ page }) => {
    const [read] = await page.evaluate(() => (window as unknown as { answers: Promise<string[]> }).answers)
    expect(read).toBe('refused')
    // A page that may not be framed is replaced by the browser's own error.
    expect(page.frames().some((frame) => frame.url().startsWith(`${url}/dashboard`))).toBe(false)
  })
  await browser.visit({ ...site, url: `${evil}/form` }, async ({ page }) => {
    await page.evaluate(() => document.querySelector('form')?.submit())
    await page.waitForURL(`${url}/**`)
    expect(await page.locator('body').textContent()).toMatch(/API credentials are required|CROSS_ORIGIN/)
  })
  await browser.visit(owner.site('payments'), ({ reads }) => reads('Payments'))
})

test('a viewer cannot refund and staff cannot change wallets: not shown, and refused', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: hostile })
  const viewer = await openDashboard(story, 'viewer')
  await browser.visit({ ...viewer.site('payments'), tolerated: /403/ }, async ({ page, reads }) => {
    await reads(hostile)
    expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0)
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    expect(await askIn(page, 'POST', `/deposits/refund-request/${payment.id}`, { address })).toEqual([
      403,
      'ROLE_NOT_ALLOWED',
    ])
    expect(await askIn(page, 'POST', '/payments/fail', { paymentId: payment.id })).toEqual([403, 'ROLE_NOT_ALLOWED'])
    await notHacked(page)
    await page.goto(`${viewer.url}/dashboard/keys`)
    await reads('You are signed in as: Viewer. Ask an owner of this shop.')
  })
  const staff = await openDashboard(story, 'staff')
  await browser.visit({ ...staff.site('wallets'), tolerated: /403/ }, async ({ page, reads }) => {
    await reads('Wallets')
    expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0)
    expect(await askIn(page, 'PUT', '/dashboard/wallets/devnet', {})).toEqual([403, 'ROLE_NOT_ALLOWED'])
    expect(await askIn(page, 'POST', '/dashboard/keys', { kind: 'api' })).toEqual([403, 'ROLE_NOT_ALLOWED'])
    await notHacked(page)
  })
})

test('an owner who is refused is not advised to ask an owner', async () => {
  const owner = await openDashboard(story)
  await browser.visit({ ...owner.site(), tolerated: /403/ }, async ({ page, reads }) => {
    const refusal = { success: false, error: 'Not allowed', message: 'Not allowed', code: 'ROLE_NOT_ALLOWED' }
    await page.route('**/api/v1/dashboard/keys', (route) => route.fulfill({ status: 403, json: refusal }))
    await page.goto(`${owner.url}/dashboard/keys`)
    await reads('Nobody’s role in the dashboard allows it')
    expect(await page.getByText('Ask an owner').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })
})

test('a key is rotated on the page while a shop uses the old one, which works until its time is over', async () => {
  const { apiKey, apiSecret } = bff.merchant
  const call = async (key: string, secret: string) =>
    (await bff.get('/events?limit=1', { 'x-api-key': key, 'x-api-secret': secret })).status
  const callsByOld = (count: number) => Promise.all(Array.from({ length: count }, () => call(apiKey, apiSecret)))
  expect(await callsByOld(1)).toEqual([200])

  const owner = await openDashboard(story)
  const made = { key: '', secret: '' }
  await browser.visit(owner.site('keys'), async ({ page, reads }) => {
    const row = page.getByRole('row').filter({ hasText: apiKey })
    await row.getByRole('button', { name: 'Rotate' }).click()
    const dialog = page.locator('confirm-dialog')
    await dialog.getByText('the old one stays valid for 24 hours').waitFor()
    // The shop calls before, while and after the service rotates it.
    const isRotated = page.waitForResponse((answer) => answer.url().endsWith('/rotate') && answer.ok())
    const answers = [callsByOld(5)]
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    answers.push(callsByOld(5))
    await isRotated
    answers.push(callsByOld(5))
    expect(new Set((await Promise.all(answers)).flat())).toEqual(new Set([200]))
    await reads('The secret is shown once')
    await row.getByText('Valid until').waitFor()
    made.key = (await page.locator('code').filter({ hasText: /^ak_/ }).first().textContent()) ?? ''
    made.secret = (await page.locator('[data-secret]').textContent()) ?? ''
    expect(await callsByOld(1)).toEqual([200])
  })
  expect(made.key).not.toBe(apiKey)

  const hourMs = 3_600_000
  for (const [aheadMs, byOld] of [
    [23 * hourMs, 200],
    [24 * hourMs, 401],
  ] as const) {
    await bff.kill()
    await bff.start({ aheadMs })
    expect([aheadMs, await call(apiKey, apiSecret), await call(made.key, made.secret)]).toEqual([aheadMs, byOld, 200])
  }
})
