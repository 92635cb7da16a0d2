import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { openDashboardFiles } from '@stablecoin-checkout/bff/testing/service'
import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser, type Site } from './harness/browser.ts'
import { holdPasskey } from './harness/dashboard.ts'

// A chain whose deposits go to addresses of the merchant's own wallet. The test is the wallet: the service knows a public key.
const walletOf = () => HDKey.fromMasterSeed(randomBytes(32))
const wallet = walletOf()
const keyOf = (one: HDKey) => one.derive("m/44'/60'/0'").publicExtendedKey
const firstOf = (one: HDKey) => hdKeyToAccount(one)

let isDown = false
const stage: ContractStage = await openContractStage({
  deposits: 'xpub',
  account: `${keyOf(wallet)}@${firstOf(wallet).address}`,
  feeBps: 0,
  dashboardFiles: openDashboardFiles(),
  adapter: {
    balances: async (...asked) => {
      if (isDown) throw new Error('the node does not answer')
      return await stage.evm.balances(...asked)
    },
  },
})
const server = serve({ fetch: stage.app.fetch, port: 0, hostname: '127.0.0.1' })
await new Promise((resolve) => server.once('listening', resolve))
const address = server.address()
const url = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
const browser = await openBrowser()
const owner = await signedIn(stage)
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  await stage.close()
})

const site = (path: string, tolerated?: RegExp): Site => ({
  url: `${url}/dashboard/${path}`,
  origins: [url],
  ...(tolerated && { tolerated }),
  async prepare(page) {
    const [name = '', value = ''] = owner.cookie().split('=')
    await page.context().addCookies([{ name, value, url }])
    await holdPasskey(page, owner.passkey)
  },
})

let created = 0
async function createPayment() {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  const headers = { 'Idempotency-Key': `address-${created++}` }
  const answer = await stage.post('/api/v1/deposits/create', order, { headers })
  const { id, depositAddress } = answer.body.payment
  return { id: String(id), depositAddress: depositAddress as Hex }
}

const create = async (): Promise<Hex> => (await createPayment()).depositAddress

const pay = (to: Hex, amount: bigint) =>
  stage.send({
    to: stage.network.tokens[0]?.address ?? '',
    data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to, amount] }),
  })

test('an owner sees the addresses of the wallet with their balances, and is warned where a wallet would stop searching', async () => {
  const first = await create()
  await pay(first, 31_250_000n)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  await browser.visit(site('wallets'), async ({ page, reads, portray }) => {
    await page.getByRole('link', { name: 'Show its addresses' }).click()
    await reads('Addresses of your wallet')
    const row = page.getByRole('row').filter({ hasText: first })
    await row.getByText('0/1').waitFor()
    await row.getByRole('cell').last().getByText('31.25').waitFor()
    await page.locator('[data-read]').waitFor()
    expect(await page.locator('[data-gap]').count()).toBe(0)
    for (let count = 0; count < 59; count++) await create()
    await page.reload()
    await reads('59 addresses in a row have no money.')
    await expectAccessible(page, 'light')
    await portray('dashboard-addresses')
    expect(await page.getByRole('row').count()).toBe(51)
    await page.getByRole('button', { name: 'Show more' }).click()
    await row.waitFor()
    expect(await page.getByRole('row').count()).toBe(61)
    await expectAccessible(page, 'dark')
    await expectAccessible(page, 'narrow')

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download for your wallet' }).click()
    const file = await readFile(await (await saved).path(), 'utf8')
    const lines = file.split('\r\n')
    expect(lines).toHaveLength(62)
    expect(lines[1]).toMatch(new RegExp(`^0/1,${first},`))
    await row.getByRole('link').click()
    await page.waitForURL(/\/dashboard\/payments\//)
  })
})

test('where the node does not answer, the addresses are there and the page says what is missing', async () => {
  await browser.visit(site('wallets/devnet/addresses'), async ({ page, reads }) => {
    await reads('Balances read from the chain')
    isDown = true
    await page.reload()
    await reads('The balances could not be read: no node answered.')
    expect(await page.getByRole('row').count()).toBeGreaterThan(1)
    isDown = false
    await page.reload()
    await reads('Balances read from the chain')
  })
})

test('money that came too late to an address of the wallet is accepted by a button, or refunded', async () => {
  const { id, depositAddress } = await createPayment()
  await stage.chain.increaseTime({ seconds: 3_600 })
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  await pay(depositAddress, 25_000_000n)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  // The element's script is not served here.
  await browser.visit(site(`payments/${id}`, /404/), async ({ page, reads, press }) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor()
    await press('Accept the late money')
    await reads('25.00 USDC arrived after the payment ended.')
    await page.locator('wa-dialog form').getByRole('button', { name: 'Accept the late money' }).click()
    await page.locator('wa-dialog form').waitFor({ state: 'detached' })
    await reads('Paid')
    await page.getByRole('button', { name: 'Accept the late money' }).waitFor({ state: 'detached' })
  })
  const { body } = await owner.ask('GET', `/payments/${id}`)
  expect(body['payment']).toMatchObject({ outcome: 'paid', excessOwed: '0.00' })
})

test('an owner names another account by its key and its first address; each is refused at its own field', async () => {
  const other = walletOf()
  await browser.visit(site('wallets', /400/), async ({ page, reads, press, portray }) => {
    await press('Change')
    const [key, first] = [page.getByLabel('Extended public key'), page.getByLabel('First address')]
    await key.fill(`${keyOf(other)}x`)
    await first.fill(firstOf(other).address)
    await press('Continue')
    await reads('This is no extended public key of an account.')
    expect(await key.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page, 'narrow')
    await key.fill(other.derive("m/44'/60'/0'").privateExtendedKey)
    await press('Continue')
    await reads('This is a private key. Never give it to anybody.')
    await key.fill(keyOf(other))
    await first.fill(firstOf(wallet).address)
    await press('Continue')
    await reads('This is not the first address of this key')
    expect([await key.getAttribute('aria-invalid'), await first.getAttribute('aria-invalid')]).toEqual([
      'false',
      'true',
    ])
    await expectAccessible(page, 'dark')
    await portray('dashboard-account')
    await first.fill(firstOf(other).address)
    await press('Continue')
    const message = (await page.locator('[data-message]').textContent()) ?? ''
    await page.getByLabel('Signature').fill(await firstOf(other).signMessage({ message }))
    await press('Set the wallet')
    await reads('The wallet was changed.')
    await page.getByText(firstOf(other).address).first().waitFor()
  })
  // The next payment is of the new account; earlier ones keep theirs.
  expect(await create()).toBe(hdKeyToAccount(other, { addressIndex: 1 }).address)
})
