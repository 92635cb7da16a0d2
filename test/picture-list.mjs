/** Opens a page of the dashboard, and waits for its heading and for what it loads. */
const dashboardPage =
  (path, heading) =>
  async (page, { dashboard }) => {
    await page.goto(`${dashboard}${path}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.waitForLoadState('networkidle').catch(() => {})
  }

/** Opens a payment by its place in the list, from the newest. */
const paymentAt = (place) => async (page, state) => {
  await dashboardPage('payments', 'Payments')(page, state)
  await page.locator('a[href*="/dashboard/payments/"]').nth(place).click()
  await page.getByRole('heading', { name: /^CC-/, level: 1 }).waitFor()
  await page.waitForLoadState('networkidle').catch(() => {})
}

/** A customer has paid in the shop, and a developer has opened the drawer. */
async function paidCheckout(page, { storefront }) {
  await page.goto(`${storefront}/checkout?items=beans-1.mug-2&developer=open`)
  await page.getByRole('button', { name: 'Pay as the test customer', exact: true }).click()
  await page.getByText('Paid — ship it').waitFor()
  await page.getByText('payment.completed').first().waitFor()
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** An open test payment, and what its page can do with it. */
async function openTestPayment(page, state) {
  const answer = await fetch(`${state.bff}/api/v1/sandbox/payments/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': state.testPublicKey },
    body: JSON.stringify({
      amount: '29.80',
      currency: 'USDC',
      network: 'devnet',
      orderId: `CC-${Date.now() % 10_000}`,
    }),
  })
  const { payment } = await answer.json()
  await page.goto(`${state.dashboard}payments/${payment.id}`)
  await page.getByText('29.80').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => {})
}

/** What WooCommerce's plug-in asks for, at the page that its owner is sent to. */
const authorizePath = `stores/authorize?${new URLSearchParams([
  ...[
    'canviewinvoices',
    'cancreateinvoice',
    'canviewstoresettings',
    'canmodifyinvoices',
    'cancreatenonapprovedpullpayments',
    'webhooks.canmodifywebhooks',
  ].map((one) => ['permissions', `btcpay.store.${one}`]),
  ['applicationName', 'Corner Coffee shop'],
  ['redirect', 'https://shop.example/?btcpay-settings-callback'],
])}`

/** The owner's passkeys: each picture is made in a browser of its own. */
let passkeys = []

/** A device that makes passkeys and is touched at once. The first page that has it adds one. */
async function ownPasskey(page, state) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true }
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  for (const credential of passkeys) {
    credential.signCount += 100
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
  }
  await dashboardPage(authorizePath, 'Connect a shop')(page, state)
  const add = page.getByRole('button', { name: 'Add a passkey' })
  if ((await add.count()) > 0) await add.click()
  await page.locator('wa-button:not([disabled])', { hasText: 'Connect' }).waitFor()
  if (passkeys.length === 0)
    passkeys = (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
}

/** A shop is connected by a key that its owner enters in the plug-in by hand. */
async function connectedShop(page, state) {
  await ownPasskey(page, state)
  await dashboardPage('stores', 'Stores')(page, state)
  await page.getByLabel('Address of the shop').fill('https://shop.example')
  await page.getByRole('button', { name: 'Create a key by hand' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.locator('.copied code').first().waitFor()
  await dashboardPage('stores', 'Stores')(page, state)
}

/** The refunds that wait for the owner's wallet, and the one of the newest payment. */
async function openRefunds(page, state) {
  await ownPasskey(page, state)
  const refund = async (place, address, amount) => {
    await paymentAt(place)(page, state)
    await page.locator('refund-form').getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Amount in').fill(amount)
    await page.getByLabel('Customer’s address').fill(address)
    await page.locator('form').getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByText('Refund requested').waitFor()
  }
  await refund(0, '', '12.00')
  await refund(1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '19.00')
  await dashboardPage('refunds', 'Refunds')(page, state)
}

/** A sale on a device at the counter, which is added and connected first. */
async function openTill(page, state) {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1200, height: 800 })
  await ownPasskey(page, state)
  await dashboardPage('tills', 'Till')(page, state)
  await page.getByLabel('Name').fill('Counter')
  await page.getByLabel('PIN for your staff').fill('835291')
  await page.getByLabel('Amounts in').selectOption('USD')
  await page.getByRole('button', { name: 'Add a till' }).click()
  await page.goto(await page.locator('code[data-link]').textContent())
  await page.setViewportSize(size)
  await page.getByText('Enter the PIN').waitFor()
  await page.keyboard.type('835291')
  await page.getByRole('button', { name: /^Charge/ }).waitFor()
  await page.keyboard.type('1250')
  await page.getByRole('button', { name: 'Charge $12.50' }).click()
  await page.getByText('Waiting for the payment').waitFor()
}

/**
 * The pictures of the documents, by their names below `docs/`.
 * @type {readonly { name: string, theme?: 'light' | 'dark', width?: number, height?: number, isSignedOut?: boolean, open: Function }[]}
 */
export const pictures = [
  {
    name: 'shop',
    width: 1200,
    height: 760,
    open: (page, { storefront }) => page.goto(`${storefront}/?developer=closed`),
  },
  { name: 'checkout', width: 1360, height: 860, open: paidCheckout },
  { name: 'dashboard/home', height: 1000, open: dashboardPage('', 'Home') },
  { name: 'dashboard/payments', open: dashboardPage('payments', 'Payments') },
  { name: 'dashboard/payments-narrow', width: 360, height: 720, open: dashboardPage('payments', 'Payments') },
  { name: 'dashboard/payment', theme: 'dark', height: 1000, open: paymentAt(0) },
  { name: 'dashboard/refund', open: paymentAt(2) },
  { name: 'dashboard/refunds', open: openRefunds },
  { name: 'dashboard/till', width: 400, height: 760, open: openTill },
  { name: 'dashboard/test-payment', open: openTestPayment },
  { name: 'dashboard/links', theme: 'dark', open: dashboardPage('links', 'Links') },
  { name: 'dashboard/webhooks', theme: 'dark', open: dashboardPage('webhooks', 'Webhooks') },
  { name: 'dashboard/reports', open: dashboardPage('reports', 'Reports') },
  { name: 'dashboard/agents', open: dashboardPage('agents', 'Agents') },
  { name: 'dashboard/developers', open: dashboardPage('developers', 'Developers') },
  { name: 'dashboard/keys', open: dashboardPage('keys', 'Keys') },
  { name: 'dashboard/people', open: dashboardPage('people', 'People') },
  { name: 'dashboard/settings', open: dashboardPage('settings', 'Settings') },
  { name: 'dashboard/audit', open: dashboardPage('audit', 'Audit') },
  { name: 'dashboard/system', open: dashboardPage('system', 'System') },
  { name: 'dashboard/stores', height: 1100, open: connectedShop },
  { name: 'dashboard/store-connect', height: 560, open: ownPasskey },
  { name: 'dashboard/sign-in', isSignedOut: true, height: 560, open: dashboardPage('sign-in', 'Sign in') },
]
