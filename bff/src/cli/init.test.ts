import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { systemRuntime } from '../runtime.ts'
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

/** @param answers - Of the person at the terminal; null: nobody is there. */
async function init(args: string[], answers: Record<string, string> | null = null, env: Record<string, string> = {}) {
  let [stdout, stderr] = ['', '']
  const asked: string[] = []
  const exitCode = await runCli(['init', '--folder', folder, ...args], {
    env: () => env,
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

const parsed = (text: string) => JSON.parse(text) as { operator: string; merchant: Record<string, string> }

test('everything is made from flags: files of the owner only, the operator’s key sealed, the merchant’s secrets shown once', async () => {
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

test('a person is asked for what was not given, and for nothing else', async () => {
  const answers = {
    'Name of the shop': 'Corner Coffee',
    'Networks to be paid on': 'base-sepolia, sepolia',
    'Address of a node of base-sepolia': node,
    'Address of a node of sepolia': 'https://sepolia.example',
    'Your wallet on base-sepolia': wallet,
    'Your wallet on sepolia': wallet,
  }
  const { exitCode, stdout, asked } = await init([], answers)
  expect(exitCode).toBe(0)
  expect(asked).toHaveLength(6)
  expect(stdout).toContain('its secrets are shown once')
  expect(stdout).toMatch(/Send some of the chain's coin to the operator, 0x[0-9a-fA-F]{40}, on base-sepolia, sepolia/)
  rmSync(folder, { recursive: true })
  expect((await init(flags, {})).asked).toEqual([])
})

test('where nobody is there to be asked, what is missing is named', async () => {
  const { exitCode, stderr } = await init(['--network', `base=${node}`])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('missing: --name, --wallet base=ADDRESS')
  expect(existsSync(folder)).toBe(false)
})

test('nothing is ever overwritten', async () => {
  await init(flags)
  const contents = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  const before = contents()
  const again = await init(flags)
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/nothing was made, .*checkout.json/) })
  expect(contents()).toEqual(before)
})

test.each([
  ['a node that is none', ['--network', 'base=node'], 3, 'networks.0.rpcUrls.0: must be an address'],
  [
    'a wallet with a wrong checksum',
    ['--network', `base=${node}`, '--wallet', `base=${wallet.replace('dc79', 'dC79')}`],
    1,
    'checksum',
  ],
  [
    'a network that nobody knows',
    ['--network', `mars=${node}`, '--wallet', `mars=${wallet}`],
    1,
    '"mars" is none that is known',
  ],
  [
    'a platform wallet that is none',
    ['--network', `base=${node}`, '--platform-wallet', '0x12'],
    3,
    'platformWallet: must be an address',
  ],
])('%s is refused, and nothing is left behind', async (_, args, code, reason) => {
  const whole = args.includes('--wallet') ? args : [...args, '--wallet', `base=${wallet}`]
  const { exitCode, stderr } = await init(['--name', 'Corner Coffee', ...whole])
  expect(stderr).toContain(reason)
  expect(exitCode).toBe(code)
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  expect(stderr).not.toContain('key-of-the-node')
})

test('an operator’s key of one’s own is taken from the environment, and sealed', async () => {
  const key = `0x${'5e'.repeat(32)}`
  await init(flags, null, { OPERATOR_PRIVATE_KEY: key })
  expect(loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') }).operator).toEqual({ kind: 'key', privateKey: key })
  expect(readFileSync(join(folder, 'checkout.secrets.json'), 'utf8')).not.toContain(key.slice(2))
})
