import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Config, loadConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'checkout-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'config.json')

function load(text: string, env: Record<string, string> = {}): Config {
  writeFileSync(path, text)
  return loadConfig({ BFF_CONFIG: path, ...env })
}

/** @returns each fault without the file's name. */
function faultsOf(text: string, env: Record<string, string> = {}): string[] {
  try {
    load(text, env)
  } catch (error) {
    const lines = (error as Error).message.split('\n- ').slice(1)
    return lines.map((line) => line.replace(`${path}:`, ''))
  }
  return []
}

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const operatorKey = `0x${'ab'.repeat(32)}`

test('a fault names its line and column, its setting and the rule', () => {
  const text = `{
  "port": 70000,
  "platform": {
    "feeBps": 10001
  },
  "networks": [
    { "shortName": "base", "rpcUrls": ["ftp://node.example"], "confirmations": 0 }
  ]
}`
  expect(faultsOf(text)).toEqual([
    '2:3: port: must be at most 65535',
    '4:5: platform.feeBps: must be at most 10000',
    '7:40: networks.0.rpcUrls.0: must be a URL: https://…',
    '7:63: networks.0.confirmations: must be at least 1',
    '7:5: networks.0.platformWallet: is required: text',
  ])
})

test('an unknown setting is refused with the nearest existing name', () => {
  const text = `{
  "prot": 1,
  "platform": { "feeBPS": 1, "fee": 1 },
  "contractPayments": { "windowSecond": 60 },
  "networks": [{
    "shortName": "base", "rpcUrls": ["https://node.example"], "platformWallet": "${wallet}",
    "confirmation": 3, "tokens": [{ "symbol": "USDC", "adress": "${wallet}" }]
  }],
  "colour": "green"
}`
  const faults = faultsOf(text)
  const meant = (at: string, setting: string, other: string) =>
    `${at}: ${setting}: unknown setting; did you mean "${other}"?`
  expect(faults).toEqual(
    expect.arrayContaining([
      meant('2:3', 'prot', 'port'),
      meant('3:17', 'platform.feeBPS', 'feeBps'),
      meant('3:30', 'platform.fee', 'feeBps'),
      meant('4:25', 'contractPayments.windowSecond', 'windowSeconds'),
      meant('7:5', 'networks.0.confirmation', 'confirmations'),
      meant('7:55', 'networks.0.tokens.0.adress', 'address'),
      expect.stringMatching(/^9:3: colour: unknown setting; known: host, port, database/),
    ]),
  )
  expect(faults).toHaveLength(8)
  expect(faults).toContain('3:3: platform.feeBps: is required: a number')
})

test('an unknown setting of a network names each known setting once', () => {
  const [fault = ''] = faultsOf('{ "networks": [{ "shortName": "base", "flavourOfChain": 1 }] }').filter((one) =>
    one.includes('flavourOfChain'),
  )
  const known = fault.split('known: ')[1]?.split(', ') ?? []
  expect(known).toContain('shortName')
  expect(new Set(known).size).toBe(known.length)
})

test('a duplicate setting is refused, because only one could apply', () => {
  expect(faultsOf('{ "port": 1,\n "port": 2 }')).toEqual(['2:2: port: is set twice: remove one'])
})

test('text that is not JSON is refused with its position, and never quoted', () => {
  expect(faultsOf('{\n  "networks": [{ "rpcUrls": [https://node.example/secret-key] }]\n}')).toEqual([
    '2:30: is not valid JSON from here on',
  ])
  expect(faultsOf('{ "port": 1')).toEqual(['1:12: is not valid JSON from here on'])
})

test('comments are allowed in the file', () => {
  expect(load('{\n  // beside the proxy\n  "port": 9000 /* not 8787 */\n}').port).toBe(9000)
})

test('conflicting networks are refused with their position', () => {
  const network = `{ "shortName": "base", "rpcUrls": ["https://node.example"], "platformWallet": "${wallet}" }`
  const text = `{ "networks": [\n  ${network},\n  ${network}\n] }`
  expect(faultsOf(text, { OPERATOR_PRIVATE_KEY: operatorKey })).toEqual([
    '3:3: networks.1 (base): shortName is used twice',
    '3:3: networks.1 (base): chainId is used twice',
  ])
})

test('deposits to the merchants’ own addresses need no operator, and exclude a share and gas of the service, by name', () => {
  const network = (more: string) =>
    `{ "shortName": "base", "rpcUrls": ["https://node.example"], "platformWallet": "${wallet}", "deposits": "xpub"${more} }`
  const file = (feeBps: number, more = '') => `{ "platform": { "feeBps": ${feeBps} }, "networks": [${network(more)}] }`
  expect(load(file(0)).operator).toBeNull()
  expect(load(file(0)).networks.get('base')).toMatchObject({ deposits: 'xpub' })
  expect(faultsOf(file(1))).toEqual([expect.stringContaining('platform.feeBps must be 0 with deposits "xpub"')])
  expect(faultsOf(file(1))[0]).toContain(
    'nobody splits it. Without a share there, set platformShare of the network to false',
  )
  expect(load(file(1, ', "platformShare": false')).feeBps).toBe(1)
  expect(
    faultsOf(file(1, ', "platformShare": false').replace('xpub', 'forwarder'), { OPERATOR_PRIVATE_KEY: operatorKey }),
  ).toEqual([expect.stringContaining('platformShare can be false only with deposits "virtual" or "xpub"')])
  expect(faultsOf(file(0, ', "signatureGas": { "coinPrice": "3000" }'))).toEqual([
    expect.stringContaining('signatureGas must be null'),
  ])
  expect(faultsOf(file(0, ', "sweepGas": { "coinPrice": "3000", "maxBps": 100 }'))).toEqual([
    expect.stringContaining('sweepGas must be null'),
  ])
  expect(faultsOf(file(0).replace('xpub', 'xpud'))).toEqual([expect.stringContaining('deposits: must be forwarder')])
})

test('virtual addresses exclude a share, by name and with the reason, unless the network takes none', () => {
  const file = (feeBps: number, more = '') =>
    `{ "platform": { "feeBps": ${feeBps} }, "networks": [{ "shortName": "tempo", "rpcUrls": ["https://node.example"], "platformWallet": "${wallet}"${more} }] }`
  expect(load(file(0)).networks.get('tempo')).toMatchObject({ deposits: 'virtual' })
  expect(faultsOf(file(1))).toEqual([
    expect.stringContaining(
      'platform.feeBps must be 0 with deposits "virtual": a virtual address credits the whole transfer to one wallet',
    ),
  ])
  expect(load(file(1, ', "platformShare": false')).feeBps).toBe(1)
})

test('a network of Tron is given in full, takes USDT alone, and excludes what needs a key or a share, by name', () => {
  const usdt = { symbol: 'USDT', name: 'Tether USD', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6 }
  const tron = {
    ...{ family: 'tron', shortName: 'tron', name: 'Tron', chainId: 728126428, confirmations: 19, pollMs: 3000 },
    ...{ explorerUrl: 'https://tronscan.org/#', rpcUrls: ['https://a.example/jsonrpc'], tokens: [usdt] },
  }
  const textOf = (change: object, more: object = {}) => JSON.stringify({ networks: [{ ...tron, ...change }], ...more })
  // No key is asked for.
  const { networks, operator } = load(textOf({}))
  expect(operator).toBeNull()
  expect(networks.get('tron')).toMatchObject({
    family: 'tron',
    finalityBlocks: 128,
    nativeCurrency: { symbol: 'TRX', decimals: 6 },
    signatureGas: null,
    tokens: [{ ...usdt, permit: null, authorization: null }],
  })
  const faults = (change: object, more?: object) =>
    faultsOf(textOf(change, more)).map((line) => line.replace(/^[\d:]+ /, ''))
  const at = 'networks.0'
  expect(faults({ deposits: 'forwarder' })).toEqual([
    `${at}.deposits: must be "xpub": deposits on Tron are addresses of the merchant's own wallet`,
  ])
  expect(faults({ tokens: [{ ...usdt, symbol: 'USDC' }] })).toEqual([
    `${at}.tokens.0.symbol: must be USDT: no other token is issued on Tron`,
  ])
  expect(faults({ tokens: [{ ...usdt, address: '0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C' }] })[0]).toContain(
    `${at}.tokens.0.address: must be a Tron address: T and 33 characters in base58`,
  )
  expect(faults({ tokens: [{ ...usdt, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u' }] })).toEqual([
    `${at}.tokens.0.address: must be a Tron address: its checksum is wrong, copy it again`,
  ])
  expect(faults({ confirmations: 129 })).toEqual([`${at} (tron): finalityBlocks is less than confirmations`])
  expect(faults({ highValue: { amount: '1000', confirmations: 5 } })).toEqual([
    `${at} (tron): highValue.confirmations is not between confirmations and finalityBlocks`,
  ])
  for (const name of ['factory', 'platformWallet', 'signatureGas', 'sweepGas'])
    expect(faults({ [name]: '1' })[0]).toContain(`${at}.${name}: `)
  expect(faults({}, { platform: { feeBps: 150 } })[0]).toContain('set platformShare of the network to false')
  expect(faults({ platformShare: false }, { platform: { feeBps: 150 } })).toEqual([])
  expect(faults({ platformShare: true })[0]).toContain(`${at}.platformShare: must be false, or left out`)
})

test('BFF_PORT overrides the file, and is ignored when empty', () => {
  expect(load('{ "port": 1 }', { BFF_PORT: '8787' }).port).toBe(8787)
  expect(load('{ "port": 1 }', { BFF_PORT: '' }).port).toBe(1)
  expect(faultsOf('{}', { BFF_PORT: 'none' })).toEqual(['BFF_PORT must be a port number'])
})

test('BFF_HOST overrides the file, as in a container, and is ignored when empty', () => {
  expect(load('{}', { BFF_HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  expect(load('{ "host": "::1" }', { BFF_HOST: '' }).host).toBe('::1')
})

test('paths in the file are relative to the file', () => {
  expect(load('{ "database": "shop.sqlite" }').database).toBe(join(folder, 'shop.sqlite'))
  expect(load('{ "database": "shop.sqlite" }', { DATABASE_PATH: 'here.sqlite' }).database).toBe('here.sqlite')
  expect(load('{}').database).toBe('data/checkout.sqlite')
})

const secretsKey = Buffer.alloc(32, 1).toString('base64')
const url = 'postgres://shop:pa%40ss@db.example:5432/checkout'

test('a PostgreSQL database is set by the file or by DATABASE_URL, which wins', () => {
  const env = { SECRETS_KEY: secretsKey }
  expect(load(`{ "database": "${url}" }`, env).database).toBe(url)
  expect(load('{ "database": "shop.sqlite" }', { ...env, DATABASE_URL: url }).database).toBe(url)
  expect(load('{ "database": "shop.sqlite" }', { DATABASE_URL: '' }).database).toBe(join(folder, 'shop.sqlite'))
})

test('an invalid database URL is refused without quoting it', () => {
  const env = { SECRETS_KEY: secretsKey }
  const faults = [
    ...faultsOf('{ "database": "mysql://shop:geheim@db.example/checkout" }', env),
    ...faultsOf('{ "database": "postgres://shop:geheim@db.example" }', env),
    ...faultsOf('{ "database": "postgres://shop:ge#heim:x@db.example/checkout" }', env),
    ...faultsOf('{}', { ...env, DATABASE_URL: 'geheim.sqlite' }),
    ...faultsOf('{}', { ...env, DATABASE_URL: url, DATABASE_PATH: 'shop.sqlite' }),
    ...faultsOf('{}', { DATABASE_URL: url }),
  ]
  expect(faults).toEqual([
    '1:3: database: must be a path, or a URL such as postgres://user:password@host:5432/checkout',
    '1:3: database: must name the database, as in postgres://user:password@host:5432/checkout',
    '1:3: database: must be a valid URL: special characters of the password are written as %40, %2F and so on',
    'environment: DATABASE_URL: must begin with postgres://; set a SQLite file by DATABASE_PATH',
    'both DATABASE_URL and DATABASE_PATH are set: remove one',
    'SECRETS_KEY or SECRETS_KEY_FILE is required with PostgreSQL: the key file exists only beside a SQLite file',
  ])
  expect(faults.join()).not.toMatch(/geheim|heim/)
})

test('the operator is one key or one signer', () => {
  const signer = `{ "operator": { "signer": "https://signer.example", "address": "${wallet}" } }`
  expect(load(signer).operator).toEqual({ kind: 'signer', url: 'https://signer.example', address: wallet, token: null })
  expect(load(signer, { OPERATOR_SIGNER_TOKEN: 'let-me-in' }).operator).toMatchObject({ token: 'let-me-in' })
  expect(load('{}', { OPERATOR_PRIVATE_KEY: operatorKey }).operator).toEqual({ kind: 'key', privateKey: operatorKey })
  expect(faultsOf(signer, { OPERATOR_PRIVATE_KEY: operatorKey })).toEqual([
    'both operator.signer and OPERATOR_PRIVATE_KEY are set: remove one',
  ])
  for (const near of ['http://127.0.0.1:9000/', 'http://localhost:9000', 'http://[::1]:9000/rpc']) {
    expect(load(signer.replace('https://signer.example', near)).operator).toMatchObject({ url: near })
  }
  expect(faultsOf(signer.replace('dc79C8', 'dc79c8'))).toEqual([
    expect.stringContaining('operator.address: must be an address, with its checksum'),
  ])
})

test.each([
  'http://signer.example',
  'http://10.0.0.7:9000',
  'http://localhost.evil.example',
  'http://127.0.0.1@evil.example/',
  'http://localhost:9000@evil.example/',
])('the token of the operator’s signer is never sent over plain http: %s', (url) => {
  expect(faultsOf(`{ "operator": { "signer": "${url}", "address": "${wallet}" } }`)).toEqual([
    '1:17: operator.signer: must be https, unless it is on this machine: the signer’s token is sent to it',
  ])
})

test('former operators are keys of the environment and signers of the file, and invalid text is refused without quoting it', () => {
  const keys = [`0x${'cd'.repeat(32)}`, `0x${'ef'.repeat(32)}`]
  const file = JSON.stringify({ formerOperators: [{ signer: 'https://signer.example', address: wallet }] })
  const { formerOperators } = load(file, { FORMER_OPERATOR_KEYS: keys.join(', '), OPERATOR_SIGNER_TOKEN: 'let-me-in' })
  expect(formerOperators).toEqual([
    { kind: 'signer', url: 'https://signer.example', address: wallet, token: 'let-me-in' },
    ...keys.map((privateKey) => ({ kind: 'key', privateKey })),
  ])
  expect(load('{}').formerOperators).toEqual([])
  expect(faultsOf('{}', { FORMER_OPERATOR_KEYS: `${keys[0]};${keys[1]}` })).toEqual([
    'environment: FORMER_OPERATOR_KEYS: must be at most 20 comma-separated keys, each 0x and 64 hex digits',
  ])
})

test('a command that uses no secret requires none, and ignores malformed ones', () => {
  const text = JSON.stringify({
    secretsFile: join(folder, 'nowhere.json'),
    networks: [{ shortName: 'base', rpcUrls: ['https://node.example'], platformWallet: wallet }],
  })
  expect(faultsOf(text)).not.toEqual([])
  const env = { BFF_CONFIG: path, OPERATOR_PRIVATE_KEY: 'lost', SECRETS_KEY: 'lost' }
  expect(loadConfig(env, 'none')).toMatchObject({ operator: null, secretsKey: null })
  expect(loadConfig(env, 'none').networks.size).toBe(1)
  expect(() => loadConfig(env, 'key')).toThrow('SECRETS_KEY')
  const secretsKey = 'ab'.repeat(32)
  expect(loadConfig({ ...env, SECRETS_KEY: secretsKey }, 'key').secretsKey).toEqual(Buffer.from(secretsKey, 'hex'))
  const onPostgres = { ...env, DATABASE_URL: 'postgres://shop@localhost/checkout', SECRETS_KEY: '' }
  expect(loadConfig(onPostgres, 'none').database).toBe(onPostgres.DATABASE_URL)
})

/** @param isTestnet - Of the one network; base is no testnet. */
const withParts = (parts: object, network: object = {}, isTestnet = false) =>
  JSON.stringify({
    parts,
    networks: [{ shortName: 'base', isTestnet, rpcUrls: ['https://node.example'], platformWallet: wallet, ...network }],
  })
const partsOf = (text: string) => load(text, { OPERATOR_PRIVATE_KEY: operatorKey }).parts

test('with real money, tools and x402 are off until they are switched on; dashboard, links, notices and reports are on', () => {
  const usual = { dashboard: true, links: true, notices: true, reports: true }
  expect(partsOf(withParts({}))).toEqual({ ...usual, stores: false, tools: false, x402: false })
  expect(partsOf(withParts({ tools: true, x402: true }))).toEqual({ ...usual, stores: false, tools: true, x402: true })
  expect(partsOf(withParts({ dashboard: false }))).toMatchObject({ dashboard: false, reports: false, links: true })
  expect(partsOf(withParts({ dashboard: false, reports: true }))).toMatchObject({ dashboard: false, reports: true })
})

test('x402 is on where a network has signatureGas, which pays for it', () => {
  const signatureGas = { coinPrice: '3000' }
  expect(partsOf(withParts({}, { signatureGas }))).toMatchObject({ x402: true, tools: false })
  expect(partsOf(withParts({ x402: false }, { signatureGas })).x402).toBe(false)
})

test('every part but stores is on for testnets and without a configuration, for a newcomer to see', () => {
  const all = { dashboard: true, links: true, notices: true, reports: true, stores: false, tools: true, x402: true }
  expect(loadConfig({}).parts).toEqual(all)
  expect(partsOf(withParts({}, {}, true))).toEqual(all)
  expect(partsOf(withParts({ tools: false, x402: false }, {}, true))).toMatchObject({ tools: false, x402: false })
})

test('an unknown part, and a part that is on without one that it needs, are refused with the place', () => {
  expect(faultsOf('{ "parts": { "link": true } }')).toEqual([
    '1:14: parts.link: unknown setting; did you mean "links"?',
  ])
  expect(faultsOf('{ "parts": { "links": false, "tools": true } }')).toEqual([
    '1:3: parts.links: dashboard needs it: switch it on, or set parts.dashboard to false too',
    '1:3: parts.links: tools needs it: switch it on, or set parts.tools to false too',
  ])
  expect(faultsOf('{ "parts": { "links": false, "dashboard": false } }')).toEqual([])
})
