import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  decodeEventLog,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil } from './anvil.ts'
import { devnetChain } from './deploy.ts'
import { receiptOf } from './receipt.ts'
import { masterId, startTempo } from './tempo.ts'

/* Tests the behavior of Tempo's chain on which the service relies, as this anvil implements it. */

const dataDir = mkdtempSync(join(tmpdir(), 'tempo-'))
const registry = '0xfdc0000000000000000000000000000000000000'
const feeManager = '0xfeEC000000000000000000000000000000000000'
const registryAbi = parseAbi(['function getMaster(bytes4 masterId) view returns (address)'])
const tokenAbi = [
  ...erc20Abi,
  ...parseAbi(['function transferWithMemo(address to, uint256 amount, bytes32 memo)']),
] as const

const virtual = (master: Hex, tag: string): Hex => `${master}${'fd'.repeat(10)}${tag}`

let tempo: Awaited<ReturnType<typeof startTempo>>
beforeAll(async () => {
  tempo = await startTempo({ dataDir, blockTimeSeconds: null })
})
afterAll(async () => {
  await tempo?.anvil.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function connect() {
  const { rpcUrl, chainId } = tempo.network
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const account = privateKeyToAccount(tempo.customer.privateKey)
  return {
    reader: createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 20 }),
    wallet: createWalletClient({ chain, transport, account }),
  }
}

async function transfersOf(hash: Hex) {
  const { logs } = await receiptOf(connect().reader, hash)
  return logs.flatMap(({ address, data, topics }) => {
    if (topics.length !== 3) return []
    const { args } = decodeEventLog({ abi: erc20Abi, eventName: 'Transfer', data, topics })
    return [{ token: getAddress(address), from: args.from, to: args.to.toLowerCase(), amount: args.value }]
  })
}

const balanceOf = (address: Hex) =>
  connect().reader.readContract({
    address: tempo.network.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })

test('the registry names the merchant’s wallet as the master of its id', async () => {
  const read = { address: registry, abi: registryAbi, functionName: 'getMaster' } as const
  expect(await connect().reader.readContract({ ...read, args: [masterId] })).toBe(tempo.network.merchantWallet)
})

test('a transfer to a virtual address credits the master within the transaction, and the fee is a separate transfer', async () => {
  const { wallet } = connect()
  const { address } = tempo.network.tokens.USDC
  const to = virtual(masterId, '0000000000a1')
  const before = await balanceOf(tempo.network.merchantWallet)
  const args = [to, 25_000_000n, `0x${'11'.repeat(32)}`] as const
  const hash = await wallet.writeContract({ address, abi: tokenAbi, functionName: 'transferWithMemo', args })
  const found = await transfersOf(hash)
  expect(found).toMatchObject([
    { token: address, from: tempo.customer.address, to, amount: 25_000_000n },
    { token: address, to: tempo.network.merchantWallet.toLowerCase(), amount: 25_000_000n },
    { token: address, from: tempo.customer.address, to: feeManager.toLowerCase() },
  ])
  expect(await balanceOf(to)).toBe(0n)
  expect((await balanceOf(tempo.network.merchantWallet)) - before).toBe(25_000_000n)
})

test('a transfer to an unregistered virtual address is refused', async () => {
  const { wallet } = connect()
  const { address } = tempo.network.tokens.USDC
  const args = [virtual('0x58e21091', '0000000000a1'), 1_000_000n] as const
  await expect(wallet.writeContract({ address, abi: tokenAbi, functionName: 'transfer', args })).rejects.toThrow()
})

test('the chain has no coin to send', async () => {
  const { wallet } = connect()
  await expect(wallet.sendTransaction({ to: tempo.network.merchantWallet, value: 1n })).rejects.toThrow()
})

test('a chain without the hardfork has no registry', async () => {
  const other = await startAnvil({ chainId: 31_340 })
  const reader = createPublicClient({ transport: http(other.rpcUrl) })
  const read = { address: registry, abi: registryAbi, functionName: 'getMaster', args: [masterId] } as const
  await expect(reader.readContract(read)).rejects.toThrow().finally(other.stop)
})
