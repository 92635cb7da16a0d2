import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { deployNetwork } from '@stablecoin-checkout/rig/devnet/deploy'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmNetwork, SigningDomain } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { permit2Address } from '../authorization/permit2.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { createEvmPool } from '../rpc/evm-pool.ts'
import { verifySplitter } from './verify-splitter.ts'

const circle = { name: 'USD Coin', version: '2' }
const { signal } = new AbortController()
let anvil: Anvil
let network: EvmNetwork

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337 })
  const address = (index: number) => `0x${String(index).repeat(40)}` as Hex
  const people = { customer: address(1), operator: address(2), merchant: address(3), platform: address(4) }
  const privateKey = generatePrivateKey()
  const tokenOwner = { privateKey, address: privateKeyToAccount(privateKey).address }
  const { factory, tokens } = await deployNetwork({ rpcUrl: anvil.rpcUrl, chainId: 31_337, tokenOwner, people })
  network = {
    ...{ shortName: 'devnet', name: 'Devnet', family: 'evm', chainId: 31_337, isTestnet: true, explorerUrl: null },
    ...{
      rpcUrls: [anvil.rpcUrl],
      publicRpcUrls: [],
      confirmations: 3,
      highValue: null,
      sweepGas: null,
      signatureGas: null,
      deposits: 'forwarder',
      finalityBlocks: 64,
      pollMs: 500,
    },
    ...{ factory, splitter: paymentSplitter.address, platformWallet: address(4) },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', currency: 'USD', name: 'USD Coin', ...tokens.USDC, permit: circle, authorization: circle },
      { symbol: 'USDT', currency: 'USD', name: 'Tether USD', ...tokens.USDT, permit: null, authorization: null },
    ],
  }
})
afterAll(() => anvil.stop())

const verify = (change: Partial<EvmNetwork> = {}) => {
  const changed = { ...network, ...change }
  return verifySplitter(changed, createEvmPool(changed, { nowMs: Date.now, log: silentLog }), signal)
}
const reasonOf = async (change: Partial<EvmNetwork> = {}) => (await verify(change))?.reason
const signing = (index: number, permit: SigningDomain) =>
  reasonOf({ tokens: network.tokens.map((token, at) => (at === index ? { ...token, permit } : token)) })

test('our splitter and tokens with the configured domains are good', async () => {
  expect(await verify()).toBeUndefined()
})

test('a splitter that is not deployed, or is another contract, is reported', async () => {
  const stranger = '0x00000000000000000000000000000000000000b0'
  expect(await reasonOf({ splitter: stranger })).toMatch(/^The payment splitter of Devnet .* is not deployed\.$/)
  const code = (await rpcCall(anvil.rpcUrl, 'eth_getCode', [paymentSplitter.address, 'latest'])) as string
  await rpcCall(anvil.rpcUrl, 'anvil_setCode', [stranger, `${code}00`])
  expect(await reasonOf({ splitter: stranger })).toMatch(/is another contract\.$/)
})

test('a token authorized by Permit2 is good only if Permit2 exists', async () => {
  const tokens = network.tokens.map((token, at) => (at === 1 ? { ...token, authorization: 'permit2' as const } : token))
  const signatureGas = { coinPrice: '50', perPayer: 1, perAddress: 1, dailyBudget: '1' }
  expect(await reasonOf({ tokens, signatureGas })).toBeUndefined()
  const code = await rpcCall(anvil.rpcUrl, 'eth_getCode', [permit2Address, 'latest'])
  try {
    const returnsOne = '0x600160005260206000f3'
    for (const other of ['0x', '0x00', returnsOne]) {
      await rpcCall(anvil.rpcUrl, 'anvil_setCode', [permit2Address, other])
      expect(await reasonOf({ tokens, signatureGas })).toMatch(/^Permit2 is not on Devnet .* of USDT\.$/)
    }
    expect(await reasonOf({ tokens }), 'nobody signs here').toBeUndefined()
  } finally {
    await rpcCall(anvil.rpcUrl, 'anvil_setCode', [permit2Address, code])
  }
})

test('a token with another name or version, or without signatures, is reported', async () => {
  expect(await signing(0, { ...circle, version: '1' })).toMatch(
    /^USDC on Devnet .* does not sign as "USD Coin", version "1"\.$/,
  )
  expect(await signing(0, { ...circle, name: 'USDC' })).toMatch(/does not sign as "USDC"/)
  expect(await signing(1, circle)).toMatch(/^USDT on Devnet .* does not support signatures/)
})

test('the domain by which a token is authorized is verified beside that of its permits', async () => {
  const tokens = network.tokens.map((token) => ({ ...token, authorization: { ...circle, version: '1' } }))
  expect(await reasonOf({ tokens })).toMatch(/^USDC on Devnet .* does not sign as "USD Coin", version "1"\.$/)
})

test('a node of another chain is reported, and a network that takes deposits only has no contract payments', async () => {
  expect(await verify({ chainId: 8_453 })).toEqual({
    kind: 'wrong',
    reason: 'The node of Devnet is on chain 31337, not on 8453.',
  })
  expect(await verify({ deposits: 'virtual' })).toMatchObject({ kind: 'off' })
})
