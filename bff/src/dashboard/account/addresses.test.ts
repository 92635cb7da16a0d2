import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { type DashboardPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseXpub } from '../../chain/xpub-account.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { saveWallet } from '../../merchant/merchant-store.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** The merchant's wallet. The service has only the extended public key of its account. */
const wallet = HDKey.fromMasterSeed(systemRuntime.randomBytes(32))
const xpub = wallet.derive("m/44'/60'/0'").publicExtendedKey
const accountAt = (addressIndex: number) => hdKeyToAccount(wallet, { addressIndex })

let isDown = false
let stage: ContractStage
let viewer: DashboardPage
beforeAll(async () => {
  stage = await openContractStage({
    deposits: 'xpub',
    account: `${xpub}@${accountAt(0).address}`,
    feeBps: 0,
    adapter: {
      balances: async (...asked) => {
        if (isDown) throw new Error('no node answers')
        return await stage.evm.balances(...asked)
      },
    },
  })
  viewer = await signedIn(stage, 'viewer')
})
afterAll(() => stage.close())

type Listed = {
  account: string | null
  addresses: { path: string; address: Hex; received: string; balances: { currency: string; amount: string }[] | null }[]
  next: number | null
  readAt: string | null
  gap: { unpaid: number; searched: number } | null
}

async function list(query = ''): Promise<Listed> {
  const { status, body } = await viewer.ask('GET', `/dashboard/wallets/devnet/addresses${query}`)
  expect([status, body['message']]).toEqual([200, undefined])
  return body as unknown as Listed
}

async function create(): Promise<Hex> {
  const answer = await stage.post(
    '/api/v1/deposits/create',
    { amount: '25.00', currency: 'USDC', network: 'devnet' },
    { headers: { 'Idempotency-Key': systemRuntime.newUuid() } },
  )
  return answer.body.payment['depositAddress'] as Hex
}

async function transfer(to: Hex, amount: bigint, token = 0): Promise<void> {
  const data = encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to, amount] })
  await stage.send({ to: stage.network.tokens[token]?.address ?? '', data })
}

test('assigned addresses are listed with path, payment and current balance of each token, newest first', async () => {
  const given = [await create(), await create()]
  const [first, second] = given as [Hex, Hex]
  await transfer(first, 25_000_000n)
  await transfer(second, 7_500_000n, 1)
  const fromMs = Date.now()
  const { account, addresses, next, readAt, gap } = await list()
  expect(account).toMatch(/^xpub/)
  expect(addresses).toMatchObject([
    {
      path: '0/2',
      address: second,
      received: '0.00',
      outcome: 'pending',
      balances: [
        { currency: 'USDC', amount: '0.00' },
        { currency: 'USDT', amount: '7.50' },
      ],
    },
    {
      path: '0/1',
      address: first,
      balances: [
        { currency: 'USDC', amount: '25.00' },
        { currency: 'USDT', amount: '0.00' },
      ],
    },
  ])
  expect([next, gap]).toEqual([null, null])
  expect(Date.parse(readAt ?? '')).toBeGreaterThanOrEqual(fromMs)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect((await list()).addresses[1]).toMatchObject({ received: '25.00', outcome: 'paid' })
})

test('the pages of the list are complete and without duplicates, and without balances unless requested', async () => {
  for (let count = 0; count < 3; count++) await create()
  const seen: string[] = []
  let before: number | null = null
  do {
    const page: Listed = await list(`?limit=2&balances=false${before === null ? '' : `&before=${before}`}`)
    expect(page.addresses.every(({ balances }) => balances === null)).toBe(true)
    expect(page.readAt).toBeNull()
    seen.push(...page.addresses.map(({ path }) => path))
    before = page.next
  } while (before !== null)
  expect(seen).toEqual(['0/5', '0/4', '0/3', '0/2', '0/1'])
})

test('if no node responds, the list is complete, without balances and their time', async () => {
  isDown = true
  const { addresses, readAt } = await list()
  isDown = false
  expect(addresses).toHaveLength(5)
  expect([readAt, ...addresses.map(({ balances }) => balances)]).toEqual(Array.from({ length: 6 }, () => null))
})

test('a gap of addresses without money longer than wallets search is reported', async () => {
  for (let count = 0; count < 16; count++) await create()
  expect((await list('?limit=1')).gap).toBeNull()
  await create()
  expect((await list('?limit=1')).gap).toEqual({ unpaid: 21, searched: 20 })
})

test('a page that is full at the last row of one query reports that there are more', async () => {
  const { account, addresses } = await list('?limit=2&balances=false')
  // Of another merchant with the same account: together with the newest address they fill one query.
  const others = Array.from({ length: 499 }, (_, index) => 1_000 + index)
  await stage.db.write(async (tx) => {
    for (const number of others)
      await tx.run(sql`
          insert into given_addresses (source, number, payment_id) values (${account}, ${number}, ${`other-${number}`})`)
  })
  const first = await list('?limit=1&balances=false')
  expect(first.addresses.map(({ path }) => path)).toEqual([addresses[0]?.path])
  const second = await list(`?limit=1&balances=false&before=${first.next}`)
  expect(second.addresses.map(({ path }) => path)).toEqual([addresses[1]?.path])
  await stage.db.write((tx) => tx.run(sql`delete from given_addresses where number >= 1000`))
})

test('no addresses of another account are listed, and none if the wallet has no account; an invalid page is refused', async () => {
  const merchantId = stage.merchant.merchantId as MerchantId
  const name = (source: string | null) =>
    stage.db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: accountAt(0).address, source }))
  const { account } = await list()
  await name(HDKey.fromMasterSeed(systemRuntime.randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey)
  expect((await list()).addresses).toEqual([])
  await name(null)
  expect(await list()).toMatchObject({ account: null, addresses: [], next: null, readAt: null, gap: null })
  await name(account)
  const refused = await viewer.ask('GET', '/dashboard/wallets/devnet/addresses?before=0')
  expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining('before')])
  const unknown = await viewer.ask('GET', '/dashboard/wallets/nowhere/addresses')
  expect([unknown.status, unknown.body['message']]).toEqual([400, 'network: there is no network "nowhere"'])
})

test('a single address is found, also one of an earlier account, and a stranger’s is not', async () => {
  const merchantId = stage.merchant.merchantId as MerchantId
  const { account, addresses } = await list('?limit=1&balances=false')
  const given = addresses[0]?.address ?? ''
  const another = HDKey.fromMasterSeed(systemRuntime.randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey
  for (const source of [account, another, null]) {
    await stage.db.write((tx) =>
      saveWallet(tx, merchantId, { network: 'devnet', address: accountAt(0).address, source }),
    )
    const found = await list(`?address=${given.toLowerCase()}`)
    expect(found.addresses).toMatchObject([{ address: given, account, path: addresses[0]?.path, balances: null }])
    expect((await list(`?address=${stage.customer.address}`)).addresses).toEqual([])
  }
  await stage.db.write((tx) =>
    saveWallet(tx, merchantId, { network: 'devnet', address: accountAt(0).address, source: account }),
  )
})

test('an address assigned to another merchant’s payment is not found', async () => {
  const [one] = (await list('?limit=1&balances=false')).addresses
  const belongTo = (merchantId: string) =>
    stage.db.write((tx) =>
      tx.run(sql`update payments set merchant_id = ${merchantId} where deposit_address = ${one?.address ?? null}`),
    )
  await stage.db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('another', 'Another', 's', 0)`),
  )
  await belongTo('another')
  expect((await list(`?address=${one?.address}`)).addresses).toEqual([])
  await belongTo(stage.merchant.merchantId)
  expect((await list(`?address=${one?.address}`)).addresses).toHaveLength(1)
})

test('an address of a payment on another network, or of a test, is not found, and late money has come too', async () => {
  const address = await create()
  const found = async (changes: { network?: string; isTest?: number; late?: string }) => {
    const { network = 'devnet', isTest = 0, late = '0' } = changes
    await stage.db.write((tx) =>
      tx.run(sql`
          update payments set network = ${network}, is_test = ${isTest}, received = '1000000', late = ${late}
           where deposit_address = ${address}`),
    )
    return (await list(`?address=${address}`)).addresses.map(({ received }) => received)
  }
  expect(await found({ network: 'elsewhere' })).toEqual([])
  expect(await found({ isTest: 1 })).toEqual([])
  expect(await found({ late: '500000' })).toEqual(['1.50'])
  expect(await found({})).toEqual(['1.00'])
})

test('an account is set in the dashboard with its key, its first address and its wallet’s signature', async () => {
  const owner = await signedIn(stage, 'owner', 'Olga')
  const other = HDKey.fromMasterSeed(systemRuntime.randomBytes(32))
  const [key, first] = [other.derive("m/44'/60'/0'").publicExtendedKey, hdKeyToAccount(other)]
  const prove = (address: string) => owner.ask('POST', '/dashboard/wallets/proofs', { network: 'devnet', address })
  const refused = [`${key.slice(0, -1)}@${first.address}`, `${key}@${accountAt(0).address}`]
  expect((await Promise.all(refused.map(prove))).map(({ body }) => body['code'])).toEqual([
    'ACCOUNT_KEY_WRONG',
    'ACCOUNT_ADDRESS_WRONG',
  ])
  const secret = other.derive("m/44'/60'/0'").privateExtendedKey
  const { body } = await prove(`${secret}@${first.address}`)
  expect(body['code']).toBe('ACCOUNT_KEY_PRIVATE')
  expect(JSON.stringify(body)).not.toContain(secret.slice(0, 30))
  const address = `${key}@${first.address}`
  const { nonce, message } = (await prove(address)).body as { nonce: string; message: string }
  const signature = await first.signMessage({ message })
  const set = await owner.confirm('PUT', '/dashboard/wallets/devnet', { address, nonce, signature })
  expect([set.status, set.body['wallets']]).toMatchObject([
    200,
    [{ address: first.address, kind: 'xpub', account: expect.stringMatching(/^xpub/) }],
  ])
})

test('the text that a wallet signs contains the account of its addresses', async () => {
  const owner = await signedIn(stage, 'owner', 'Grace')
  const asked = { network: 'devnet', address: `${xpub}@${accountAt(0).address}` }
  const { body } = await owner.ask('POST', '/dashboard/wallets/proofs', asked)
  const lines = String(body['message']).split('\n')
  expect(lines.slice(1, 3)).toEqual([accountAt(0).address, 'and to the addresses that follow it in its account:'])
  expect(parseXpub(xpub)).toEqual({ source: lines[3] })
})
