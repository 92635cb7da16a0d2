import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser } from './harness/browser.ts'
import { confirmationsRequired } from './harness/chain.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-cures')
const { bff, chain, sweep } = story
const browser = await openBrowser()
const owner = await openDashboard(story)

test('an owner cures by a button what the doctor and the queues show: contracts are deployed, a failed payout is sent', async () => {
  const { facts, rpc, reader, token } = chain.node()
  // As on a chain that was reset: without code, and without the count that forbids to create there again.
  const forwarder = getContractAddress({ from: facts.factory as Hex, nonce: 1n })
  for (const contract of [facts.factory, forwarder]) {
    await rpc('anvil_setCode', contract, '0x')
    await rpc('anvil_setNonce', contract, '0x0')
  }
  const { address, abi } = { address: token().address, abi: testUsdc.abi }
  const tokenOwner = await reader.readContract({ address, abi, functionName: 'owner' })
  const asTokenOwner = async (functionName: 'blacklist' | 'unBlacklist') => {
    const data = encodeFunctionData({ abi, functionName, args: [story.wallets.merchant as Hex] })
    await rpc('anvil_impersonateAccount', tokenOwner)
    await rpc('eth_sendTransaction', { from: tokenOwner, to: address, data })
  }
  const site = owner.site('system')
  await browser.visit({ ...site, tolerated: /status of 409/ }, async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Check everything' }).click()
    const problem = page.getByRole('article').filter({ hasText: 'The contract for deposit addresses isn’t correct' })
    await problem.first().waitFor()
    await portray('dashboard-system-cures')
    await expectAccessible(page, 'light')
    await problem.first().getByRole('button', { name: 'Deploy now' }).click()
    await reads('The contracts are deployed. Payments are accepted within a minute.')
    expect(await chain.hasCode(facts.factory)).toBe(true)
    await problem.first().getByRole('button', { name: 'Deploy now' }).click()
    await reads('The contracts are there already.')

    await asTokenOwner('blacklist')
    const payment = await bff.createDeposit({ amount: '3.00' })
    await chain.pay(payment.depositAddress, '3.00')
    await chain.mine(confirmationsRequired)
    const refresh = page.getByRole('button', { name: 'Refresh' })
    await expect
      .poll(async () => {
        await refresh.click()
        return await page.getByText(/^Failed payouts on .?Devnet.?: .?1.?$/).count()
      })
      .toBe(1)
    await portray('dashboard-system-failed')
    await page.evaluate(() => localStorage.setItem('language', 'ar'))
    await page.reload()
    await page.getByText('تحويلات فاشلة على').waitFor()
    await portray('dashboard-system-failed-arabic')
    await expectAccessible(page, 'narrow')
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    await page.reload()
    await asTokenOwner('unBlacklist')
    await page.getByRole('button', { name: 'Retry now' }).click()
    await reads(/^Being sent now: .?1/)
    await sweep([payment])
    await page.getByRole('button', { name: 'Retry now' }).click()
    await reads(/^Nothing waits to be sent on .?Devnet/)
  })
  await browser.visit(owner.site('audit'), async ({ reads }) => {
    await reads(/retried payouts on .?devnet/)
    await reads(/deployed the contracts on .?devnet/)
  })
})
