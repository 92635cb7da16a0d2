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
  { name: 'dashboard/stores', open: dashboardPage('stores', 'Stores') },
  { name: 'dashboard/store-connect', height: 620, open: dashboardPage(authorizePath, 'Connect a shop') },
  { name: 'dashboard/sign-in', isSignedOut: true, height: 560, open: dashboardPage('sign-in', 'Sign in') },
]
