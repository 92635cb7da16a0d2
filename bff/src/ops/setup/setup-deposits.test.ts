import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSetupStage, setupShop } from '@stablecoin-checkout/rig/setup-stage'
import { generatePrivateKey, HDKey, hdKeyToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { withDb } from '../cli/with-db.ts'
import { loadConfig } from '../config/config.ts'
import { keepCheck } from './setup-draft.ts'

// No node is asked: each counts as checked.
const rpcUrl = 'http://127.0.0.1:9'
const newWallet = () => HDKey.fromMasterSeed(systemRuntime.randomBytes(32))
const keyOf = (wallet: HDKey) => wallet.derive("m/44'/60'/0'").publicExtendedKey
const firstOf = (wallet: HDKey) => hdKeyToAccount(wallet).address
const own = newWallet()
const key = keyOf(own)
const first = firstOf(own)
const { address: plain } = privateKeyToAccount(generatePrivateKey())
const sepoliaUsdc = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'

let folder: string
let setup: ReturnType<typeof openSetupStage>
let cookie: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-deposits-'))
  setup = openSetupStage(folder)
  cookie = await setup.signIn()
})
afterEach(async () => {
  await setup.close()
  rmSync(folder, { recursive: true })
})

const put = (path: string, body: object) => setup.refusalOf(path, { method: 'PUT', body, cookie })
const check = (body: object) => setup.refusalOf('account/check', { body, cookie })
const create = () => setup.refusalOf('create', { body: {}, cookie })
const answers = async () => (await setup.send('state', { cookie })).answer['answers'] as Record<string, unknown>
const taken = [200, undefined, undefined]

async function choose(...names: string[]): Promise<void> {
  for (const network of names) keepCheck(setup.draft, network, { url: rpcUrl, isUsable: true, notes: [] })
  const networks = names.map((network) => ({ network, rpcUrls: [rpcUrl] }))
  expect(await put('networks', { networks })).toEqual(taken)
}

const toOwnWallet = (network: string) => put('deposits', { network, deposits: 'xpub' })

test.each([
  ['no key', 'xpub123', 'ACCOUNT_KEY_WRONG'],
  ['a key with a typing error', key.replace(/.$/, (end) => (end === 'x' ? 'y' : 'x')), 'ACCOUNT_KEY_WRONG'],
  ['an address', first, 'ACCOUNT_KEY_WRONG'],
  ['a key and its address in one', `${key}@${first}`, 'ACCOUNT_KEY_WRONG'],
  ['the key of the whole wallet', own.publicExtendedKey, 'ACCOUNT_KEY_WRONG'],
  ['a private key', own.derive("m/44'/60'/0'").privateExtendedKey, 'ACCOUNT_KEY_PRIVATE'],
])('as account, %s is refused at the key, while it is typed and when it is given', async (_, wrong, code) => {
  await choose('sepolia')
  await toOwnWallet('sepolia')
  expect(await check({ key: wrong })).toEqual([400, code, 'key'])
  const { status, answer } = await setup.send('account', { method: 'PUT', body: { key: wrong, first }, cookie })
  expect([status, answer.code, answer.field]).toEqual([400, code, 'key'])
  expect(JSON.stringify(answer)).not.toContain(wrong.slice(4))
  expect(await answers()).toMatchObject({ account: null })
})

test.each([
  ['the first address of another wallet', firstOf(newWallet())],
  ['the second address', hdKeyToAccount(own, { addressIndex: 1 }).address],
  ['no address', 'x'],
  ['two addresses', `${first}@${first}`],
])('as first address of an account, %s is refused at its field', async (_, wrong) => {
  await choose('sepolia', 'base-sepolia')
  await toOwnWallet('base-sepolia')
  const refusal = [400, 'ACCOUNT_ADDRESS_WRONG', 'first']
  expect(await check({ key, first: wrong })).toEqual(refusal)
  expect(await put('account', { key, first: wrong })).toEqual(refusal)
  expect(await put('account', { key, first: '' })).toEqual([400, 'INVALID', 'first'])
  expect(await answers()).toMatchObject({ account: null })
})

test('an account is asked for only where a network has addresses of a wallet', async () => {
  await choose('sepolia', 'solana-devnet')
  expect(await put('account', { key, first })).toEqual([400, 'NETWORKS_MISSING', 'networks'])
  expect(await toOwnWallet('solana-devnet')).toEqual([400, 'DEPOSITS_UNAVAILABLE', 'solana-devnet'])
  expect(await toOwnWallet('base-sepolia')).toEqual([400, 'NETWORK_UNKNOWN', 'base-sepolia'])
  expect(await put('deposits', { network: 'sepolia', deposits: 'virtual' })).toEqual([400, 'INVALID', 'deposits'])
  expect(await toOwnWallet('sepolia')).toEqual(taken)
  expect(await check({ key })).toEqual(taken)
  expect(await check({ key, first })).toEqual(taken)
  expect(await answers()).toMatchObject({ account: null })
  expect(await put('account', { key, first: first.toLowerCase() })).toEqual(taken)
  const networks = [{ deposits: 'xpub' }, { deposits: 'forwarder' }]
  expect(await answers()).toMatchObject({ account: { address: first }, networks })
  expect(JSON.stringify(await answers())).not.toContain('xpub6')
  // The kind is kept when another network is added.
  await choose('base-sepolia', 'sepolia')
  expect(await answers()).toMatchObject({ networks: [{ deposits: 'forwarder' }, { deposits: 'xpub' }] })
})

test('without a network that the service forwards on, it has no key, no gas and nothing to deploy', async () => {
  await setup.makeOwner(cookie)
  await put('shop', setupShop)
  await choose('sepolia', 'base-sepolia')
  for (const network of ['sepolia', 'base-sepolia']) await toOwnWallet(network)
  expect(await put('options', { relay: true, rates: null })).toEqual([400, 'RELAY_UNAVAILABLE', 'relay'])
  expect(await create()).toEqual([409, 'ANSWERS_MISSING', null])
  expect(await put('account', { key, first })).toEqual(taken)
  const { answer } = await setup.send('create', { body: {}, cookie })
  expect(answer['created']).toMatchObject({ operator: null, feePayer: null, contractNetworks: [] })
  expect((await setup.send('gas', { cookie })).answer).toMatchObject({ networks: [] })
  const config = loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })
  expect(config.operator).toBeNull()
  for (const network of ['sepolia', 'base-sepolia']) {
    expect(config.networks.get(network)).toMatchObject({ deposits: 'xpub', platformWallet: first })
  }
  const stored = sql`select network, address, source from settlement_wallets order by network`
  const source = expect.stringMatching(/^xpub/)
  expect(await withDb(config, (db) => db.read((tx) => tx.all(stored)))).toEqual([
    { network: 'base-sepolia', address: first, source },
    { network: 'sepolia', address: first, source },
  ])
})

test('each network has the wallet of its kind, and Relay ends with the last network that it pays to', async () => {
  await setup.makeOwner(cookie)
  await put('shop', setupShop)
  await choose('sepolia', 'base-sepolia')
  // A token of Sepolia is an address like any other on a network without that token.
  await toOwnWallet('sepolia')
  expect(await put('wallets', { family: 'evm', address: sepoliaUsdc, retyped: sepoliaUsdc.slice(-6) })).toEqual(taken)
  expect(await put('account', { key, first })).toEqual(taken)
  expect(await put('deposits', { network: 'sepolia', deposits: 'forwarder' })).toEqual(taken)
  expect(await answers(), 'it is asked for again').toMatchObject({ wallets: [] })

  await toOwnWallet('sepolia')
  expect(await put('wallets', { family: 'evm', address: plain, retyped: plain.slice(-6) })).toEqual(taken)
  expect(await put('options', { relay: true, rates: null })).toEqual(taken)
  await toOwnWallet('base-sepolia')
  expect(await answers()).toMatchObject({ options: { relay: false } })
  setup.draft.wallets.delete('evm')
  await put('deposits', { network: 'base-sepolia', deposits: 'forwarder' })
  expect(await create()).toEqual([409, 'ANSWERS_MISSING', null])
  expect(await put('wallets', { family: 'evm', address: plain, retyped: plain.slice(-6) })).toEqual(taken)
  const { answer } = await setup.send('create', { body: {}, cookie })
  expect(answer['created']).toMatchObject({ operator: expect.any(String), contractNetworks: ['base-sepolia'] })
  const config = loadConfig({ BFF_CONFIG: join(folder, 'checkout.json') })
  expect(config.networks.get('sepolia')).toMatchObject({ deposits: 'xpub', platformWallet: first })
  expect(config.networks.get('base-sepolia')).toMatchObject({ deposits: 'forwarder', platformWallet: plain })
})
