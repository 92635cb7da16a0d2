import { masterId, masterSalt } from '@stablecoin-checkout/rig/devnet/tempo'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openMerchantWallet } from './harness/merchant-wallet.ts'
import { openStory } from './harness/story.ts'
import type { TempoStory } from './harness/tempo.ts'

const story = await openStory('tempo-master', { tempo: 'unregistered', settings: { platform: { feeBps: 0 } } })
const { bff } = story
const { chain, merchant, shortName: network } = story.onTempo as TempoStory
const browser = await openBrowser()
const owner = await openDashboard(story)
const wallet = await openMerchantWallet(chain, merchant.address)
/** anvil compares a sender's coins with the gas although Tempo has none. */
await chain.rpc('anvil_setBalance', merchant.address, `0x${(10n ** 27n).toString(16)}`)

const create = () => bff.postDeposit({ amount: '25.00', currency: 'USDC', network })

test('an owner registers the wallet on Tempo with a wallet of the browser, and payments arrive in it', async () => {
  const refused = await create()
  expect([refused.status, refused.body['code']]).toEqual([400, 'WALLET_MISSING'])

  const site = { ...owner.site('wallets', wallet.install), tolerated: /40[0139]/ }
  await browser.visit(site, async ({ page, reads, press, portray }) => {
    await reads('This wallet is not registered on Tempo Devnet')
    await expectAccessible(page, 'narrow')
    await portray('wallets-unregistered')
    const row = page.getByRole('listitem').filter({ hasText: 'Tempo Devnet' })
    await row.getByRole('button', { name: 'Change' }).click()
    await reads(`stablecoin-checkout deploy ${network} --wallet 0x…`)
    const given = page.getByLabel('Wallet and salt')
    await given.fill(`${merchant.address}:${masterSalt.replace(/.$/, '0')}`)
    await press('Continue')
    await page.getByRole('alert').waitFor()
    await given.fill(`${merchant.address}:${masterSalt}`)
    await press('Continue')

    await reads('Register the wallet on Tempo Devnet')
    await expectAccessible(page, 'dark')
    await expectAccessible(page, 'narrow')
    await portray('wallets-register')
    await press('Check again')
    wallet.state.behaviour = 'reject'
    await press('Register with Test wallet')
    await reads('You rejected the request. Nothing was sent.')
    wallet.state.behaviour = 'honest'
    await press('Register with Test wallet')

    await reads('Sign this text with the new wallet')
    await reads(masterId)
    await press('Sign with the wallet of this browser')
    await expect.poll(() => page.getByLabel('Signature').inputValue()).toMatch(/^0x[0-9a-f]{130}$/)
    await portray('wallets-registered-sign')
    await press('Set the wallet')
    await reads('The wallet was changed.')
    await page.getByText('This wallet is not registered').waitFor({ state: 'detached' })
  })
  expect(wallet.sent.flat()).toEqual([
    expect.objectContaining({
      to: '0xfdc0000000000000000000000000000000000000',
      data: `0x5c559d20${masterSalt.slice(2)}`,
    }),
  ])

  const before = Number(await chain.balance(merchant.address))
  const payment = await bff.createDeposit({ amount: '25.00', currency: 'USDC', network })
  await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, { outcome: 'paid', settlement: { state: 'settled' } })
  expect(Number(await chain.balance(merchant.address)) - before).toBe(25)
})
