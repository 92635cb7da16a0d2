import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClient, type Hex, http } from 'viem'
import { expect, test } from 'vitest'
import { type Merchant, openBff, runBeside, writeConfig } from './harness/bff.ts'
import { openStory } from './harness/story.ts'

const { chain, devnet, folder, files, receiver, wallets } = await openStory('init')

test('what init makes takes a payment and forwards it, after gas was sent to the operator', async () => {
  const [{ rpcUrl, chainId, tokens }] = devnet.networks
  const shop = join(folder, 'shop')
  const network = ['--network', `base-sepolia=${rpcUrl}`, '--wallet', `base-sepolia=${wallets.merchant}`, '--offline']
  const made = await runBeside(['init', '--folder', shop, '--name', 'Corner Coffee', ...network, '--json'], {})
  expect(made.stderr).toBe('')
  const { operator, merchant } = JSON.parse(made.stdout) as { operator: Hex; merchant: Merchant }

  const configPath = join(shop, 'checkout.json')
  const config = JSON.parse(readFileSync(configPath, 'utf8')) as { networks: [object] }
  const local = [
    { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC },
    { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
  ]
  const here = { ...config.networks[0], chainId, tokens: local, confirmations: 3, pollMs: 50 }
  writeConfig(configPath, { ...config, port: 0, webhookTargets: 'any', networks: [here] })
  await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setBalance({
    address: operator,
    value: 10n ** 18n,
  })

  const env = { BFF_CONFIG: configPath, BFF_PORT: '0' }
  const own = { ...files, configPath, env, databasePath: join(shop, 'checkout.sqlite') }
  const bff = openBff(own, merchant, receiver.url)
  try {
    await bff.start()
    const payment = await bff.createDeposit({ amount: '25.00', network: 'base-sepolia' })
    await chain.pay(payment.depositAddress, '25.00')
    await chain.mine(2)
    await bff.shows(payment.id, { outcome: 'paid' })
    await expect.poll(() => chain.hasCode(payment.depositAddress)).toBe(true)
    await chain.mine(2)
    await bff.shows(payment.id, { status: 'swept', settlement: { state: 'settled' } })
    expect(await chain.balance('USDC', wallets.merchant)).toBe(25_000_000n)
  } finally {
    await bff.kill()
  }
})
