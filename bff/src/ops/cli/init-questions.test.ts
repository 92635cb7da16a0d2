import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { encodeAbiParameters } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openDatabase } from '../../db/open-database.ts'
import { loadConfig } from '../config/config.ts'
import { parseNetwork, verifyNode } from './init-answers.ts'
import { runCli } from './program.ts'

/** What the node at each path is on; `/none` is another web server, `/silent` never responds, and `/no-logs` has none. */
const results: Record<string, string> = {
  '/base-sepolia': '0x14a34',
  '/no-logs': '0x14a34',
  '/base': '0x2105',
  '/unknown': '0x7a69',
  '/solana-devnet': 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
}
const head = 100_000

/** As a node of the path's chain answers, as far as it is asked before the service is created. */
function answerOf(path: string, method: string, params: unknown[]): unknown {
  const hex = (number: number) => `0x${number.toString(16)}`
  const nowSeconds = Math.floor(Date.now() / 1000)
  switch (method) {
    case 'eth_chainId':
    case 'getGenesisHash':
      return results[path]
    case 'eth_blockNumber':
      return hex(head)
    case 'eth_getBlockByNumber': {
      const number = params[0] === 'latest' ? head : Number(params[0])
      return { number: hex(number), timestamp: hex(nowSeconds - 2 * (head - number)), transactions: [] }
    }
    case 'eth_getLogs':
      return path === '/no-logs' ? undefined : []
    case 'eth_getCode':
      return '0x01'
    case 'eth_call': {
      const { to, data = '' } = params[0] as { to?: string; data?: string }
      const token = parseNetwork('base-sepolia').tokens.find(
        ({ address }) => address.toLowerCase() === to?.toLowerCase(),
      )
      if (data.startsWith('0x313ce567')) return encodeAbiParameters([{ type: 'uint8' }], [token?.decimals ?? 0])
      return encodeAbiParameters([{ type: 'string' }], [token?.symbol ?? ''])
    }
    case 'getMultipleAccounts': {
      const data = Buffer.alloc(MINT_SIZE)
      data[44] = 6
      const account = { data: [data.toString('base64'), 'base64'], owner: TOKEN_PROGRAM_ID.toBase58(), lamports: 1 }
      return { context: { slot: head }, value: (params[0] as unknown[]).map(() => account) }
    }
    case 'getSlot':
      return head
    case 'getBlockTime':
      return nowSeconds
    default:
      return undefined
  }
}

let nodes: Server
let url: string
beforeAll(async () => {
  nodes = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (path === '/silent') return response.destroy()
    if (path === '/none') return response.end('<html>')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const {
      id,
      method,
      params = [],
    } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number
      method: string
      params?: unknown[]
    }
    const result = answerOf(path, method, params)
    const answer = result === undefined ? { error: { code: -32601, message: 'not supported' } } : { result }
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>((resolve) => nodes.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(nodes.address() as AddressInfo).port}`
})
afterAll(() => nodes.close())

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'checkout-questions-'))
  folder = join(parent, 'shop')
})
afterEach(() => rmSync(parent, { recursive: true }))

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const solanaWallet = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'

/** @param answers - What is typed, in order; undefined: there is no terminal. */
async function init(args: readonly string[], answers?: readonly string[], io: { folder?: string } = {}) {
  const left = [...(answers ?? [])]
  const shown: string[] = []
  let stdout = ''
  const exitCode = await runCli(['init', '--folder', folder, ...args], {
    env: () => ({}),
    folder: io.folder ?? parent,
    program: { command: 'checkout', start: null },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => shown.push(text.trim()),
    input: {
      isTerminal: answers !== undefined,
      readAll: async () => '',
      async ask(question) {
        shown.push(question)
        const answer = left.shift()
        if (answer === undefined) throw new Error(`no answer is left for: ${question}`)
        return answer
      },
    },
  })
  return { exitCode, stdout, shown, left }
}

test('each wrong answer is refused at its question, which is asked again, and no earlier answer is lost', async () => {
  const port = String((nodes.address() as AddressInfo).port)
  const { exitCode, shown, left } = await init(
    [],
    [
      ...['', 'Corner Coffee'],
      ...['', 'bas-sepolia', 'base-sepolia, solana-devnet base-sepolia'],
      ...[
        'node',
        `${url}/base`,
        `${url}/unknown`,
        `${url}/none`,
        `${url}/no-logs`,
        `${url}/solana-devnet`,
        `${url}/base-sepolia`,
      ],
      ...[`${url}/base-sepolia`, ''],
      ...[`${url}/base-sepolia`, `${url}/solana-devnet`, ''],
      ...['3', ''],
      ...['0x12', wallet.replace('dc79', 'dC79'), '0x036CbD53842c5426634e7929541eC2318f3dCF7e', wallet],
      ...[wallet, solanaWallet],
      ...['http://pay.example', 'pay.example', 'https://pay.example/'],
      ...['caddy', ''],
      ...['0', port, '8788'],
      ...['perhaps', 'n'],
    ],
  )
  expect(shown.filter((line) => !/[:?] $|: $/.test(line))).toEqual([
    'name must have 1 to 100 characters',
    'name at least one network',
    expect.stringMatching(/^"bas-sepolia" is unknown \(known: ethereum, /),
    'a node must be a URL: https://…',
    expect.stringMatching(/^the node at 127.0.0.1:\d+ .*Base Sepolia: is on chain 8453 \(Base\), not on 84532$/),
    expect.stringMatching(/^the node at 127.0.0.1:\d+ .*Base Sepolia: is on chain 31337, not on 84532$/),
    expect.stringMatching(/^the node at 127.0.0.1:\d+ does not respond as a node of Base Sepolia; enter it again/),
    expect.stringMatching(/^the node at 127.0.0.1:\d+ .*: does not answer eth_getLogs, so no payment can be detected$/),
    expect.stringMatching(/^the node at 127.0.0.1:\d+ .*not as a node of Base Sepolia/),
    'this is the first node',
    expect.stringMatching(/^the node at 127.0.0.1:\d+ .*Solana Devnet: .*is on cluster 0x14a34, not on EtWTRA/),
    'answer 1 or 2',
    expect.stringContaining('it must be 0x'),
    expect.stringContaining('its checksum is wrong, copy it again'),
    expect.stringContaining('is the address of a token, not of a wallet'),
    expect.stringMatching(/is not an address of Solana Devnet/),
    'the URL for customers must be https: browsers and passkeys refuse http',
    'the URL for customers must begin with https://, such as https://pay.example',
    expect.stringContaining('a proxy must be an IP address'),
    'the port must be a whole number, 1 to 65535',
    `port ${port} is in use by another program`,
    'answer y or n',
  ])
  expect([exitCode, left]).toEqual([0, []])
  const config = loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })
  expect(config).toMatchObject({ port: 8788, publicUrl: 'https://pay.example', trustedProxies: ['127.0.0.1'] })
  expect([...config.networks.values()].map(({ rpcUrls }) => rpcUrls)).toEqual([
    [`${url}/base-sepolia`],
    [`${url}/solana-devnet`],
  ])
})

test('a node that does not respond is accepted when it is entered again', async () => {
  const answers = ['Shop', 'base-sepolia', `${url}/silent`, `${url}/silent`, '', '', wallet, '', 'n']
  const { exitCode, shown, left } = await init(['--port', '8788'], answers)
  expect(shown).toContainEqual(
    expect.stringMatching(/does not respond as a node of Base Sepolia; enter it again to use it all the same$/),
  )
  expect([exitCode, left]).toEqual([0, []])
})

test('an empty answer takes the public node, and the wallet of the network before', async () => {
  const answers = ['Shop', 'base-sepolia sepolia', '', '', '', '', '1', wallet, '', '', '', 'n']
  const { exitCode, left } = await init(['--offline', '--port', '8788'], answers)
  expect([exitCode, left]).toEqual([0, []])
  const networks = [...loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') }).networks.values()]
  expect(networks.map(({ rpcUrls }) => rpcUrls)).toEqual([
    ['https://sepolia.base.org'],
    ['https://11155111.rpc.thirdweb.com'],
  ])
  expect(networks.map(({ platformWallet }) => platformWallet)).toEqual([wallet, wallet])
})

const account = HDKey.fromMasterSeed(systemRuntime.randomBytes(32))
const xpub = account.derive("m/44'/60'/0'").publicExtendedKey
const firstAddress = hdKeyToAccount(account).address

test('addresses of the own wallet are a choice per network: key and first address are checked at once, and no operator is made', async () => {
  const { exitCode, stdout, shown, left } = await init(
    ['--offline', '--port', '8788'],
    [
      ...['Shop', 'base-sepolia sepolia', '', '', '', '', '2'],
      ...['xpub123', account.derive("m/44'/60'/0'").privateExtendedKey, account.publicExtendedKey, xpub],
      ...[wallet, firstAddress],
      ...['2', '', ''],
    ],
  )
  expect([exitCode, left]).toEqual([0, []])
  expect(shown.filter((line) => !/: $/.test(line))).toEqual([
    expect.stringContaining('is not an extended public key'),
    expect.stringContaining('this is a private key: never give it to anybody'),
    expect.stringContaining('is of level 0: it must be that of an account'),
    expect.stringContaining(`the first address of this key is ${firstAddress}`),
  ])
  expect(shown.join()).not.toContain('xprv9')
  // Nobody needs gas, and nothing is deployed.
  expect(stdout).not.toMatch(/operator, 0x|deploy/)
  const config = loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })
  expect(config.operator).toBeNull()
  expect([...config.networks.values()]).toMatchObject([
    { deposits: 'xpub', platformWallet: firstAddress },
    { deposits: 'xpub', platformWallet: firstAddress },
  ])
  const db = await openDatabase(join(folder, 'checkout.sqlite'))
  const wallets = await db.read((tx) => tx.all(sql`select network, address, source from settlement_wallets`))
  await db.close()
  expect(wallets).toEqual(
    ['base-sepolia', 'sepolia'].map((network) => ({
      network,
      address: firstAddress,
      source: expect.stringMatching(/^xpub/),
    })),
  )
})

test('the choice by option: a network that needs gas keeps the operator, and what cannot be is named', async () => {
  const both = ['--name', 'Shop', '--offline', '--network', 'base-sepolia', '--network', 'sepolia']
  const named = ['--wallet', `base-sepolia=${xpub}@${firstAddress}`, '--wallet', `sepolia=${wallet}`]
  const made = await init([...both, '--deposits', 'base-sepolia=xpub', ...named, '--json'])
  expect([made.exitCode, made.shown]).toEqual([0, []])
  expect(JSON.parse(made.stdout)).toMatchObject({
    operator: expect.stringMatching(/^0x/),
    contractNetworks: ['sepolia'],
  })
  rmSync(folder, { recursive: true })
  const wrong = await init([
    ...['--name', 'Shop', '--offline', '--network', 'base-sepolia', '--network', 'solana-devnet', '--fee-bps', '100'],
    ...['--deposits', 'base-sepolia=xpub', '--deposits', 'solana-devnet=xpub', '--deposits', 'base=xpub'],
    ...['--wallet', `base-sepolia=${wallet}`, '--wallet', `solana-devnet=${solanaWallet}`],
  ])
  expect(wrong.exitCode).toBe(2)
  for (const says of [
    "--deposits base-sepolia: --fee-bps must be 0 there: the customer's transfer goes to the merchant's own wallet",
    '--deposits solana-devnet: Solana Devnet has no "xpub" addresses',
    '--deposits: there is no --network base',
  ]) {
    expect(wrong.shown.join('\n')).toContain(says)
  }
  const plain = await init([
    ...both.slice(0, 5),
    '--deposits',
    'base-sepolia=xpub',
    '--wallet',
    `base-sepolia=${wallet}`,
  ])
  expect([plain.exitCode, plain.shown.join()]).toEqual([
    2,
    expect.stringContaining('--wallet base-sepolia: it must be the extended public key of an account'),
  ])
  expect(existsSync(folder)).toBe(false)
})

test('a question is not asked for ever, and nothing is created', async () => {
  const { exitCode, shown } = await init([], Array<string>(30).fill(''))
  expect(exitCode).toBe(1)
  expect(shown.at(-1)).toBe('There were too many wrong answers. Nothing was created.')
  expect(existsSync(folder)).toBe(false)
})

test('before the first question it is known that nothing can be created in the folder', async () => {
  mkdirSync(folder)
  const made = ['--name', 'Shop', '--offline', '--network', 'base-sepolia', '--wallet', `base-sepolia=${wallet}`]
  expect((await init(made)).exitCode).toBe(0)
  const { exitCode, shown } = await init([], [])
  expect(exitCode).toBe(1)
  expect(shown).toEqual([expect.stringMatching(/^nothing was created, because these files exist: /)])
})

test('options are checked like answers: each node is asked, and a silent one needs --offline', async () => {
  const named = (path: string) => ['--network', `base-sepolia=${url}${path}`, '--wallet', `base-sepolia=${wallet}`]
  const wrong = await init(['--name', 'Shop', ...named('/base')])
  expect([wrong.exitCode, wrong.shown.join()]).toEqual([
    2,
    expect.stringContaining('is on chain 8453 (Base), not on 84532'),
  ])
  const silent = await init(['--name', 'Shop', ...named('/silent')])
  expect([silent.exitCode, silent.shown.join()]).toEqual([
    2,
    expect.stringContaining('--offline accepts it without a check'),
  ])
  expect(existsSync(folder)).toBe(false)
  expect((await init(['--name', 'Shop', ...named('/silent'), '--offline'])).exitCode).toBe(0)
  rmSync(folder, { recursive: true })
  expect((await init(['--name', 'Shop', ...named('/base-sepolia')])).exitCode).toBe(0)
})

test('the next steps are commands as the program was called, with the configuration where the folder does not name it', async () => {
  const made = ['--name', 'Shop', '--offline', '--network', 'base-sepolia', '--wallet', `base-sepolia=${wallet}`]
  const { stdout } = await init([...made, '--public-url', 'https://pay.example'])
  const config = `--config ${join(folder, 'checkout.json')}`
  const [, steps = ''] = stdout.split('Next:\n')
  expect(steps.split('\n').slice(1, 5)).toEqual([
    `2. checkout deploy base-sepolia --as-operator ${config}: deploys the contracts, if missing.`,
    `3. checkout serve ${config}: starts the service.`,
    `4. checkout doctor ${config}: checks everything, and says how to fix each problem.`,
    `5. checkout dashboard invite ${config}: prints a link for your passkey. The dashboard is https://pay.example/dashboard.`,
  ])
  rmSync(folder, { recursive: true })
  expect((await init(made, undefined, { folder })).stdout).toContain('3. checkout serve: starts the service.')
})

test('a suggested node that does not respond is not called the user’s mistake', async () => {
  const network = parseNetwork('base-sepolia')
  vi.stubGlobal('fetch', async () => await Promise.reject(new TypeError('fetch failed')))
  try {
    await expect(verifyNode(network, 'https://sepolia.base.org', systemRuntime)).rejects.toThrow(
      'the suggested node of Base Sepolia, sepolia.base.org, is not responding right now',
    )
    await expect(verifyNode(network, 'https://node.example', systemRuntime)).rejects.toThrow(
      'the node at node.example does not respond',
    )
  } finally {
    vi.unstubAllGlobals()
  }
})
