import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@stablecoin-checkout/rig/postgres-server'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import { createTestClient, type Hex, http } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { writeConfig } from './harness/bff.ts'
import { openShell, shellBlocks } from './harness/shell-docs.ts'
import { openStory } from './harness/story.ts'

const { chain, devnet, folder, wallets } = await openStory('docs-commands')
const [{ rpcUrl, chainId, tokens }] = devnet.networks
const home = join(folder, 'machine')
const port = await freePort()
const replicaPorts = [await freePort([port]), await freePort([port]), await freePort([port])]
const server = await startPostgres()
const password = 'chosen-by-the-reader'
const shell = openShell(home, {
  SERVICE_URL: `http://127.0.0.1:${port}`,
  SERVER_URL: server.url,
  DATABASE_PASSWORD: password,
  TMPDIR: folder,
})

afterAll(async () => {
  for (const name of readdirSync(home).filter((one) => one.endsWith('.pid'))) {
    try {
      process.kill(Number(readFileSync(join(home, name), 'utf8')), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  await server.stop()
})

/** Some twenty commands, each a process of its own. */
const followWithinMs = 300_000

/** What a reader puts in the place of the docs' examples. */
const own = new Map([
  // The local chain has another id than the testnet.
  ['https://sepolia.base.org', `${rpcUrl} --offline`],
  ['https://base.example/your-key', 'https://base.example/your-key --offline'],
  ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', wallets.merchant],
  ['127.0.0.1:8787', `127.0.0.1:${port}`],
  ['checkout-2026-11-21', 'checkout-*'],
  ['"base"', '"base-sepolia"'],
  ['--from 2026-10-01 --until 2026-11-01', '--from 2026-10-01'],
  ['127.0.0.1:5432', new URL(server.url).host],
  ['PGPASSWORD=…', `PGPASSWORD=${password}`],
  ['stablecoin-checkout@8787', `stablecoin-checkout@${replicaPorts[0]}`],
  ['stablecoin-checkout@8788', `stablecoin-checkout@${replicaPorts[1]}`],
  ['stablecoin-checkout@8789', `stablecoin-checkout@${replicaPorts[2]}`],
  ['127.0.0.1:8789', `127.0.0.1:${replicaPorts[2]}`],
])

/** Runs every block of a file. @returns what they printed. */
async function follow(file: string): Promise<string[]> {
  const printed: string[] = []
  // The month of what was paid a moment ago.
  own.set('2026-11 --network base', `${new Date().toISOString().slice(0, 7)} --network base-sepolia`)
  for (const block of shellBlocks(file)) {
    let words = block
    for (const [example, mine] of own) words = words.replaceAll(example, mine)
    // The local chain mines on demand, and `doctor` calls a chain with an old head stuck.
    await chain.mine(1)
    const { exitCode, stdout, stderr } = await shell.run(words, `${devnet.operator.privateKey}\n`)
    expect(exitCode, `${file}:\n${block}${stdout}${stderr}`).toBe(0)
    printed.push(stdout)
    if (/^sudo .* init [^`]*base-sepolia=/ms.test(block)) await settleIn(stdout)
    if (/ move --to /.test(block)) await useDatabase()
    const created = /"paymentId":"([0-9a-f-]{36})"/.exec(stdout)?.[1]
    if (created) own.set('PAYMENT=…', `PAYMENT=${created}`)
  }
  return printed
}

/** The local chain in the place of the testnet, and gas for the operator, as from a faucet. */
async function settleIn(said: string): Promise<void> {
  const path = join(home, 'var/lib/checkout/checkout.json')
  const config = JSON.parse(readFileSync(path, 'utf8')) as { networks: [object] }
  const local = [
    { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC },
    { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
  ]
  const network = { ...config.networks[0], chainId, tokens: local, confirmations: 3, pollMs: 50 }
  // The domain of the docs leads nowhere.
  const publicUrl = undefined
  writeConfig(path, { ...config, publicUrl, port, webhookTargets: 'any', networks: [network] })
  const operator = /operator, (0x[0-9a-fA-F]{40})/.exec(said)?.[1] as Hex
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await client.setBalance({ address: operator, value: 10n ** 18n })
  const [, apiKey = ''] = /apiKey\s+(\S+)/.exec(said) ?? []
  const [, apiSecret = ''] = /apiSecret\s+(\S+)/.exec(said) ?? []
  own.set('$BASE', `http://127.0.0.1:${port}`).set('$KEY', apiKey).set('$SECRET', apiSecret)
  own.set('MERCHANT=…', `MERCHANT=${/merchantId\s+(\S+)/.exec(said)?.[1]}`)
  own.set('pk_live_…', /publicKey\s+(pk_live_\S+)/.exec(said)?.[1] ?? '')
}

/** From the folder with real money to that of the testnet, which the other pages go on with. */
async function backToTestnet(): Promise<void> {
  const back = 'cd /var/lib/checkout && rm checkout.* && mv testnet/* . && systemctl start stablecoin-checkout'
  const { exitCode, stderr } = await shell.run(back, '')
  expect(exitCode, stderr).toBe(0)
}

/** What the text after `move` says to set, for the replicas and for the commands. */
async function useDatabase(): Promise<void> {
  const url = new URL(server.url)
  Object.assign(url, { pathname: '/checkout', username: 'checkout', password })
  const variables = `DATABASE_URL=${url.href}\nSECRETS_KEY_FILE=${home}/var/lib/checkout/checkout.sqlite.key\n`
  writeFileSync(join(home, 'etc/checkout/replicas.env'), variables)
  expect((await shell.run(variables, '')).exitCode).toBe(0)
}

test(
  'who types what the docs say goes live, is paid, makes a backup, restores it, exports the books, moves to PostgreSQL and starts three replicas',
  async () => {
    const live = await follow('go-live.md')
    const created = JSON.parse(live.at(-4) ?? '') as { payment: { id: string; depositAddress: string } }
    expect(JSON.parse(live.at(-3) ?? '')).toMatchObject({ payment: { id: created.payment.id, outcome: 'pending' } })
    expect(live.at(-1)).toContain('on base: it pays the gas.')
    await backToTestnet()

    await chain.pay(created.payment.depositAddress, '1.00')
    await chain.mine(2)
    await expect.poll(() => chain.hasCode(created.payment.depositAddress)).toBe(true)
    await chain.mine(2)
    expect(await chain.balance('USDC', wallets.merchant)).toBe(1_000_000n)

    await follow('api.md')
    const [endpoint = ''] = await follow('webhooks.md')
    expect(JSON.parse(endpoint)).toMatchObject({ success: true })
    await follow('agents.md')
    const printed = (await follow('operations.md')).join('')
    expect(printed).toContain('Every row of')
    expect(readFileSync(join(home, 'repo/payments.csv'), 'utf8')).toContain(created.payment.id)
    const replicas = replicaPorts.map((replica) => fetch(`http://127.0.0.1:${replica}/api/ready`))
    expect((await Promise.all(replicas)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await follow('moving-over.md')).join('')).toContain('Second Shop')
  },
  followWithinMs,
)
