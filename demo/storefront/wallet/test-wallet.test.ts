import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import { encodeFunctionData, type Hex, parseAbi, parseSignature, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCustomer } from '../customer.ts'
import { openTurns } from '../turns.ts'
import { askNode, untilMined } from './node.ts'
import { createTestWallet, type TestWallet, type WalletRequest } from './test-wallet.ts'
import { type AccountName, accountNames } from './wallet-account.ts'
import { WalletError } from './wallet-error.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'test-wallet-'))
const shop = '0x2222222222222222222222222222222222222222'
const spender = '0x00000000000000000000000000000000000000b0'
const chainId = 31337
const inTurn = openTurns()
/** `send` ends the wait of a slow wallet. */
const slowWallet = new EventEmitter()

let devnet: Devnet
let wallet: TestWallet
let usdc: Hex

beforeAll(async () => {
  const first = await freePort()
  devnet = await startDevnet({ dataDir, ports: [first, await freePort([first])], blockTimeSeconds: null })
  wallet = createTestWallet(config(), { inTurn, beSlow: () => once(slowWallet, 'send') })
  usdc = devnet.networks[0].tokens.USDC.address
})

afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('each account has the state its name describes, on both networks', async () => {
  const gas = async (address: Hex) => BigInt(String(await ask('eth_getBalance', [address, 'latest'])))
  expect(await addressOf('customer')).toBe(devnet.customer.address)
  expect(await balance(await addressOf('short'))).toBe(1_000_000n)
  expect(await gas(await addressOf('short'))).toBe(10n ** 18n)
  expect(await balance(await addressOf('dry'))).toBe(1_000_000_000n)
  expect(await gas(await addressOf('dry'))).toBe(0n)
  expect(await balance(await addressOf('smart'))).toBe(1_000_000_000n)
  for (const { chainId } of devnet.networks) {
    expect(await ask('eth_getCode', [await addressOf('smart'), 'latest'], { chainId })).not.toBe('0x')
  }
  expect(new Set(await Promise.all(accountNames.map(addressOf))).size).toBe(4)
})

test('an approved transaction is sent exactly, from each account that has gas', async () => {
  for (const account of ['customer', 'smart', 'short'] as const) {
    const before = await balance(shop)
    const hash = await send({ account })
    await untilMined(network(), hash)
    expect((await balance(shop)) - before).toBe(1n)
  }
  expect(await refusal({ account: 'dry', method: 'eth_sendTransaction' })).toMatch(/insufficient funds/i)
})

test('the wallet and the shop’s button pay from one account concurrently without nonce conflicts', async () => {
  const before = await balance(shop)
  const bff = `data:application/json,${JSON.stringify({
    payment: { network: 'devnet', currency: 'USDC', depositAddress: shop, amountRemaining: '0.01' },
  })}#`
  const button = createTestCustomer({ ...config(), bff }, inTurn)
  const paymentId = '3f2f5f1e-52a1-4a0e-9d3c-6a5c3c1f0001'
  const both = Array.from({ length: 10 }, () => [send({}), button.pay({ paymentId }).then(({ hash }) => hash as Hex)])
  for (const hash of await Promise.all(both.flat())) await untilMined(network(), hash)
  expect((await balance(shop)) - before).toBe(10n + 10n * 10_000n)
})

test('a dropped transaction has a hash that no chain knows, and its nonce is reused', async () => {
  const before = await balance(shop)
  const hash = await send({ behaviour: 'drop' })
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await ask('eth_getTransactionByHash', [hash])).toBeNull()
  await untilMined(network(), await send({}))
  expect((await balance(shop)) - before).toBe(1n)
})

test('a replaced transaction moves the money once, under another hash than returned', async () => {
  const before = await balance(shop)
  const hash = await send({ behaviour: 'replace' })
  await expect.poll(async () => (await balance(shop)) - before).toBe(1n)
  expect(await ask('eth_getTransactionByHash', [hash])).toBeNull()
})

test('a slow wallet sends although nobody waits for the answer any more', async () => {
  const before = await balance(shop)
  const sending = send({ behaviour: 'slow' })
  await expect.poll(() => slowWallet.listenerCount('send')).toBe(1)
  expect(await balance(shop)).toBe(before)
  slowWallet.emit('send')
  await expect.poll(async () => (await balance(shop)) - before).toBe(1n)
  await sending
})

test('the smart account executes a batch atomically, and reports the result', async () => {
  const from = await addressOf('smart')
  const approve = {
    to: usdc,
    data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'approve', args: [spender, 7n] }),
  }
  const { id } = (await sendBatch('smart', [approve, transfer()], { id: 'mine' })) as { id: string }
  expect(id).toBe('mine')
  await expect
    .poll(() => ask('wallet_getCallsStatus', [id]))
    .toMatchObject({ status: 200, atomic: true, chainId: '0x7a69' })
  expect(await allowance(from)).toBe(7n)

  const tooMuch = { to: usdc, data: transferData(10n ** 15n) }
  const calls = [{ ...approve, data: approve.data.replace('07', '09') }, tooMuch]
  await expect(sendBatch('smart', calls)).rejects.toThrow(/revert/)
  expect(await allowance(from)).toBe(7n)

  await expect(sendBatch('smart', [transfer()], { id: 'mine' })).rejects.toMatchObject({ code: 5720 })
  await expect(sendBatch('customer', [transfer()])).rejects.toMatchObject({ code: 5760 })
  await expect(sendBatch('smart', [transfer()], { chainId: '0x1' })).rejects.toMatchObject({ code: 5710 })
  await expect(sendBatch('smart', Array(11).fill(transfer()))).rejects.toMatchObject({ code: 5740 })
  await expect(ask('wallet_getCallsStatus', ['0x00'])).rejects.toMatchObject({ code: 5730 })
})

test('only the owner can use the smart account', async () => {
  const to = await addressOf('smart')
  const data = encodeFunctionData({
    abi: parseAbi(['function execute((address to, uint256 value, bytes data)[] calls)']),
    functionName: 'execute',
    args: [[{ to: usdc, value: 0n, data: transferData(1n) }]],
  })
  const thief = await addressOf('short')
  await expect(ask('eth_call', [{ from: thief, to, data }, 'latest'])).rejects.toMatchObject({ code: 3 })
})

test('the token accepts a permit signed by the wallet', async () => {
  const owner = devnet.customer.address
  const signature = parseSignature((await ask('eth_signTypedData_v4', [owner, JSON.stringify(permit(owner))])) as Hex)
  const { r, s, v = 0n } = signature
  const args = [owner, spender, 5n, deadline, Number(v), r, s] as const
  const data = encodeFunctionData({ abi: testUsdc.abi, functionName: 'permit', args })
  const hash = (await ask('eth_sendTransaction', [{ from: owner, to: usdc, data }])) as Hex
  await untilMined(network(), hash)
  expect(await allowance(owner)).toBe(5n)
})

test('typed data that would be signed wrongly is refused', async () => {
  const owner = devnet.customer.address
  const good = permit(owner)
  const { EIP712Domain: _, ...types } = good.types
  const bad = [
    { ...good, types },
    { ...good, domain: { ...good.domain, chainId: 1 } },
    { ...good, message: { ...good.message, value: 'much' } },
    { ...good, primaryType: 'Order' },
    'no json',
  ]
  for (const typedData of bad) {
    await expect(ask('eth_signTypedData_v4', [owner, typedData])).rejects.toMatchObject({ code: -32602 })
  }
  await expect(ask('eth_signTypedData_v4', [shop, good])).rejects.toMatchObject({ code: 4100 })
  const smart = await addressOf('smart')
  await expect(ask('eth_signTypedData_v4', [smart, good], { account: 'smart' })).rejects.toMatchObject({ code: 4200 })
})

test('the account signs a message', async () => {
  const signature = (await ask('personal_sign', ['0x6869', devnet.customer.address])) as Hex
  expect(await recoverMessageAddress({ message: 'hi', signature })).toBe(devnet.customer.address)
})

test('an invalid transaction, or one of another account or chain, is refused before signing', async () => {
  const from = devnet.customer.address
  const before = await balance(shop)
  const bad: [object, number][] = [
    [{ ...transfer(), from: shop }, 4100],
    [{ ...transfer() }, -32602],
    [{ ...transfer(), from, chainId: '0x1' }, -32602],
    [{ ...transfer(), from, to: 'shop' }, -32602],
    [{ ...transfer(), from, data: '0x1' }, -32602],
    [{ ...transfer(), from, value: 1 }, -32602],
    [{ from, data: '0x' }, -32602],
  ]
  for (const [request, code] of bad) {
    await expect(ask('eth_sendTransaction', [request])).rejects.toMatchObject({ code })
  }
  await expect(ask('eth_sendTransaction', [transfer()], { chainId: 1 })).rejects.toMatchObject({ code: 4901 })
  await expect(ask('eth_sign', [from, '0x00'])).rejects.toMatchObject({ code: 4200 })
  await expect(ask('anvil_setBalance', [from, '0x00'])).rejects.toMatchObject({ code: 4200 })
  expect(await balance(shop)).toBe(before)
})

test('the wallet describes an action in words before signing', async () => {
  const from = devnet.customer.address
  const describe = (method: string, ...params: unknown[]) => wallet.describe(request(method, params))
  expect(await describe('eth_sendTransaction', { ...transfer(2_500_000n), from })).toMatchObject({
    title: 'Send 2.5 USDC',
  })
  const approve = (amount: bigint) =>
    encodeFunctionData({ abi: testUsdc.abi, functionName: 'approve', args: [spender, amount] })
  const allow = { from, to: usdc, data: approve(25_000_000n) }
  expect(await describe('eth_sendTransaction', allow)).toMatchObject({ title: 'Approve 25 USDC' })
  const back = { from, to: usdc, data: approve(0n) }
  expect(await describe('eth_sendTransaction', back)).toMatchObject({ title: 'Revoke an allowance' })
  expect(await describe('eth_sendTransaction', { from, to: shop, data: '0x12345678' })).toMatchObject({
    title: 'Call a contract',
  })
  expect(await describe('eth_signTypedData_v4', from, permit(from))).toMatchObject({
    title: 'Sign a Permit for 0.000005 USDC',
  })
  const batch = { ...batchOf([transfer(), allow]), from: await addressOf('smart') }
  const { title, facts } = await wallet.describe({ ...request('wallet_sendCalls', [batch]), account: 'smart' })
  expect(title).toBe('Execute 2 calls at once, or none of them')
  expect(facts).toContainEqual(['2.', 'Approve 25 USDC'])
})

const config = () => ({
  ...{
    port: 0,
    bff: '',
    origin: '',
    publicKey: '',
    apiKey: '',
    apiSecret: '',
    webhookSecret: '',
    journalPath: null,
    scriptPath: '',
  },
  networks: devnet.networks,
  customerPrivateKey: devnet.customer.privateKey,
})

const network = () => devnet.networks[0]

function request(method: string, params: readonly unknown[], rest: Partial<WalletRequest> = {}): WalletRequest {
  return { account: 'customer', chainId, behaviour: 'honest', method, params, ...rest }
}

const ask = (method: string, params: readonly unknown[], rest: Partial<WalletRequest> = {}) =>
  wallet.request(request(method, params, rest))

async function addressOf(account: AccountName): Promise<Hex> {
  const [address] = (await ask('eth_requestAccounts', [], { account })) as [Hex]
  return address
}

const transferData = (amount: bigint) =>
  encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [shop, amount] })
const transfer = (amount = 1n) => ({ to: usdc, data: transferData(amount) })

async function send(rest: Partial<WalletRequest>): Promise<Hex> {
  const from = await addressOf(rest.account ?? 'customer')
  return (await ask('eth_sendTransaction', [{ ...transfer(), from, value: '0x0' }], rest)) as Hex
}

const batchOf = (calls: readonly object[]) => ({ version: '2.0.0', chainId: '0x7a69', atomicRequired: true, calls })

async function sendBatch(account: AccountName, calls: readonly object[], rest: object = {}): Promise<unknown> {
  const batch = { ...batchOf(calls), from: await addressOf(account), ...rest }
  return await ask('wallet_sendCalls', [batch], { account })
}

async function refusal({ account = 'customer', method = '' }: Partial<WalletRequest>): Promise<string> {
  const from = await addressOf(account)
  const error = await ask(method, [{ ...transfer(), from }], { account }).catch((thrown: unknown) => thrown)
  return error instanceof WalletError ? error.message : String(error)
}

async function read(functionName: 'balanceOf' | 'allowance', args: readonly Hex[]): Promise<bigint> {
  const data = encodeFunctionData({ abi: testUsdc.abi, functionName, args } as never)
  return BigInt(String(await askNode(network(), 'eth_call', [{ to: usdc, data }, 'latest'])))
}
const balance = (holder: Hex) => read('balanceOf', [holder])
const allowance = (owner: Hex) => read('allowance', [owner, spender])

const deadline = 4_102_444_800n
const permit = (owner: Hex) => ({
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: usdc },
  message: { owner, spender, value: '5', nonce: '0', deadline: String(deadline) },
})
