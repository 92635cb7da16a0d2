import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import fc from 'fast-check'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  getAddress,
  http,
  keccak256,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cloneInitCodeHash,
  depositFactory,
  factoryAddress,
  implementationAddress,
} from '../deploy/contracts.generated.ts'
import { deployContracts } from '../deploy/deployer.ts'
import type { DepositTerms } from './deposit-terms.ts'
import { depositAddress, depositTermsHash, toTuple } from './forwarder-address.ts'

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => `0x${Buffer.from(array).toString('hex')}` as const)
const wallet = hex(20).filter((address) => BigInt(address) > 0n)

/** Terms over the whole range of their types. */
const anyTerms: fc.Arbitrary<DepositTerms> = fc
  .record({
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    token: wallet,
    amount: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
    tolerance: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    merchant: wallet,
    platform: wallet,
    feeBps: fc.integer({ min: 0, max: 10_000 }),
    deadlineSeconds: fc.integer({ min: 0, max: 2 ** 40 - 1 }),
    operator: wallet,
    salt: hex(32),
  })
  .map(({ tolerance, ...terms }) => ({ ...terms, least: terms.amount - (tolerance % terms.amount) }))

const terms: DepositTerms = {
  chainId: 31_337,
  token: '0x00000000000000000000000000000000000000c0',
  amount: 25_000_000n,
  least: 25_000_000n,
  merchant: '0x00000000000000000000000000000000000000aa',
  platform: '0x00000000000000000000000000000000000000bb',
  feeBps: 150,
  deadlineSeconds: 1_800_000_000,
  operator: '0x00000000000000000000000000000000000000cc',
  salt: `0x${'01'.repeat(32)}`,
}

test('the terms hash is that of their ABI encoding', () => {
  const abi = depositFactory.abi.find((item) => item.type === 'function' && item.name === 'settle')
  if (abi?.type !== 'function') throw new Error('The factory has no settle.')
  fc.assert(
    fc.property(anyTerms, (any) => {
      const encoded = encodeAbiParameters(abi.inputs, [toTuple(any)] as never)
      expect(depositTermsHash(any)).toBe(keccak256(encoded))
    }),
  )
})

describe('on a chain', () => {
  let anvil: Anvil
  let clients: ReturnType<typeof connect>

  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 31_337 })
    clients = connect(anvil.rpcUrl)
    await clients.node.setBalance({ address: clients.sender.account.address, value: 10n ** 18n })
    await deployContracts(clients)
  })
  afterAll(() => anvil?.stop())

  test('the computed addresses equal the chain’s', async () => {
    const read = { address: factoryAddress, abi: depositFactory.abi } as const
    expect(await clients.reader.readContract({ ...read, functionName: 'implementation' })).toBe(implementationAddress)
    expect(await clients.reader.readContract({ ...read, functionName: 'cloneInitCodeHash' })).toBe(cloneInitCodeHash)
  })

  test('a deposit address equals the factory’s, for any terms', async () => {
    const check = fc.asyncProperty(anyTerms, async (any) => {
      const address = depositAddress(any)
      const args = [toTuple(any)] as const
      const read = { address: factoryAddress, abi: depositFactory.abi, functionName: 'forwarderOf', args } as const
      expect(await clients.reader.readContract(read)).toBe(address)
      expect(address).toBe(getAddress(address))
    })
    await fc.assert(check)
  })

  test('a deposit address of another factory equals that factory’s', async () => {
    const { abi, bytecode } = depositFactory
    const hash = await clients.sender.deployContract({ abi, bytecode, chain: null })
    const { contractAddress } = await clients.reader.waitForTransactionReceipt({ hash })
    const address = contractAddress as `0x${string}`
    const read = { address, abi, functionName: 'forwarderOf', args: [toTuple(terms)] } as const
    expect(await clients.reader.readContract(read)).toBe(depositAddress(terms, address))
  })
})

test('another factory has other addresses, and its own may have any case', () => {
  const other = '0x00000000000000000000000000000000000000Ff'
  expect(depositAddress(terms, other)).not.toBe(depositAddress(terms))
  expect(depositAddress(terms, factoryAddress.toLowerCase() as `0x${string}`)).toBe(depositAddress(terms))
})

test.each<[string, Partial<DepositTerms>]>([
  ['a least of nothing', { least: 0n }],
  ['a least above the amount', { least: 25_000_001n }],
  ['an amount beyond uint128', { amount: 2n ** 128n }],
  ['a fee above the whole', { feeBps: 10_001 }],
  ['a fee of half a point', { feeBps: 0.5 }],
  ['a negative fee', { feeBps: -1 }],
  ['a deadline beyond uint40', { deadlineSeconds: 2 ** 40 }],
  ['a chain id of zero', { chainId: 0 }],
  ['no token', { token: `0x${'0'.repeat(40)}` }],
  ['no merchant', { merchant: `0x${'0'.repeat(40)}` }],
  ['no operator', { operator: `0x${'0'.repeat(40)}` }],
  ['no platform for the least fee', { platform: `0x${'0'.repeat(40)}`, feeBps: 1 }],
  ['a platform that is no address, also without a fee', { platform: '0xbb', feeBps: 0 }],
  ['no platform for a fee', { platform: `0x${'0'.repeat(40)}` }],
  ['a short address', { merchant: '0xaa' }],
  ['a short salt', { salt: '0x01' }],
])('%s has no deposit address', (_, fault) => {
  expect(() => depositAddress({ ...terms, ...fault })).toThrow(RangeError)
})

test('without a fee no platform is required', () => {
  expect(depositAddress({ ...terms, feeBps: 0, platform: `0x${'0'.repeat(40)}` })).toMatch(/^0x/)
})

function connect(rpcUrl: string) {
  const transport = http(rpcUrl)
  const pollingInterval = 20
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    node: createTestClient({ mode: 'anvil', transport }),
    reader: createPublicClient({ transport, pollingInterval }),
    sender: createWalletClient({ transport, account }),
  }
}
