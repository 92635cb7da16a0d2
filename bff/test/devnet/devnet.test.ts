import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, PublicKey } from '@solana/web3.js'
import { factoryAddress, paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { missingContracts } from '@stablecoin-checkout/bff/testing/evm'
import { createPublicClient, createWalletClient, http, parseSignature, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../processes/ports.ts'
import { devnetChain } from './deploy.ts'
import { type Account, type Devnet, type DevnetNetwork, startDevnet } from './devnet.ts'
import { receiptOf } from './receipt.ts'
import { testUsdc, testUsdt } from './tokens.generated.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'devnet-'))
const spender = '0x00000000000000000000000000000000000000b0'
let devnet: Devnet

beforeAll(async () => {
  const first = await freePort()
  // No interval: a test sees only blocks of its own transactions.
  devnet = await startDevnet({ dataDir, ports: [first, await freePort([first])], blockTimeSeconds: null })
})

afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('both chains return their own id', async () => {
  const ids = await Promise.all(devnet.networks.map((network) => reader(network).getChainId()))
  expect(ids).toEqual([31337, 31338])
  expect(devnet.networks.map(({ chainId, shortName }) => [shortName, chainId])).toEqual([
    ['devnet', 31337],
    ['devnet-b', 31338],
  ])
})

test('factory and splitter have the same address on both', async () => {
  for (const network of devnet.networks) {
    expect([network.factory, network.splitter]).toEqual([factoryAddress, paymentSplitter.address])
    expect(await missingContracts(reader(network))).toEqual([])
  }
})

test('each token has its own address on each chain', () => {
  const addresses = devnet.networks.flatMap(({ tokens }) => [tokens.USDC.address, tokens.USDT.address])
  expect(new Set(addresses).size).toBe(4)
})

test('the customer holds gas and 100,000 of each token; merchant and platform hold a small balance', async () => {
  for (const network of devnet.networks) {
    expect(await reader(network).getBalance({ address: devnet.customer.address })).toBeGreaterThan(10n ** 18n)
    expect(await reader(network).getBalance({ address: devnet.operator.address })).toBeGreaterThan(10n ** 18n)
    for (const token of [network.tokens.USDC, network.tokens.USDT]) {
      expect(await balance(network, token.address, devnet.customer.address)).toBe(100_000_000_000n)
      expect(await balance(network, token.address, network.merchantWallet)).toBe(1_000_000n)
      expect(await balance(network, token.address, network.platformWallet)).toBe(1_000_000n)
    }
  }
})

test('the local Solana has its own tokens and accounts, and is one of the processes', async () => {
  const { network, customer, operator } = devnet.solana
  const connection = new Connection(network.rpcUrl, 'processed')
  expect(await connection.getGenesisHash()).toBe(network.genesisHash)
  for (const { address } of [customer, operator]) {
    expect(await connection.getBalance(new PublicKey(address))).toBe(1_000_000_000_000)
  }
  for (const { address } of [network.tokens.USDC, network.tokens.USDT]) {
    const account = getAssociatedTokenAddressSync(new PublicKey(address), new PublicKey(customer.address))
    expect((await connection.getTokenAccountBalance(account)).value.amount).toBe('100000000000')
  }
  expect(Object.keys(devnet.pids()).toSorted()).toEqual(['devnet', 'devnet-b', 'solana-devnet'])
})

test('USDT requires an allowance of zero before another, and returns nothing', async () => {
  const [network] = devnet.networks
  const wallet = walletOf(network, devnet.customer)
  const { address } = network.tokens.USDT
  const approve = async (amount: bigint) => {
    const call = { address, abi: testUsdt.abi, functionName: 'approve', args: [spender, amount] } as const
    await receiptOf(wallet, await wallet.writeContract(call))
  }
  await approve(5n)
  await expect(approve(6n)).rejects.toThrow()
  await approve(0n)
  await approve(6n)
  const transfer = testUsdt.abi.find((item) => item.type === 'function' && item.name === 'transfer')
  expect(transfer).toMatchObject({ outputs: [] })
})

test('USDC accepts a permit signed by the customer, submitted by anyone', async () => {
  const [network] = devnet.networks
  const { address } = network.tokens.USDC
  const message = { owner: devnet.customer.address, spender, value: 7n, nonce: 0n, deadline: 2n ** 40n } as const
  const signature = await privateKeyToAccount(devnet.customer.privateKey).signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: network.chainId, verifyingContract: address },
    types: { Permit: permitFields },
    primaryType: 'Permit',
    message,
  })
  const { r, s, v } = parseSignature(signature)
  const anyone = walletOf(network, devnet.operator)
  const hash = await anyone.writeContract({
    address,
    abi: testUsdc.abi,
    functionName: 'permit',
    args: [message.owner, spender, message.value, message.deadline, Number(v), r, s],
  })
  await receiptOf(anyone, hash)
  const allowance = { address, abi: testUsdc.abi, functionName: 'allowance', args: [message.owner, spender] } as const
  expect(await reader(network).readContract(allowance)).toBe(7n)
})

const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

const reader = (network: DevnetNetwork) =>
  createPublicClient({ chain: devnetChain(network.rpcUrl, network.chainId), transport: http(network.rpcUrl) })

const walletOf = (network: DevnetNetwork, account: Account) =>
  createWalletClient({
    chain: devnetChain(network.rpcUrl, network.chainId),
    transport: http(network.rpcUrl),
    account: privateKeyToAccount(account.privateKey),
    pollingInterval: 20,
  }).extend(publicActions)

const balance = (network: DevnetNetwork, address: `0x${string}`, holder: `0x${string}`) =>
  reader(network).readContract({ address, abi: testUsdc.abi, functionName: 'balanceOf', args: [holder] })
