import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { createPublicClient, createTestClient, http, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OperatorError } from '../../../core/errors.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { commandPoolDeps } from '../../rpc-pool.ts'
import { createEvmPool } from '../rpc/evm-pool.ts'
import { deploy, deployerAccount, GasMissingError } from './deploy-contracts.ts'

let anvil: Anvil
let lying: LyingNode | undefined
beforeEach(async () => {
  anvil = await startAnvil({ chainId: 31_337 })
})
afterEach(async () => {
  await lying?.close()
  lying = undefined
  await anvil?.stop()
})

function openChain() {
  const transport = http(anvil.rpcUrl)
  return { node: createTestClient({ mode: 'anvil', transport }), reader: createPublicClient({ transport }) }
}

const poolAt = (rpcUrl: string, chainId: number | null = 31_337) =>
  createEvmPool({ name: 'Devnet', shortName: 'devnet', rpcUrls: [rpcUrl], chainId }, commandPoolDeps(systemRuntime))

test('an account that holds one wei less than the most that the deployment may cost sends nothing', async () => {
  const { node, reader } = openChain()
  const payer = privateKeyToAccount(generatePrivateKey())
  const pool = poolAt(anvil.rpcUrl)
  const { cost } = await deploy(pool, null)
  const total = cost?.total ?? 0n
  await node.setBalance({ address: payer.address, value: total - 1n })
  await expect(deploy(pool, payer)).rejects.toThrow(GasMissingError)
  expect(await reader.getTransactionCount({ address: payer.address })).toBe(0)

  await node.setBalance({ address: payer.address, value: total })
  const { paid, contracts } = await deploy(pool, payer)
  expect(contracts.map(({ state }) => state)).toEqual(['deployed', 'deployed'])
  const left = await reader.getBalance({ address: payer.address })
  expect(paid).toEqual({ by: payer.address, amount: total - left })
  expect(left).toBeGreaterThan(0n)
  expect((await deploy(pool, payer)).paid, 'nothing is sent again').toBeNull()
})

test('the cost is reckoned at the highest price that a block may ask, or at the node’s price where there is no base fee', async () => {
  const { reader } = openChain()
  const { baseFeePerGas } = await reader.getBlock()
  const { cost } = await deploy(poolAt(anvil.rpcUrl), null)
  expect(cost?.feePerGas).toBeGreaterThan(baseFeePerGas ?? 0n)
  expect(cost?.total).toBe((cost?.gas ?? 0n) * (cost?.feePerGas ?? 0n))

  lying = await openLyingNode(anvil.rpcUrl)
  lying.lie('eth_getBlockByNumber', (block) => ({ ...(block as object), baseFeePerGas: null }))
  lying.lie('eth_gasPrice', () => numberToHex(7n * 10n ** 9n))
  expect((await deploy(poolAt(lying.url), null)).cost?.feePerGas).toBe(7n * 10n ** 9n)
})

test('to a node of another chain nothing is sent, and the error says so', async () => {
  const refused = deploy(poolAt(anvil.rpcUrl, 8_453), null)
  await expect(refused).rejects.toThrow(OperatorError)
  await expect(refused).rejects.toThrow(/on chain 31337, not on 8453.*: nothing was sent\.$/)
})

test('the deployer’s key is taken with a line break behind it', () => {
  const key = generatePrivateKey()
  expect(deployerAccount(`${key}\n`).address).toBe(privateKeyToAccount(key).address)
})
