import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { loadConfig } from '../config/config.ts'
import { initNetworks } from './init.ts'
import { runCli } from './program.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'checkout-init-'))
  folder = join(parent, 'shop')
})
afterEach(() => rmSync(parent, { recursive: true }))

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const node = 'https://node.example/key-of-the-node'
const flags = ['--name', 'Corner Coffee', '--network', `base=${node}`, '--wallet', `base=${wallet}`]

/** @param answers - The user's input at the terminal; null: no terminal. */
async function run(args: string[], answers: Record<string, string> | null = null, env: Record<string, string> = {}) {
  let [stdout, stderr] = ['', '']
  const asked: string[] = []
  const exitCode = await runCli(args, {
    env: () => env,
    folder: '/',
    program: { command: 'checkout', start: null },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
    input: {
      isTerminal: answers !== null,
      readAll: async () => '',
      async ask(question) {
        asked.push(question)
        const [, answer] = Object.entries(answers ?? {}).find(([start]) => question.startsWith(start)) ?? []
        return answer ?? ''
      },
    },
  })
  return { exitCode, stdout, stderr, asked }
}

/** Without asking the nodes, which `init-questions.test.ts` does. */
const init = (args: string[], answers: Record<string, string> | null = null, env: Record<string, string> = {}) =>
  run(['init', '--folder', folder, '--offline', ...args], answers, env)

const parsed = (text: string) =>
  JSON.parse(text) as { operator: string; feePayer: string | null; merchant: Record<string, string> }

const configuration = () => loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })

test('flags create everything: files readable by the owner only, the operator’s key sealed, the merchant’s secrets shown once', async () => {
  const { exitCode, stdout } = await init([...flags, '--fee-bps', '100', '--json'])
  expect(exitCode).toBe(0)
  const { operator, merchant } = parsed(stdout)
  expect(merchant).toMatchObject({
    publicKey: expect.stringMatching(/^pk_live_/),
    apiSecret: expect.stringMatching(/^sk_/),
  })
  const files = readdirSync(folder).sort()
  expect(files).toEqual(['checkout.json', 'checkout.secrets.json', 'checkout.sqlite', 'checkout.sqlite.key'])
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600)
  const config = loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })
  expect(config).toMatchObject({ feeBps: 100, port: 8787, operator: { kind: 'key' } })
  expect(config.networks.get('base')).toMatchObject({ chainId: 8_453, platformWallet: wallet, rpcUrls: [node] })
  const key = config.operator?.kind === 'key' ? config.operator.privateKey.slice(2) : ''
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'latin1')
    for (const secret of [key, merchant['apiSecret'] ?? '', String(merchant['webhookSecret']).replace('whsec_', '')]) {
      expect(text.includes(secret), file).toBe(false)
    }
  }
  expect(stdout).not.toContain(key)
  expect(operator).toMatch(/^0x[0-9a-fA-F]{40}$/)
})

test('a user is asked only for missing options', async () => {
  const answers = {
    'Name of the shop': 'Corner Coffee',
    'Networks to accept': 'base-sepolia, sepolia',
    'URL of a node of base-sepolia': node,
    'URL of a node of sepolia': 'https://sepolia.example',
    'Your wallet on base-sepolia': wallet,
    'Your wallet on sepolia': wallet,
  }
  const { exitCode, stdout, asked } = await init(['--port', '8787'], answers)
  expect(exitCode).toBe(0)
  // Each network also asks for a second node and the kind of address; Relay and the public URL are asked once.
  expect(asked).toHaveLength(6 + 2 + 2 + 2)
  expect(stdout).toContain('its secrets are shown once')
  expect(stdout).toMatch(/Send some of the chain's coin to the operator, 0x[0-9a-fA-F]{40}, on base-sepolia, sepolia/)
  rmSync(folder, { recursive: true })
  expect((await init(flags, {})).asked).toEqual([])
})

test('without a terminal, missing options are reported', async () => {
  const { exitCode, stderr } = await init(['--network', `base=${node}`])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('2 options are missing or wrong, and nothing was created:')
  expect(stderr).toContain('  --name: is missing\n  --wallet base=ADDRESS: is missing\n')
  expect(existsSync(folder)).toBe(false)
})

test('with a database of PostgreSQL in the environment nothing is created that the service would not read', async () => {
  const { exitCode, stderr } = await init(flags, null, { DATABASE_URL: 'postgres://checkout:secret@db/checkout' })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('create the service, then move it: move --to')
  expect(stderr).not.toContain('secret')
  expect(existsSync(folder)).toBe(false)
})

test('nothing is ever overwritten', async () => {
  await init(flags)
  const contents = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  const before = contents()
  const again = await init(flags)
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/nothing was created, .*checkout.json/) })
  expect(contents()).toEqual(before)
})

test.each([
  ['a node that is none', ['--network', 'base=node'], '--network base: a node must be a URL'],
  [
    'a wallet with a wrong checksum',
    ['--network', `base=${node}`, '--wallet', `base=${wallet.replace('dc79', 'dC79')}`],
    'its checksum is wrong',
  ],
  ['a network that nobody knows', ['--network', `mars=${node}`, '--wallet', `mars=${wallet}`], '"mars" is unknown'],
  [
    'a platform wallet that is none',
    ['--network', `base=${node}`, '--platform-wallet', '0x12'],
    '--platform-wallet: "0x12" must be an address, with its checksum: 0x',
  ],
  ['an empty name', ['--network', `base=${node}`, '--name', ' '], '--name: name must have 1 to 100 characters'],
  ['a port that is none', ['--network', `base=${node}`, '--port', '0'], '--port: the port must be a whole number'],
  [
    'a URL for customers without https',
    ['--network', `base=${node}`, '--public-url', 'http://pay.example'],
    'must be https',
  ],
])('%s is refused, and no files are left', async (_, args, reason) => {
  const whole = args.includes('--wallet') ? args : [...args, '--wallet', `base=${wallet}`]
  const { exitCode, stderr } = await init(['--name', 'Corner Coffee', ...whole])
  expect(stderr).toContain(reason)
  expect(exitCode).toBe(2)
  expect(existsSync(folder)).toBe(false)
  expect(stderr).not.toContain('key-of-the-node')
})

test('one run lists every wrong option', async () => {
  const named = ['--network', 'mars', '--network', 'base=node', '--wallet', `polygon=${wallet}`, '--fee-bps', '20000']
  const others = ['--rates', 'nobody', '--trusted-proxy', 'caddy', '--public-url', 'pay.example', '--port', 'x']
  const { exitCode, stderr } = await init([...named, ...others])
  expect(exitCode).toBe(2)
  const options = [...stderr.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option)
  expect(options).toEqual([
    ...['--network', '--network', '--fee-bps', '--wallet', '--port', '--public-url', '--trusted-proxy', '--rates'],
    ...['--name', '--wallet'],
  ])
})

test('an operator’s key from the environment is used, and sealed', async () => {
  const key = `0x${'5e'.repeat(32)}`
  await init(flags, null, { OPERATOR_PRIVATE_KEY: key })
  expect(loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') }).operator).toEqual({ kind: 'key', privateKey: key })
  expect(readFileSync(join(folder, 'checkout.secrets.json'), 'utf8')).not.toContain(key.slice(2))
})

const owner = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
const solanaFlags = ['--network', 'solana=https://solana.example', '--wallet', `solana=${owner}`]

test('a key from the environment is not stored, and the text says where it is', async () => {
  const { exitCode, stdout } = await init(flags, null, { SECRETS_KEY: 'ab'.repeat(32) })
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^key +is the one in the environment$/m)])
  expect(existsSync(join(folder, 'checkout.sqlite.key'))).toBe(false)
})

test('Solana is set up beside another network: its own fee payer, sealed, whose address is shown', async () => {
  const { exitCode, stdout, stderr } = await init([...flags, ...solanaFlags, '--json'])
  expect([exitCode, stderr]).toEqual([0, ''])
  const { operator, feePayer } = parsed(stdout)
  expect(operator).toMatch(/^0x/)
  const { networks, solanaFeePayerKey } = configuration()
  expect(networks.get('solana')).toMatchObject({ family: 'solana', platformWallet: owner })
  expect(Keypair.fromSecretKey(solanaFeePayerKey ?? new Uint8Array()).publicKey.toBase58()).toBe(feePayer)
  const secrets = readFileSync(join(folder, 'checkout.secrets.json'), 'utf8')
  expect(secrets).toContain('SOLANA_FEE_PAYER_KEY')
  expect(stdout + secrets).not.toContain(base58.encode(solanaFeePayerKey ?? new Uint8Array()))
})

test('Solana alone needs no operator and no contracts; a fee payer from the environment is used', async () => {
  const own = Keypair.fromSeed(new Uint8Array(32).fill(9))
  const env = { SOLANA_FEE_PAYER_KEY: base58.encode(own.secretKey) }
  const { exitCode, stdout } = await init(['--name', 'Corner Coffee', ...solanaFlags], null, env)
  expect(exitCode).toBe(0)
  expect(configuration()).toMatchObject({ operator: null, solanaFeePayerKey: own.secretKey })
  expect(stdout).toContain(`1. Send some SOL to the fee payer, ${own.publicKey.toBase58()}`)
  expect(stdout).toContain('2. checkout serve')
  expect(stdout).not.toMatch(/operator|deploy/)
})

test('nodes of two hosts enable the two-node check for large amounts; two nodes of one host do not', async () => {
  const second = (url: string) => ['--network', `base=${url}`]
  await init([...flags, ...second('https://other.example'), ...solanaFlags, '--network', 'solana=https://two.example'])
  const { networks } = configuration()
  expect(networks.get('base')).toMatchObject({
    rpcUrls: [node, 'https://other.example'],
    highValue: { amount: '1000', confirmations: 128 },
  })
  expect(networks.get('solana')?.highValue).toMatchObject({ amount: '1000' })
  rmSync(folder, { recursive: true })
  await init([...flags, ...second('https://node.example/another-key')])
  expect(configuration().networks.get('base')).toMatchObject({ highValue: null })
  rmSync(folder, { recursive: true })
  expect(await init([...flags, ...second(node)])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('twice'),
  })
})

test('a network without a node gets the public one that is known of it', async () => {
  const answers = ['--network', 'base-sepolia', '--wallet', `base-sepolia=${wallet}`]
  const named = [...answers, '--network', 'solana-devnet', '--wallet', `solana-devnet=${owner}`]
  expect(await init(['--name', 'Corner Coffee', ...named])).toMatchObject({ exitCode: 0, stderr: '' })
  const nodes = [...configuration().networks.values()].map(({ rpcUrls }) => rpcUrls)
  expect(nodes).toEqual([['https://sepolia.base.org'], ['https://api.devnet.solana.com']])
  rmSync(folder, { recursive: true })
  expect(await init(['--network', 'mars'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('"mars" is unknown (known: ethereum, base,'),
  })
})

test('every known network gets a second node and a valid configuration', async () => {
  const named = initNetworks.flatMap((network) => {
    const address = network.startsWith('solana') ? owner : wallet
    const nodes = [`${network}=https://a.example`, `${network}=https://b.example`].flatMap((one) => ['--network', one])
    return [...nodes, '--wallet', `${network}=${address}`]
  })
  expect(await init(['--name', 'Corner Coffee', ...named])).toMatchObject({ exitCode: 0, stderr: '' })
  expect(configuration().networks.size).toBeGreaterThan(14)
})

test('Relay is set up for mainnets and for testnets, with the key from the environment; it is refused with Solana alone', async () => {
  await init([...flags, '--relay', '--rates', 'coinbase', '--public-url', 'https://pay.example/'], null, {
    RELAY_API_KEY: 'relay-key',
  })
  expect(configuration()).toMatchObject({
    relay: { baseUrl: 'https://api.relay.link', apiKey: 'relay-key' },
    rates: { kind: 'http', provider: 'coinbase' },
    publicUrl: 'https://pay.example',
  })
  expect(readFileSync(join(folder, 'checkout.secrets.json'), 'utf8')).not.toContain('relay-key')
  rmSync(folder, { recursive: true })
  const testnet = ['--network', `base-sepolia=${node}`, '--wallet', `base-sepolia=${wallet}`]
  await init(['--name', 'Corner Coffee', ...testnet, '--relay'])
  expect(configuration().relay).toMatchObject({ baseUrl: 'https://api.testnets.relay.link', apiKey: null })
  rmSync(folder, { recursive: true })
  const refused = await init(['--name', 'Corner Coffee', ...solanaFlags, '--relay'])
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('relay: needs an EVM network') })
})

test('trusted proxies are set by options, and an invalid address is refused without leaving files', async () => {
  const proxies = ['--trusted-proxy', '127.0.0.1', '--trusted-proxy', '172.30.87.0/24']
  await init([...flags, ...proxies])
  expect(configuration().trustedProxies).toEqual(['127.0.0.1', '172.30.87.0/24'])
  rmSync(folder, { recursive: true })
  const refused = await init([...flags, '--trusted-proxy', 'caddy'])
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--trusted-proxy: a proxy must be an IP address'),
  })
  expect(existsSync(join(folder, 'checkout.json'))).toBe(false)
})

test('a user is asked for a second node, Relay and the public URL', async () => {
  const answers = {
    'Name of the shop': 'Corner Coffee',
    'Networks to accept': 'base solana',
    'URL of a node of base': node,
    'A second node of base': 'https://second.example',
    'URL of a node of solana': 'https://solana.example',
    'Your wallet on base (0x…)': wallet,
    'Your wallet on solana (an owner': owner,
    'Let customers pay from other chains': 'y',
    'URL for customers': 'https://pay.example',
  }
  expect(await init(['--port', '8787'], answers)).toMatchObject({ exitCode: 0, stderr: '' })
  const { networks, relay, publicUrl, rates } = configuration()
  expect(networks.get('base')).toMatchObject({
    rpcUrls: [node, 'https://second.example'],
    highValue: { amount: '1000' },
  })
  expect(networks.get('solana')).toMatchObject({ rpcUrls: ['https://solana.example'], highValue: null })
  expect([relay?.baseUrl, publicUrl, rates]).toEqual([
    'https://api.relay.link',
    'https://pay.example',
    { kind: 'parity' },
  ])
})

test('the platform’s wallet applies to all EVM networks, or to one', async () => {
  const platform = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const more = ['--network', `polygon=${node}`, '--wallet', `polygon=${wallet}`]
  const given = ['--platform-wallet', platform, '--platform-wallet', `polygon=${wallet}`]
  await init([...flags, ...more, ...solanaFlags, ...given])
  const { networks } = configuration()
  const platforms = ['base', 'polygon', 'solana'].map((name) => networks.get(name)?.platformWallet)
  expect(platforms).toEqual([platform, wallet, owner])
  rmSync(folder, { recursive: true })
  const unknown = await init([...flags, '--platform-wallet', `mars=${platform}`])
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--platform-wallet: there is no --network mars'),
  })
})

test('Solana can be added later: `secrets set` generates its fee payer and shows the address', async () => {
  await init(flags)
  const env = { BFF_CONFIG: join(folder, 'checkout.json') }
  const made = await run(['secrets', 'set', 'SOLANA_FEE_PAYER_KEY', '--generate', '--json'], null, env)
  expect(made).toMatchObject({ exitCode: 0, stderr: '' })
  const { address } = JSON.parse(made.stdout) as { address: string }
  const key = configuration().solanaFeePayerKey ?? new Uint8Array()
  expect(Keypair.fromSecretKey(key).publicKey.toBase58()).toBe(address)
  const refused = await run(['secrets', 'set', 'RELAY_API_KEY', '--generate'], null, env)
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--generate supports only') })
})
