import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQLite } from '@stablecoin-checkout/bff/testing/db'
import { afterAll, expect, test } from 'vitest'
import { runBeside, runCommand, writeConfig } from './harness/bff.ts'

const folder = mkdtempSync(join(tmpdir(), 'stories-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const address = '0x00000000000000000000000000000000000000aa'
const network = {
  shortName: 'base',
  name: 'Base',
  family: 'evm',
  chainId: 8453,
  rpcUrls: ['https://rpc.example'],
  confirmations: 3,
  factory: address,
  platformWallet: address,
  tokens: [{ symbol: 'USDC', name: 'USD Coin', address, decimals: 6 }],
}
const operatorKey = `0x${'ab'.repeat(32)}`

/** @returns the environment of a service with this configuration and a database of its own. */
function configured(name: string, config: Record<string, unknown>): Record<string, string> {
  const path = join(folder, `${name}.json`)
  writeConfig(path, { port: 0, ...config })
  return { BFF_CONFIG: path, DATABASE_PATH: join(folder, `${name}.sqlite`), OPERATOR_PRIVATE_KEY: operatorKey }
}

test('a broken configuration is refused with all its faults at once, and without its secrets', () => {
  const secret = '0x1234-this-is-not-a-key'
  const env = configured('broken', {
    colour: 'green',
    platform: { feeBps: 10_001 },
    networks: [network, { ...network, confirmations: 0, rpcUrls: ['ftp://rpc.example'] }],
  })
  const { exitCode, stdout, stderr } = runCommand([], { ...env, OPERATOR_PRIVATE_KEY: secret })
  expect(exitCode).toBe(3)
  for (const fault of [
    'colour',
    'platform.feeBps',
    'networks.1.confirmations',
    'networks.1.rpcUrls',
    'OPERATOR_PRIVATE_KEY',
  ]) {
    expect(stderr).toContain(fault)
  }
  expect(stdout + stderr).not.toContain(secret)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('networks that contradict one another are refused together', () => {
  const twin = { ...network, confirmations: 300, highValue: { amount: '10000', confirmations: 64 } }
  const { exitCode, stderr } = runCommand([], configured('twins', { networks: [network, twin] }))
  expect(exitCode).toBe(3)
  expect(stderr).toContain('shortName is used twice')
  expect(stderr).toContain('chainId is used twice')
  expect(stderr).toContain('finalityBlocks is less than confirmations')
  expect(stderr).toContain('highValue.confirmations is not between confirmations and finalityBlocks')
})

test('a database of a newer version is left alone', () => {
  const env = configured('newer', { networks: [network] })
  const db = new SQLite(env['DATABASE_PATH'])
  db.pragma('user_version = 900')
  db.close()
  const { exitCode, stderr } = runCommand([], env)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('version 900')
  expect(stderr).toContain('Use the newer program')
})

test('a merchant is created with keys that are shown once, and kept only as what is needed', async () => {
  const env = configured('merchant', { networks: [network] })
  const wallet = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const command = ['merchants', 'create', '--name', 'Corner Coffee', '--wallet', `base=${wallet}`, '--json']
  const { exitCode, stdout } = await runBeside(command, env)
  expect(exitCode).toBe(0)
  const merchant = JSON.parse(stdout) as Record<string, string>
  expect(merchant).toEqual({
    merchantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    publicKey: expect.stringMatching(/^pk_live_/),
    testPublicKey: expect.stringMatching(/^pk_test_/),
    apiKey: expect.stringMatching(/^ak_/),
    apiSecret: expect.stringMatching(/^sk_.{43}$/),
    webhookSecret: expect.stringMatching(/^whsec_/),
  })
  const db = new SQLite(env['DATABASE_PATH'], { readonly: true })
  const stored = JSON.stringify([
    db.prepare('select * from credentials').all(),
    db.prepare('select * from settlement_wallets').all(),
  ])
  db.close()
  expect(stored).not.toContain(merchant['apiSecret'])
  expect(stored).toContain('0x5FbDB2315678afecb367f032d93F642f64180aa3')
})

test('merchants are listed with what they have', async () => {
  const env = configured('several', { networks: [network] })
  const wallet = ['--wallet', 'base=0x5fbdb2315678afecb367f032d93f642f64180aa3']
  for (const name of ['Corner Coffee', 'Book Shop']) {
    const options = name === 'Book Shop' ? ['--late-payments', 'accept', '--currency', 'eur'] : wallet
    const made = await runBeside(['merchants', 'create', '--name', name, ...options], env)
    expect(made.exitCode).toBe(0)
  }
  const { stdout } = await runBeside(['merchants', 'list', '--json'], env)
  expect(JSON.parse(stdout)).toMatchObject({
    merchants: [
      { name: 'Corner Coffee', wallets: ['base'], tolerance: '0,0.00', latePayments: 'report', currency: null },
      { name: 'Book Shop', wallets: [], latePayments: 'accept', currency: 'EUR' },
    ],
    hasMore: false,
  })
  const [heading, first, second] = (await runBeside(['merchants', 'list'], env)).stdout.split('\n')
  expect(heading).toMatch(/^merchant +name +created +currency +wallets on$/)
  expect(first).toMatch(/^[0-9a-f-]{36} +Corner Coffee +\S+Z +- +base$/)
  expect(second).toMatch(/ Book Shop +\S+Z +EUR/)
})

test('the configuration is named by an argument or by the environment, and the argument wins', async () => {
  const { BFF_CONFIG: path = '', ...env } = configured('named', { networks: [network], database: 'other.sqlite' })
  const missing = { ...env, BFF_CONFIG: join(folder, 'nowhere.json') }
  expect(await runBeside(['merchants', 'list'], missing)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('no such file'),
  })
  expect((await runBeside(['--config', path, 'merchants', 'list'], missing)).exitCode).toBe(0)
  expect((await runBeside(['merchants', 'list', '-c', path], missing)).exitCode).toBe(0)
})

test('the process ends with the code of its command', () => {
  const env = configured('codes', { networks: [network] })
  const codes = [
    ['merchants', 'list'],
    ['sell-everything'],
    ['merchants', 'create', '--name', 'A', '--wallet', 'base=0x12'],
  ]
  expect(codes.map((command) => runCommand(command, env).exitCode)).toEqual([0, 2, 1])
})

test('a command that cannot be done says why and how it is used', async () => {
  const env = configured('wrong', { networks: [network] })
  const say = async (...command: string[]) => {
    const { exitCode, stderr } = await runBeside(command, env)
    return `${exitCode} ${stderr}`
  }
  const create = (...options: string[]) => say('merchants', 'create', ...options)
  expect(await say('sell-everything')).toMatch(/^2 error: unknown command 'sell-everything'\n/)
  expect(await say('merchant')).toContain('(Did you mean merchants?)')
  expect(await create()).toMatch(/^2 error: required option '--name <name>' not specified\n/)
  expect(await create()).toContain('See: stablecoin-checkout merchants create --help')
  expect(await create('--name', 'A', '--wallet', 'base')).toMatch(/^2 .*It must be NETWORK=ADDRESS/)
  expect(await create('--name', 'A', '--wallet', 'base=0x12')).toMatch(/^1 .*"0x12" is not an address of Base/)
  expect(await create('--name', 'A', '--wallet', `mars=${address}`)).toMatch(/^1 .*there is no network "mars"/)
  expect(await say('merchants', 'create', '--json')).toBe(
    `2 {"error":"required option '--name <name>' not specified","exitCode":2}\n`,
  )
})
