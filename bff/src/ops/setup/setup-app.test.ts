import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKnownTestnet } from '@stablecoin-checkout/rig/devnet/known-testnet'
import { localPage, openSetupStage, setupShop } from '@stablecoin-checkout/rig/setup-stage'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { withFolderLock } from '../cli/folder-lock.ts'
import { withDb } from '../cli/with-db.ts'
import { loadConfig } from '../config/config.ts'
import { folderFault } from './create-service.ts'
import { keepCheck } from './setup-draft.ts'

const chain = await startKnownTestnet()
afterAll(() => chain.stop())

const hourMs = 3_600_000
const account = privateKeyToAccount(generatePrivateKey())

let folder: string
let nowMs: number
let setup: Stage

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-setup-'))
  nowMs = Date.now()
  setup = openSetupStage(folder, () => nowMs)
})
afterEach(async () => {
  await setup.close()
  rmSync(folder, { recursive: true })
})

type Stage = ReturnType<typeof openSetupStage>
const send: Stage['send'] = (...args) => setup.send(...args)
const refusalOf: Stage['refusalOf'] = (...args) => setup.refusalOf(...args)
const signIn: Stage['signIn'] = (...args) => setup.signIn(...args)
const answerAll = (cookie: string) => setup.answerAll(cookie, chain.rpcUrl, account.address)

describe('the link', () => {
  test('is good once, for one browser, and tells a stranger nothing of it', async () => {
    const wrong = { body: { token: 'A'.repeat(43) } }
    expect(await refusalOf('link', wrong)).toEqual([401, 'LINK_REFUSED', null])
    const cookie = await signIn()
    expect(await send('state', { cookie })).toMatchObject({ status: 200 })
    expect(await refusalOf('link', { body: { token: setup.token } })).toEqual([401, 'LINK_USED', null])
    expect(await refusalOf('link', wrong)).toEqual([401, 'LINK_REFUSED', null])
    expect(await refusalOf('state', {})).toEqual([401, 'NO_SESSION', null])
    expect(await refusalOf('state', { cookie: `checkout-setup=${setup.token}` })).toEqual([401, 'NO_SESSION', null])
  })

  test('ends after an hour, and its session after a working day', async () => {
    nowMs += hourMs
    expect(await refusalOf('link', { body: { token: setup.token } })).toEqual([401, 'LINK_ENDED', null])
    nowMs -= 1
    const cookie = await signIn()
    nowMs += 12 * hourMs
    expect(await refusalOf('state', { cookie })).toEqual([401, 'LINK_ENDED', null])
  })

  test.each([
    ['an address without a name', 'http://192.0.2.1:8787'],
    ['a name without https', 'http://evil.example:8787'],
    ['an IP address with https', 'https://192.0.2.1'],
  ])('is not taken at %s, where there are no passkeys', async (_, at) => {
    expect(await refusalOf('link', { body: { token: setup.token }, at })).toEqual([400, 'ADDRESS', null])
    expect(await signIn()).toContain('checkout-setup=')
  })

  test('sets a cookie of this host alone, by https with its prefix', async () => {
    const { cookie } = await send('link', { body: { token: setup.token }, at: 'https://pay.example' })
    expect(cookie).toMatch(/^__Host-checkout-setup=[\w-]{43}; .*HttpOnly; Secure; SameSite=Strict$/)
  })

  test('another site’s page cannot use it, nor the session', async () => {
    const evil = { origin: 'https://evil.example' }
    expect(await refusalOf('link', { body: { token: setup.token }, headers: evil })).toEqual([400, 'ADDRESS', null])
    const cookie = await signIn()
    expect(await refusalOf('shop', { method: 'PUT', body: setupShop, cookie, headers: evil })).toEqual([
      ...[403, 'CROSS_ORIGIN', null],
    ])
    const framed = { 'sec-fetch-site': 'cross-site' }
    expect(await refusalOf('state', { cookie, headers: framed })).toEqual([403, 'CROSS_ORIGIN', null])
  })
})

test('without the session, no request of the page is answered', async () => {
  const asked: [string, string][] = [
    ['GET', 'state'],
    ['POST', 'owner/options'],
    ['PUT', 'owner'],
    ['PUT', 'shop'],
    ['POST', 'nodes'],
    ['PUT', 'networks'],
    ['PUT', 'deposits'],
    ['POST', 'account/check'],
    ['PUT', 'account'],
    ['POST', 'wallets/proof'],
    ['PUT', 'wallets'],
    ['PUT', 'options'],
    ['POST', 'create'],
    ['GET', 'gas'],
    ['POST', 'deploy'],
    ['POST', 'start'],
  ]
  const declared = setup.app.routes.filter(({ path, method }) => path.startsWith('/setup/api/') && method !== 'ALL')
  const known = [...asked, ['POST', 'link']].map(([method, path]) => `${method} /setup/api/${path}`)
  expect([...new Set(declared.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(known.sort())
  for (const [method, path] of asked) {
    const sent = method === 'GET' ? {} : { method, body: {} }
    expect(await refusalOf(path, sent), path).toEqual([401, 'NO_SESSION', null])
  }
})

test('everything else is not there, and a body has a bound', async () => {
  for (const path of ['/api/v1/payments', '/setup/api', '/dashboard/assets/x.js']) {
    expect((await setup.app.request(path)).status, path).toBe(404)
  }
  // The page says where the link is.
  for (const path of ['/', '/dashboard', '/dashboard/'])
    expect((await setup.app.request(path)).headers.get('location'), path).toBe('/setup')
  expect((await setup.app.request('/api/health')).status).toBe(200)
  const body = { ...setupShop, name: 'x'.repeat(70_000) }
  const huge = { method: 'PUT', body, cookie: await signIn(), headers: { 'content-length': '70100' } }
  expect(await refusalOf('shop', huge)).toEqual([413, 'BODY_TOO_LARGE', null])
})

describe('a wrong answer', () => {
  test.each<[string, string, object, unknown[]]>([
    ['a shop without a name', 'shop', { ...setupShop, name: ' ' }, [400, 'INVALID', 'name']],
    ['no currency', 'shop', { ...setupShop, currency: 'XXY' }, [400, 'CURRENCY_UNKNOWN', 'currency']],
    ['an unknown language', 'shop', { ...setupShop, language: 'xx' }, [400, 'INVALID', 'language']],
    ['no network', 'networks', { networks: [] }, [400, 'NETWORKS_MISSING', 'networks']],
    [
      'an unknown network',
      'networks',
      { networks: [{ network: 'mars', rpcUrls: ['https://x.example'] }] },
      [400, 'NETWORK_UNKNOWN', 'mars'],
    ],
    [
      'test money beside real money',
      'networks',
      { networks: ['base', 'sepolia'].map((network) => ({ network, rpcUrls: ['https://x.example'] })) },
      [400, 'NETWORKS_MIXED', 'networks'],
    ],
    [
      'a network without a node',
      'networks',
      { networks: [{ network: 'base', rpcUrls: [] }] },
      [400, 'NODE_MISSING', 'base'],
    ],
    [
      'a node twice',
      'networks',
      { networks: [{ network: 'base', rpcUrls: ['https://x.example', 'https://x.example'] }] },
      [400, 'NODE_TWICE', 'base'],
    ],
    [
      'a node that does not answer',
      'networks',
      { networks: [{ network: 'sepolia', rpcUrls: ['http://127.0.0.1:9'] }] },
      [400, 'NODE_BAD', 'sepolia'],
    ],
    ['Relay without a network', 'options', { relay: true, rates: null }, [400, 'RELAY_UNAVAILABLE', 'relay']],
    ['unknown rates', 'options', { relay: false, rates: 'mars' }, [400, 'INVALID', 'rates']],
    ['a wallet before its network', 'wallets', { family: 'evm', address: 'x' }, [400, 'NETWORKS_MISSING', 'networks']],
  ])('is refused at its field: %s', async (_, path, body, refusal) => {
    const cookie = await signIn()
    expect(await refusalOf(path, { method: 'PUT', body, cookie })).toEqual(refusal)
  })

  test('a passkey of another challenge or page is refused', async () => {
    const cookie = await signIn()
    const { answer } = await send('owner/options', { body: { name: 'Ada' }, cookie })
    const options = answer['options'] as Parameters<typeof setup.passkey.register>[0]
    const refusal = [400, 'PASSKEY_REFUSED', null]
    const register = (response: object, name = 'Ada') => ({ method: 'PUT', body: { name, response }, cookie })
    expect(await refusalOf('owner', register(setup.passkey.register(options, 'http://localhost:1')))).toEqual(refusal)
    const own = setup.passkey.register(options, localPage)
    expect(await refusalOf('owner', register(own, 'Eve'))).toEqual(refusal)
    nowMs += 6 * 60_000
    expect(await refusalOf('owner', register(own))).toEqual(refusal)
  })

  test('a currency without rates is refused before the service is created', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    await send('shop', { method: 'PUT', body: { ...setupShop, currency: 'EUR' }, cookie })
    expect(await refusalOf('options', { method: 'PUT', body: { relay: false, rates: null }, cookie })).toEqual([
      ...[400, 'RATES_NEEDED', 'rates'],
    ])
    expect(await refusalOf('create', { body: {}, cookie })).toEqual([400, 'RATES_NEEDED', 'rates'])
  })

  test('a source of rates that lacks the currency is refused, also when the currency was changed afterwards', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    const choose = (rates: string) => refusalOf('options', { method: 'PUT', body: { relay: false, rates }, cookie })
    const shop = (currency: string) => send('shop', { method: 'PUT', body: { ...setupShop, currency }, cookie })
    await shop('JPY')
    expect(await choose('kraken')).toEqual([400, 'RATES_LACKING', 'rates'])
    expect(await choose('ecb')).toEqual([200, undefined, undefined])
    expect(await choose('coinbase'), 'does not list its currencies').toEqual([200, undefined, undefined])
    await shop('EUR')
    expect(await choose('kraken')).toEqual([200, undefined, undefined])
    await shop('JPY')
    expect(await refusalOf('create', { body: {}, cookie })).toEqual([400, 'RATES_LACKING', 'rates'])
  })
})

describe('a node', () => {
  const check = (body: object, cookie: string, at = localPage) => send('nodes', { body, cookie, at })

  test('is checked for its chain and for what it cannot do', async () => {
    const cookie = await signIn()
    const good = await check({ network: 'sepolia', url: chain.rpcUrl }, cookie)
    expect(good.answer['check']).toMatchObject({ isUsable: true, url: chain.rpcUrl })
    const other = await check({ network: 'base', url: chain.rpcUrl }, cookie)
    expect(other.answer['check']).toMatchObject({ isUsable: false, notes: [{ code: 'chain.bad' }] })
    const dead = await check({ network: 'sepolia', url: 'http://127.0.0.1:9/key' }, cookie)
    expect(dead.answer['check']).toMatchObject({ isUsable: false, notes: [{ code: 'rpc.bad' }] })
    expect(JSON.stringify(dead.answer['check']).replace('"url":"http://127.0.0.1:9/key"', '')).not.toContain('/key')
  })

  test.each([
    ['ftp://node.example', localPage, 'NODE_URL'],
    ['node.example', localPage, 'NODE_URL'],
    ['http://node.example', 'https://pay.example', 'NODE_URL'],
    ['http://127.0.0.1:8545', 'https://pay.example', 'NODE_PRIVATE'],
    ['https://10.0.0.1', 'https://pay.example', 'NODE_PRIVATE'],
    ['https://[::1]:8545', 'https://pay.example', 'NODE_PRIVATE'],
    ['https://localhost:8545', 'https://pay.example', 'NODE_PRIVATE'],
    ['https://2130706433', 'https://pay.example', 'NODE_PRIVATE'],
  ])('%s typed at %s is refused: %s', async (url, at, code) => {
    const cookie = await signIn(at)
    const { status, answer } = await check({ network: 'sepolia', url }, cookie, at)
    expect([status, answer.code, answer.field]).toEqual([400, code, 'url'])
  })

  test('the secrets of a virtual machine’s host are asked by nobody', async () => {
    const cookie = await signIn()
    const { answer } = await check({ network: 'sepolia', url: 'http://169.254.169.254/latest' }, cookie)
    expect(answer['check']).toMatchObject({ isUsable: false, notes: [{ code: 'rpc.bad' }] })
  })

  test('sixty are checked in a minute', async () => {
    const cookie = await signIn()
    const many = Array.from({ length: 60 }, () => check({ network: 'sepolia', url: chain.rpcUrl }, cookie))
    for (const { status } of await Promise.all(many)) expect(status).toBe(200)
    const sent = { body: { network: 'sepolia', url: chain.rpcUrl }, cookie }
    expect(await refusalOf('nodes', sent)).toEqual([429, 'TOO_MANY_CHECKS', 'url'])
    nowMs += 60_000
    expect((await send('nodes', sent)).status).toBe(200)
  })
})

describe('a wallet', () => {
  const testUsdc = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
  const put = (body: object, cookie: string) => ({ method: 'PUT', body: { family: 'evm', ...body }, cookie })

  test.each([
    ['no address', 'x', 'WALLET_FORMAT'],
    ['a wrong checksum', testUsdc.replace('D4', 'd4'), 'WALLET_CHECKSUM'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'WALLET_ZERO'],
    ['a token', testUsdc, 'WALLET_TOKEN'],
  ])('that is %s is refused', async (_, address, code) => {
    const cookie = await signIn()
    await answerAll(cookie)
    const sent = put({ address, retyped: address.slice(-6) }, cookie)
    expect(await refusalOf('wallets', sent)).toEqual([400, code, 'address'])
  })

  test('is proven by its signature over this request, once, or by its end', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    const { address } = account
    const ask = async () =>
      String((await send('wallets/proof', { body: { family: 'evm', address }, cookie })).answer['message'])
    const notSigned = [400, 'WALLET_NOT_SIGNED', 'signature']
    const message = await ask()
    expect(message).toContain('Corner Coffee asks for its payments')
    const stranger = privateKeyToAccount(generatePrivateKey())
    const wrong = await stranger.signMessage({ message })
    expect(await refusalOf('wallets', put({ address, signature: wrong }, cookie))).toEqual(notSigned)
    const late = await account.signMessage({ message })
    expect(await refusalOf('wallets', put({ address, signature: late }, cookie))).toEqual(notSigned)
    const sign = async () => await account.signMessage({ message: await ask() })
    const other = { address: stranger.address, signature: await sign() }
    expect(await refusalOf('wallets', put(other, cookie))).toEqual(notSigned)
    const signature = await sign()
    expect(await send('wallets', put({ address, signature }, cookie))).toMatchObject({ status: 200 })
    expect(await refusalOf('wallets', put({ address, signature }, cookie))).toEqual(notSigned)
    const mistyped = put({ address, retyped: 'abcdef' }, cookie)
    expect(await refusalOf('wallets', mistyped)).toEqual([400, 'WALLET_NOT_RETYPED', 'retyped'])
  })
})

test('the page offers no network whose wallet must be registered first, and names it', async () => {
  const { answer } = await send('state', { cookie: await signIn() })
  expect(answer['later']).toEqual(['Tempo'])
  expect(answer['offered']).not.toContainEqual(expect.objectContaining({ network: 'tempo' }))
})

describe('a wallet for several networks', () => {
  const baseUsdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  test('is asked for again when it cannot be the wallet of a network that was added', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    const put = (path: string, body: object) => send(path, { method: 'PUT', body, cookie })
    await put('wallets', { family: 'evm', address: baseUsdc, retyped: baseUsdc.slice(-6) })
    keepCheck(setup.draft, 'base-sepolia', { url: chain.rpcUrl, isUsable: true, notes: [] })
    const networks = ['sepolia', 'base-sepolia'].map((network) => ({ network, rpcUrls: [chain.rpcUrl] }))
    expect(await put('networks', { networks })).toMatchObject({ status: 200 })
    expect((await send('state', { cookie })).answer['answers']).toMatchObject({ wallets: [] })
    setup.draft.wallets.set('evm', { address: baseUsdc, signed: null })
    expect(await refusalOf('create', { body: {}, cookie })).toEqual([400, 'WALLET_TOKEN', 'address'])
  })
})

describe('the service', () => {
  test('is created once, from all answers, with the owner’s passkey and session', async () => {
    const cookie = await signIn()
    expect(await refusalOf('create', { body: {}, cookie })).toEqual([409, 'ANSWERS_MISSING', null])
    expect(await refusalOf('start', { body: {}, cookie })).toEqual([409, 'NOT_CREATED', null])
    expect(await refusalOf('gas', { cookie })).toEqual([409, 'NOT_CREATED', null])
    await answerAll(cookie)
    expect(readdirSync(folder)).toEqual([])
    const [made, second] = await Promise.all([1, 2].map(() => send('create', { body: {}, cookie })))
    expect(second?.answer.code).toBe('BUSY')
    expect(made?.cookie).toMatch(/^checkout-session=[\w-]{43}; /)
    expect(made?.answer['created']).toMatchObject({ merchant: { apiSecret: expect.stringMatching(/^sk_/) } })
    expect(readdirSync(folder).sort()).toEqual([
      ...['checkout.json', 'checkout.secrets.json', 'checkout.sqlite', 'checkout.sqlite.key'],
    ])
    const config = loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })
    expect(config).toMatchObject({ publicUrl: localPage, port: 8787, rates: { kind: 'parity' } })
    expect(config.networks.get('sepolia')).toMatchObject({ rpcUrls: [chain.rpcUrl], platformWallet: account.address })
    const people = await withDb(config, (db) => db.read((tx) => tx.all(sql`select name, role from people`)))
    expect(people).toEqual([{ name: 'Ada', role: 'owner' }])
    const currency = await withDb(config, (db) => db.read((tx) => tx.get(sql`select currency from merchants`)))
    expect(currency).toEqual({ currency: setupShop.currency })
    expect(await refusalOf('shop', { method: 'PUT', body: setupShop, cookie })).toEqual([409, 'ALREADY_CREATED', null])
    expect(setup.started).toEqual([])
    expect(await send('start', { body: {}, cookie })).toMatchObject({ status: 200 })
    expect(await refusalOf('start', { body: {}, cookie })).toEqual([409, 'BUSY', null])
    expect(await refusalOf('deploy', { body: { network: 'sepolia' }, cookie })).toEqual([409, 'BUSY', 'network'])
    expect(setup.started).toEqual([join(folder, 'checkout.json')])
    expect((await send('state', { cookie })).answer['created']).toBeNull()
  })

  test('that another process has created in the folder is kept', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    writeFileSync(join(folder, 'checkout.sqlite'), 'books')
    expect(await refusalOf('create', { body: {}, cookie })).toEqual([409, 'FILES_EXIST', null])
    writeFileSync(join(folder, 'checkout.json'), '{}')
    expect(await refusalOf('create', { body: {}, cookie })).toEqual([409, 'FILES_EXIST', null])
    expect(readdirSync(folder).sort()).toEqual(['checkout.json', 'checkout.sqlite'])
  })

  test('deploys its contracts with the operator’s coin, and says what it lacks', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    await send('create', { body: {}, cookie })
    type Gas = { address: string; isEnough: boolean; isDeployed: boolean; deployment: { code: string } | null }
    const read = async () => ((await send('gas', { cookie })).answer['networks'] as Gas[])[0] as Gas
    const before = await read()
    expect(before).toMatchObject({ balance: '0.00', isEnough: false, isDeployed: false })
    const deploy = () => send('deploy', { body: { network: 'sepolia' }, cookie })
    expect((await deploy()).status).toBe(200)
    await expect.poll(async () => (await read()).deployment?.code).toBe('GAS_MISSING')
    await chain.fund(before.address, '1')
    expect((await read()).isEnough).toBe(true)
    await deploy()
    await expect.poll(async () => (await read()).isDeployed).toBe(true)
  })
})

describe('a folder', () => {
  test('with books and without their configuration is not set up', () => {
    expect(folderFault(folder, systemRuntime)).toBeNull()
    expect(existsSync(join(folder, 'checkout.json'))).toBe(false)
    writeFileSync(join(folder, 'checkout.sqlite'), 'books')
    expect(folderFault(folder, systemRuntime)).toContain('holds checkout.sqlite without checkout.json')
    writeFileSync(join(folder, 'checkout.json.unfinished'), '{}')
    expect(folderFault(folder, systemRuntime)).toBeNull()
  })

  test('that cannot be written is refused before any question', () => {
    expect(folderFault(join(folder, 'none'), systemRuntime)).toBe('cannot be written by this process')
    mkdirSync(join(folder, 'none'))
    expect(folderFault(join(folder, 'none'), systemRuntime)).toBeNull()
  })

  test('in which a set-up was killed is set up again at once', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    const draft = join(folder, 'checkout.json.unfinished')
    for (const name of [draft, join(folder, 'checkout.sqlite'), join(folder, 'checkout.secrets.json')]) {
      writeFileSync(name, 'half')
    }
    expect(await send('create', { body: {}, cookie })).toMatchObject({ status: 200 })
    expect(existsSync(draft)).toBe(false)
  })

  test('in which another process is creating a service is left to it', async () => {
    const cookie = await signIn()
    await answerAll(cookie)
    await withFolderLock(folder, async () => {
      expect(await refusalOf('create', { body: {}, cookie })).toEqual([409, 'FOLDER_BUSY', null])
    })
    expect(await send('create', { body: {}, cookie })).toMatchObject({ status: 200 })
  })
})
