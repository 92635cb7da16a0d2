import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { untilMined } from '@stablecoin-checkout/rig/anvil-client'
import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { deployNetwork } from '@stablecoin-checkout/rig/devnet/deploy'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { createClosingServer, type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { createTestClient, createWalletClient, type Hex, http, numberToHex, parseEther, toFunctionSelector } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import type { Finding } from '../../../core/finding.ts'
import { silentLog } from '../../../core/log.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { createEvmPool } from '../rpc/evm-pool.ts'
import { examineNetwork } from './examine-network.ts'

const chainId = 31_337
const keys = { owner: generatePrivateKey(), operator: generatePrivateKey() }
const operator = privateKeyToAddress(keys.operator)
const [wallet, platformWallet] = [privateKeyToAddress(generatePrivateKey()), privateKeyToAddress(generatePrivateKey())]
const usdcDomain = { name: 'USD Coin', version: '2' }

let anvil: Anvil
let network: EvmNetwork
let chain: ReturnType<typeof connect>
let snapshot: Hex
let proxy: Server | undefined
let lying: LyingNode | undefined

const connect = (url: string) => createTestClient({ mode: 'anvil', transport: http(url) })

beforeAll(async () => {
  anvil = await startAnvil({ chainId })
  const { factory, tokens } = await deployNetwork({
    rpcUrl: anvil.rpcUrl,
    chainId,
    tokenOwner: { privateKey: keys.owner, address: privateKeyToAddress(keys.owner) },
    people: { customer: wallet, operator, merchant: wallet, platform: platformWallet },
  })
  chain = connect(anvil.rpcUrl)
  network = {
    ...{ shortName: 'devnet', name: 'Devnet', family: 'evm', chainId, isTestnet: true, rpcUrls: [anvil.rpcUrl] },
    ...{ publicRpcUrls: [], nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 }, confirmations: 3 },
    ...{
      highValue: null,
      sweepGas: null,
      signatureGas: null,
      deposits: 'forwarder',
      finalityBlocks: 64,
      pollMs: 1_000,
      explorerUrl: null,
      factory,
      platformWallet,
    },
    splitter: paymentSplitter.address,
    tokens: [
      {
        symbol: 'USDC',
        currency: 'USD',
        name: 'USD Coin',
        ...tokens.USDC,
        permit: usdcDomain,
        authorization: usdcDomain,
      },
      { symbol: 'USDT', currency: 'USD', name: 'Tether USD', ...tokens.USDT, permit: null, authorization: null },
    ],
  }
})
afterAll(() => anvil?.stop())
afterEach(async () => {
  proxy?.closeAllConnections()
  proxy?.close()
  proxy = undefined
  await lying?.close()
  lying = undefined
})

/** @param ahead - Seconds by which this machine's clock is fast. */
async function examine(changes: Partial<EvmNetwork> = {}, { ahead = 0, address = wallet } = {}): Promise<Finding[]> {
  const changed = { ...network, ...changes }
  return await examineNetwork({
    network: changed,
    pool: createEvmPool(changed, { nowMs: Date.now, log: silentLog }),
    operator,
    wallets: [{ merchant: 'Corner Coffee', address, source: null }],
    nowMs: () => Date.now() + ahead * 1_000,
  })
}

const faults = (findings: Finding[]) => findings.filter(({ state }) => state !== 'good')

/** Breaks the chain for one check, and restores it. */
async function broken(breakIt: () => Promise<unknown>, look: () => Promise<Finding[]>): Promise<Finding[]> {
  snapshot = await chain.snapshot()
  try {
    await breakIt()
    return faults(await look())
  } finally {
    await chain.revert({ id: snapshot })
  }
}

/** A node with some responses overridden. */
async function nodeThat(
  answer: (call: { method: string; params?: [{ fromBlock: Hex; toBlock: Hex }] }) => object | undefined,
): Promise<string> {
  proxy = createClosingServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const call = JSON.parse(text) as { id: number; method: string; params?: [{ fromBlock: Hex; toBlock: Hex }] }
    const own = answer(call)
    const body = own
      ? JSON.stringify({ jsonrpc: '2.0', id: call.id, ...own })
      : await (
          await fetch(anvil.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
        ).text()
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => proxy?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/key-of-the-node`
}

const refused = { error: { code: -32_005, message: 'query exceeds the range of your plan' } }

test('a complete network has no fault, and shows how many sweeps its gas buys', async () => {
  await chain.mine({ blocks: 1 })
  const findings = await examine()
  expect(faults(findings)).toEqual([])
  const checks = findings.map(({ check }) => check)
  expect(checks).toEqual([
    ...['rpc', 'head', 'logs', 'history', 'factory', 'splitter', 'token', 'permit', 'token', 'gas', 'wallet', 'wallet'],
  ])
  const gas = findings.find(({ check }) => check === 'gas')
  expect(gas?.says).toMatch(
    new RegExp(`^the operator ${operator} holds [0-9.]+ ETH: about \\d+ sweeps at today's fee$`),
  )
})

test('an operator without gas is bad, one with little a warning, and both show how much to send where', async () => {
  const setBalance = (value: bigint) => () => chain.setBalance({ address: operator, value })
  const [empty] = await broken(setBalance(0n), examine)
  expect(empty).toMatchObject({ check: 'gas', state: 'bad', says: expect.stringContaining('about 0 sweeps') })
  expect(empty?.fix).toMatch(new RegExp(`Deposits wait until there is gas. Send [0-9.]+ ETH to ${operator}`))
  const [low] = await broken(setBalance(10n ** 16n), examine)
  expect(low).toMatchObject({ check: 'gas', state: 'warning', fix: expect.stringContaining('enough for 100 sweeps') })
})

test('missing or foreign contracts are bad, with the command that deploys them', async () => {
  const withoutCode = (address: string) => () => chain.setCode({ address: address as Hex, bytecode: '0x' })
  const [factory] = await broken(withoutCode(network.factory), examine)
  expect(factory).toMatchObject({ check: 'factory', state: 'bad', fix: expect.stringContaining('Run "deploy devnet"') })
  const [splitter] = await broken(() => chain.setCode({ address: network.splitter as Hex, bytecode: '0x00' }), examine)
  expect(splitter).toMatchObject({
    check: 'splitter',
    state: 'bad',
    says: expect.stringContaining('is another contract'),
  })
})

test('a token with other decimals, another symbol or another signing domain is bad', async () => {
  const [usdc, usdt] = network.tokens as [EvmNetwork['tokens'][number], EvmNetwork['tokens'][number]]
  const withUsdc = (changes: object) => examine({ tokens: [{ ...usdc, ...changes }, usdt] })
  expect(faults(await withUsdc({ decimals: 18 }))).toMatchObject([
    { check: 'token', state: 'bad', says: expect.stringContaining('has 6 decimals on chain, not 18') },
  ])
  expect(faults(await withUsdc({ address: usdt.address, permit: null, authorization: null }))).toMatchObject([
    { check: 'token', state: 'bad', says: expect.stringContaining('is called "USDT" on chain') },
  ])
  expect(faults(await withUsdc({ permit: { name: 'USDC', version: '2' } }))).toMatchObject([
    { check: 'permit', state: 'bad', fix: expect.stringContaining('EIP-712') },
  ])
})

test('a wallet on a token’s block list is bad: it cannot receive payouts', async () => {
  const account = privateKeyToAccount(keys.owner)
  const owner = createWalletClient({ account, transport: http(anvil.rpcUrl) })
  const [usdc] = network.tokens
  const call = { address: usdc?.address as Hex, abi: testUsdc.abi, functionName: 'blacklist', args: [wallet] } as const
  const block = async () => {
    await owner.writeContract({ ...call, chain: null } as never)
    await untilMined(chain)
  }
  const found = await broken(block, examine)
  expect(found).toMatchObject([
    {
      check: 'wallet',
      subject: 'Devnet, Corner Coffee',
      state: 'bad',
      says: expect.stringContaining('block list of USDC'),
    },
  ])
})

test('a node on another chain, or one that is down, is bad, and its URL is not shown', async () => {
  const other = await startAnvil({ chainId: 31_338 })
  try {
    expect(faults(await examine({ rpcUrls: [anvil.rpcUrl, other.rpcUrl] }))).toMatchObject([
      { check: 'rpc', subject: 'Devnet, node 2 of 2', state: 'bad', says: 'is on chain 31338, not on 31337' },
    ])
  } finally {
    await other.stop()
  }
  const down = await examine({ rpcUrls: ['http://127.0.0.1:9/key-of-the-node'] })
  expect(down).toMatchObject([{ check: 'rpc', state: 'bad', says: expect.stringContaining('does not answer') }])
  expect(JSON.stringify(down)).not.toContain('key-of-the-node')
})

test('a node with short log ranges is a warning, and one without logs is bad', async () => {
  await chain.mine({ blocks: 600 })
  const few = await nodeThat(({ method, params }) => {
    const [range] = method === 'eth_getLogs' ? (params ?? []) : []
    return range && Number(range.toBlock) - Number(range.fromBlock) >= 10 ? refused : undefined
  })
  expect(faults(await examine({ rpcUrls: [few] }))).toMatchObject([
    { check: 'logs', state: 'warning', says: 'answers for at most 10 blocks per request' },
  ])
  proxy?.close()
  const none = await nodeThat(({ method }) => (method === 'eth_getLogs' ? refused : undefined))
  const found = faults(await examine({ rpcUrls: [none] }))
  expect(found).toContainEqual(expect.objectContaining({ check: 'logs', state: 'bad' }))
  expect(JSON.stringify(found)).not.toContain('key-of-the-node')
})

test('a node that has pruned last week’s logs is a warning', async () => {
  const head = Number(await chain.request({ method: 'eth_blockNumber' } as never))
  const forgetful = await nodeThat(({ method, params }) => {
    const [range] = method === 'eth_getLogs' ? (params ?? []) : []
    const isOld = range?.fromBlock === range?.toBlock && Number(range?.fromBlock) < head - 1
    return isOld ? refused : undefined
  })
  expect(faults(await examine({ rpcUrls: [forgetful] }))).toMatchObject([
    { check: 'history', state: 'warning', fix: expect.stringContaining('archive node') },
  ])
})

test('a stuck head and a slow clock are distinguished', async () => {
  expect(faults(await examine({}, { ahead: 600 }))).toMatchObject([
    {
      check: 'head',
      state: 'bad',
      says: expect.stringMatching(/is \d+ s old: the node is stuck, or this clock is fast/),
    },
  ])
  expect(faults(await examine({}, { ahead: -600 }))).toMatchObject([
    { check: 'clock', state: 'bad', fix: expect.stringContaining('NTP') },
  ])
})

const checksOf = (findings: Finding[]) => findings.map(({ check }) => check)
const findingOf = (findings: Finding[], check: string) => findings.find((one) => one.check === check)

/** A node whose transactions cost a thousand million wei for each unit of gas. */
async function openOldNode(): Promise<string> {
  lying = await openLyingNode(anvil.rpcUrl)
  lying.lie('eth_getBlockByNumber', (block) => ({ ...(block as object), baseFeePerGas: null }))
  lying.lie('eth_gasPrice', () => numberToHex(10n ** 9n))
  return lying.url
}

test('a balance for exactly a hundred sweeps is enough, also on a chain without a base fee; one wei less is a warning', async () => {
  const rpcUrls = [await openOldNode()]
  const gasWith = async (value: bigint) => {
    snapshot = await chain.snapshot()
    await chain.setBalance({ address: operator, value })
    const gas = findingOf(await examine({ rpcUrls }), 'gas')
    await chain.revert({ id: snapshot })
    return gas
  }
  // 250,000 gas for each sweep.
  expect(await gasWith(parseEther('0.025'))).toMatchObject({
    state: 'good',
    says: expect.stringContaining('100 sweeps'),
  })
  const fix = `Send 0.025 ETH to ${operator}: enough for 100 sweeps.`
  expect(await gasWith(parseEther('0.025') - 1n)).toMatchObject({ state: 'warning', fix })
})

test('on a chain whose gas costs nothing the operator has enough', async () => {
  lying = await openLyingNode(anvil.rpcUrl)
  lying.lie('eth_getBlockByNumber', (block) => ({ ...(block as object), baseFeePerGas: '0x0' }))
  lying.lie('eth_maxPriorityFeePerGas', () => '0x0')
  expect(findingOf(await examine({ rpcUrls: [lying.url] }), 'gas')).toMatchObject({ state: 'good' })
})

test('contracts and wallets are examined as long as one node is good', async () => {
  const findings = await examine({ rpcUrls: ['http://127.0.0.1:9', anvil.rpcUrl] })
  expect(faults(findings)).toMatchObject([{ check: 'rpc', subject: 'Devnet, node 1 of 2' }])
  expect(checksOf(findings)).toEqual(expect.arrayContaining(['factory', 'splitter', 'gas', 'wallet']))
})

test('a node that names its URL in its errors: the URL is not shown, and what can be read is examined', async () => {
  let url = ''
  const refusing = async (refusal: (method: string) => boolean) => {
    url = await nodeThat(({ method }) =>
      refusal(method) ? { error: { code: -32_000, message: `${url} is over its quota` } } : undefined,
    )
    const findings = await examine({ rpcUrls: [url] })
    proxy?.close()
    expect(JSON.stringify(findings)).not.toContain('key-of-the-node')
    return findings
  }
  expect(await refusing(() => true)).toMatchObject([
    { code: 'rpc.silent', state: 'bad', says: expect.stringContaining('… is over its quota') },
  ])
  const withoutBlocks = await refusing((method) => method === 'eth_getBlockByNumber')
  expect(faults(withoutBlocks).map(({ code }) => code)).toContain('rpc.failed')
  expect(checksOf(withoutBlocks)).toEqual(expect.arrayContaining(['logs', 'factory', 'wallet']))
  const withoutBalances = await refusing((method) => method === 'eth_getBalance')
  expect(faults(withoutBalances)).toMatchObject([
    { code: 'rpc.unread', says: expect.stringContaining('… is over its quota') },
  ])
  expect(checksOf(withoutBalances)).toEqual(expect.arrayContaining(['factory', 'splitter', 'wallet']))
})

test('a wallet on Tether’s block list is bad, which has another name there, and so is the platform’s', async () => {
  const usdt = network.tokens[1]?.address.toLowerCase()
  const isBlackListed = toFunctionSelector('isBlackListed(address)')
  lying = await openLyingNode(anvil.rpcUrl)
  lying.lie('eth_call', (answer, [call]) => {
    const { to, data } = call as { to: string; data: Hex }
    return to.toLowerCase() === usdt && data.startsWith(isBlackListed) ? numberToHex(1, { size: 32 }) : answer
  })
  const blocked = { check: 'wallet', state: 'bad', says: expect.stringContaining('block list of USDT') }
  expect(faults(await examine({ rpcUrls: [lying.url] }))).toMatchObject([
    { ...blocked, subject: 'Devnet, the platform' },
    { ...blocked, subject: 'Devnet, Corner Coffee' },
  ])
})

test('each domain of a token is examined, and Permit2 where somebody signs for it', async () => {
  const [usdc, usdt] = network.tokens as [EvmNetwork['tokens'][number], EvmNetwork['tokens'][number]]
  const wrong = { name: 'USD Coin', version: '1' }
  expect(faults(await examine({ tokens: [{ ...usdc, authorization: wrong }, usdt] }))).toMatchObject([
    { code: 'permit.wrong', says: expect.stringContaining('version "1"') },
  ])
  const tokens = [usdc, { ...usdt, authorization: 'permit2' as const }]
  const signatureGas = { coinPrice: '50', perPayer: 1, perAddress: 1, dailyBudget: '1' }
  expect(checksOf(await examine({ tokens }))).not.toContain('permit2')
  expect(findingOf(await examine({ tokens, signatureGas }), 'permit2')).toMatchObject({ state: 'good' })
})

test('a head is stuck after twenty polls, and never before a minute; a clock may be five seconds behind', async () => {
  await chain.mine({ blocks: 1 })
  const headOf = async (ahead: number, pollMs: number) => {
    const found = (await examine({ pollMs }, { ahead })).find(({ check }) => check === 'head' || check === 'clock')
    return [found?.check, found?.state]
  }
  expect(await headOf(40, 1_000)).toEqual(['head', 'good'])
  expect(await headOf(150, 12_000)).toEqual(['head', 'good'])
  expect(await headOf(300, 12_000)).toEqual(['head', 'bad'])
  expect(await headOf(-15, 1_000)).toEqual(['clock', 'warning'])
})

test('a node that answers for exactly a hundred blocks is good enough', async () => {
  await chain.mine({ blocks: 600 })
  const url = await nodeThat(({ method, params }) => {
    const [range] = method === 'eth_getLogs' ? (params ?? []) : []
    return range && Number(range.toBlock) - Number(range.fromBlock) >= 100 ? refused : undefined
  })
  expect(findingOf(await examine({ rpcUrls: [url] }), 'logs')).toMatchObject({
    state: 'good',
    says: 'answers for 100 blocks per request',
  })
})

test('last week’s block is found by the pace of the newest thousand, and a node without it is a warning', async () => {
  snapshot = await chain.snapshot()
  try {
    await chain.mine({ blocks: 1_200, interval: 604 })
    const head = Number(await chain.request({ method: 'eth_blockNumber' } as never))
    const old = head - Math.ceil((7 * 24 * 60 * 60) / 604)
    expect(findingOf(await examine(), 'history')).toMatchObject({ says: `has the logs of a week ago (block ${old})` })
    lying = await openLyingNode(anvil.rpcUrl)
    lying.lie('eth_getBlockByNumber', (block, [number]) => (number === numberToHex(old) ? null : block))
    expect(findingOf(await examine({ rpcUrls: [lying.url] }), 'history')).toMatchObject({ state: 'warning' })
  } finally {
    await chain.revert({ id: snapshot })
  }
})

test('a chain that has its first block only has no history to examine', async () => {
  const young = await startAnvil({ chainId })
  try {
    const findings = await examine({ rpcUrls: [young.rpcUrl] })
    expect(checksOf(findings)).not.toContain('history')
    expect(findings.filter(({ check }) => check === 'rpc')).toMatchObject([{ state: 'good' }])
  } finally {
    await young.stop()
  }
})
