import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { deployNetwork } from '@stablecoin-checkout/rig/devnet/deploy'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { createSupervisor } from '@stablecoin-checkout/rig/processes/supervisor'
import {
  type AbiFunction,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { depositFactory, paymentSplitter } from '../deploy/contracts.generated.ts'
import { createEvmPool, poolReader } from '../rpc/evm-pool.ts'
import { verifyNetwork, verifyToken } from './verify-network.ts'

const supervisor = createSupervisor()
const circle = { name: 'USD Coin', version: '2' }
const stranger = '0x00000000000000000000000000000000000000b0'
const { signal } = new AbortController()
let network: EvmNetwork
let otherChain: Anvil

beforeAll(async () => {
  const anvil = await startAnvil({ chainId: 31_337, supervisor })
  otherChain = await startAnvil({ chainId: 31_338, supervisor })
  const account = privateKeyToAccount(generatePrivateKey())
  const address = (index: number) => `0x${String(index).repeat(40)}` as Hex
  const people = { customer: address(1), operator: address(2), merchant: address(3), platform: address(4) }
  const privateKey = generatePrivateKey()
  const tokenOwner = { privateKey, address: privateKeyToAccount(privateKey).address }
  const { factory, tokens } = await deployNetwork({ rpcUrl: anvil.rpcUrl, chainId: 31_337, tokenOwner, people })
  network = {
    ...{ shortName: 'devnet', name: 'Devnet', family: 'evm', chainId: 31_337, isTestnet: true, explorerUrl: null },
    ...{
      rpcUrls: [anvil.rpcUrl],
      confirmations: 3,
      highValue: null,
      sweepGas: null,
      signatureGas: null,
      deposits: 'forwarder',
      finalityBlocks: 64,
      pollMs: 500,
      publicRpcUrls: [],
    },
    ...{ factory, splitter: paymentSplitter.address, platformWallet: account.address },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    tokens: [
      { symbol: 'USDC', currency: 'USD', name: 'USD Coin', ...tokens.USDC, permit: circle, authorization: circle },
      { symbol: 'USDT', currency: 'USD', name: 'Tether USD', ...tokens.USDT, permit: null, authorization: null },
    ],
  }
})
afterAll(() => supervisor.stop())

let lying: LyingNode | undefined
afterEach(async () => {
  await lying?.close()
  lying = undefined
})

/** A node that responds to calls of one function with another value. */
async function nodeThatSays(signature: string, value: Hex): Promise<string> {
  lying = await openLyingNode(network.rpcUrls[0] ?? '')
  const selector = toFunctionSelector(signature)
  lying.lie('eth_call', (answer, [call]) => ((call as { data: Hex }).data.startsWith(selector) ? value : answer))
  return lying.url
}
const textOf = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])

const verify = (change: Partial<EvmNetwork> = {}) => {
  const changed = { ...network, ...change }
  return verifyNetwork(changed, createEvmPool(changed, { nowMs: Date.now, log: silentLog }), signal)
}
const noToken = { currency: 'USD', name: '', address: '', decimals: 0, permit: null, authorization: null }
const usdc = () => network.tokens[0] ?? { symbol: 'USDC', ...noToken }
const usdt = () => network.tokens[1] ?? { symbol: 'USDT', ...noToken }

test('a chain that matches the configuration is good', async () => {
  expect(await verify()).toBeUndefined()
})

test('a node of another chain is reported, even if it is one of several', async () => {
  expect(await verify({ chainId: 8_453 })).toEqual({
    kind: 'wrong',
    reason: 'The node of Devnet is on chain 31337, not on 8453.',
  })
  expect(await verify({ rpcUrls: [...network.rpcUrls, otherChain.rpcUrl] })).toEqual({
    kind: 'wrong',
    reason: 'Node 2 of 2 of Devnet is on chain 31338, not on 31337.',
  })
})

test('a node that is down does not exclude the network while another responds', async () => {
  expect(await verify({ rpcUrls: ['http://127.0.0.1:1', ...network.rpcUrls] })).toBeUndefined()
})

test('when no node responds, the reason does not contain the nodes’ URLs', async () => {
  const fault = await verify({ rpcUrls: ['http://127.0.0.1:1/v2/secret-key'] })
  expect(fault).toMatchObject({ kind: 'unreachable', reason: 'No node of Devnet returns a usable response.' })
  expect(JSON.stringify(fault)).not.toContain('secret-key')
})

test('a token with other decimals, another symbol or no code is reported with the chain’s value', async () => {
  const reasonOf = async (change: Partial<EvmNetwork['tokens'][number]>) =>
    (await verify({ tokens: [{ ...usdc(), ...change }] }))?.reason
  expect(await reasonOf({ decimals: 18 })).toMatch(/^USDC on Devnet \(0x.*\) has 6 decimals on chain, not 18\.$/)
  expect(await reasonOf({ symbol: 'USDT' })).toMatch(/^USDT on Devnet .* is called "USDC" on chain\.$/)
  expect(await reasonOf({ address: stranger })).toMatch(/is not a contract\.$/)
  expect(await reasonOf({ address: network.factory })).toMatch(/is not a token\.$/)
})

test('the tokens may not be swapped', async () => {
  const tokens = [{ ...usdc(), address: usdt().address }]
  expect((await verify({ tokens }))?.reason).toMatch(/is called "USDT"/)
})

test('a factory that is not deployed, or differs, is reported', async () => {
  expect((await verify({ factory: stranger }))?.reason).toMatch(/^The deposit factory of Devnet .* is not deployed\.$/)
  expect((await verify({ factory: usdc().address }))?.reason).toMatch(/is another contract\.$/)
})

test('every token is verified, not only the first', async () => {
  const wrong = await verify({ tokens: [usdc(), { ...usdt(), decimals: 18 }] })
  expect(wrong?.reason).toMatch(/^USDT on Devnet .* has 6 decimals on chain, not 18\.$/)
})

test('only on Tempo is USDC also the token that is called USDC.e', async () => {
  const rpcUrls = [await nodeThatSays('symbol()', textOf('USDC.e'))]
  expect((await verify({ rpcUrls, tokens: [usdc()] }))?.reason).toMatch(/is called "USDC\.e" on chain/)
  const reader = poolReader(createEvmPool({ ...network, rpcUrls }, { nowMs: Date.now, log: silentLog }), signal)
  await verifyToken(reader, { name: 'Tempo', chainId: 4_217 }, usdc())
  await expect(verifyToken(reader, { name: 'Base', chainId: 8_453 }, usdc())).rejects.toThrow('is called "USDC.e"')
})

test('of a symbol on chain only a short part is shown, without characters that hide or turn text', async () => {
  const rpcUrls = [await nodeThatSays('symbol()', textOf('\u202eUSD₮\n'.repeat(1_000)))]
  expect((await verify({ rpcUrls, tokens: [usdc()] }))?.reason).toMatch(
    /is called "\?USD₮\?\?USD₮\?\?USD₮\?\?U" on chain\.$/,
  )
})

test('a factory that derives other addresses is reported; without forwarders none is needed', async () => {
  const other = encodeAbiParameters([{ type: 'address' }], [stranger])
  const { abi } = depositFactory
  const forwarderOf = abi.find((item) => item.type === 'function' && item.name === 'forwarderOf')
  const rpcUrls = [await nodeThatSays(toFunctionSignature(forwarderOf as AbiFunction), other)]
  expect((await verify({ rpcUrls }))?.reason).toMatch(/has another version: it derives other addresses\.$/)
  expect(await verify({ deposits: 'virtual', factory: stranger })).toBeUndefined()
})

test.each([
  ['nothing', '0x'],
  ['a number that is too large', numberToHex(2n ** 255n, { size: 32 })],
])('a contract that returns %s for its decimals is no token', async (_, value) => {
  const rpcUrls = [await nodeThatSays('decimals()', value as Hex)]
  expect(await verify({ rpcUrls, tokens: [usdc()] })).toMatchObject({
    kind: 'wrong',
    reason: expect.stringMatching(/is not a token\.$/),
  })
})

test('a node that does not answer a contract’s call says nothing about the contract', async () => {
  lying = await openLyingNode(network.rpcUrls[0] ?? '')
  lying.lie('eth_call', () => {
    throw new Error('the connection is closed')
  })
  expect(await verify({ rpcUrls: [lying.url] })).toMatchObject({ kind: 'unreachable' })
})
