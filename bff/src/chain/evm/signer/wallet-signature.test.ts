import { openAnvilClient } from '@stablecoin-checkout/rig/anvil-client'
import { startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { createSupervisor } from '@stablecoin-checkout/rig/processes/supervisor'
import { type Hex, hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { createEvmPool, type EvmPool } from '../rpc/evm-pool.ts'
import { isSignedByWallet } from './wallet-signature.ts'

const supervisor = createSupervisor()
const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const wallet = '0x00000000000000000000000000000000000000a1'
const otherContract = '0x00000000000000000000000000000000000000a2'
const message = 'Pay me here'
const { signal } = new AbortController()
let pool: EvmPool

beforeAll(async () => {
  const { rpcUrl } = await startAnvil({ chainId: 31_337, supervisor })
  const chain = openAnvilClient(rpcUrl, 31_337)
  // A wallet whose owners have approved the hash in slot 0: it returns ERC-1271's value for that hash, and zero for
  // others.
  await chain.setCode({ address: wallet, bytecode: '0x60043560005414631626ba7e60e01b0260005260206000f3' })
  await chain.setStorageAt({ address: wallet, index: 0, value: hashMessage(message) })
  // Reverts, like a contract without the function.
  await chain.setCode({ address: otherContract, bytecode: '0x60006000fd' })
  const network = { name: 'Devnet', shortName: 'devnet', rpcUrls: [rpcUrl], chainId: 31_337 }
  pool = createEvmPool(network, { nowMs: Date.now, log: silentLog })
})
afterAll(() => supervisor.stop())

const isSigned = (address: string, text: string, signature: Hex) =>
  isSignedByWallet(pool, { address, message: text, signature }, signal)

test('a smart account has signed what its contract confirms (ERC-1271), and nothing else', async () => {
  expect(await isSigned(wallet, message, '0x')).toBe(true)
  expect(await isSigned(wallet, 'Pay somebody else', '0x')).toBe(false)
})

test('another contract, and an address without one, have signed nothing', async () => {
  const signature = await account.signMessage({ message })
  expect(await isSigned(otherContract, message, signature)).toBe(false)
  expect(await isSigned('0x00000000000000000000000000000000000000a3', message, signature)).toBe(false)
})

test('a key signs by its own signature, without a node call', async () => {
  const nobody = { ask: () => Promise.reject(new Error('a node was asked')) }
  const signature = await account.signMessage({ message })
  expect(await isSignedByWallet(nobody, { address: account.address, message, signature }, signal)).toBe(true)
})

test('while no node responds no signature counts as refused', async () => {
  const away = { ask: () => Promise.reject(new Error('no node answers')) }
  await expect(isSignedByWallet(away, { address: wallet, message, signature: '0x' }, signal)).rejects.toThrow('no node')
})
