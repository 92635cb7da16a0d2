import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'
import { commandPoolDeps } from '../../rpc-pool.ts'
import { createEvmPool } from '../rpc/evm-pool.ts'
import { readMaster, verifyMaster } from '../virtual/registry.ts'
import { examineNetwork } from './examine-network.ts'
import { describeRegistration, registerMaster, type SaltNote, walletAccount } from './register-master.ts'

/** The first account of anvil, and its salt in the example of ox's documentation of TIP-1022. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt: Hex = `0x${'0'.repeat(56)}abf52baf`
const masterId = '0x58e21090'

const { signal } = new AbortController()

let tempo: Anvil
let other: Anvil
beforeAll(async () => {
  tempo = await startAnvil({ chainId: 31_339, isTempo: true })
  other = await startAnvil({ chainId: 31_337 })
  // anvil compares a sender's coins with the gas although Tempo has none.
  await rpcCall(tempo.rpcUrl, 'anvil_setBalance', [wallet, `0x${(10n ** 27n).toString(16)}`])
})
afterAll(async () => {
  await tempo?.stop()
  await other?.stop()
})

function openNetwork({ rpcUrl, chainId }: Anvil) {
  const network = { ...devnetFacts, shortName: 'tempo', name: 'Tempo', chainId, rpcUrls: [rpcUrl] }
  return { network, pool: createEvmPool(network, commandPoolDeps(systemRuntime)) }
}

function register(chain: Anvil, note: SaltNote | undefined, isSigned: boolean) {
  const notes: SaltNote[] = []
  const registering = registerMaster({
    ...openNetwork(chain),
    wallet,
    account: isSigned ? walletAccount(key, wallet) : null,
    note,
    saveNote: async (one) => void notes.push(one),
    onProgress: () => undefined,
    signal,
  })
  return registering.then((registration) => ({ registration, notes }))
}

test('a wallet is registered once: the salt is searched, the call is printed, and with the key it is sent', async () => {
  const { network, pool } = openNetwork(tempo)
  const account = { source: masterId, address: wallet }
  await expect(verifyMaster(pool, network, account, signal)).rejects.toThrow('is not registered on Tempo')

  const from = { wallet, next: BigInt(salt) - 1_000n, salt: null } as const
  const searched = await register(tempo, from, false)
  expect(searched.registration).toMatchObject({ wallet, salt, masterId, state: 'missing' })
  expect(searched.notes).toEqual([{ wallet, next: from.next, salt }])
  expect(describeRegistration(network, searched.registration)).toContain(searched.registration.call.data)

  const [note] = searched.notes
  expect((await register(tempo, note, true)).registration.state).toBe('registered')
  expect(await readMaster(pool, network, masterId, signal)).toBe(wallet)
  await verifyMaster(pool, network, account, signal)
  const again = await register(tempo, note, true)
  expect(again.registration.state).toBe('there')
  expect(describeRegistration(network, again.registration)).toContain(`tempo=${wallet}:${salt}`)
})

test('doctor names a wallet without its registration', async () => {
  const { network, pool } = openNetwork(tempo)
  const changed = { ...network, deposits: 'virtual' as const, tokens: [] }
  const wallets = [
    { merchant: 'Corner Coffee', address: wallet, source: masterId },
    { merchant: 'Other', address: wallet, source: '0x58e21091' },
  ]
  const found = await examineNetwork({ network: changed, pool, operator: null, wallets, nowMs: Date.now })
  const ofOther = found.filter(({ subject }) => subject === 'Tempo, Other').map(({ code }) => code)
  expect(ofOther).toEqual(['wallet.good', 'wallet.unregistered'])
  const ofFirst = found.filter(({ subject }) => subject === 'Tempo, Corner Coffee').map(({ code }) => code)
  expect(ofFirst).toEqual(['wallet.good', 'wallet.good'])
})

test('an id of another wallet is refused', async () => {
  const { network, pool } = openNetwork(tempo)
  const stranger = { source: masterId, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
  await expect(verifyMaster(pool, network, stranger, signal)).rejects.toThrow(`is registered for ${wallet}`)
})

test('on a chain without the registry nothing is searched, and no address is assigned', async () => {
  const { network, pool } = openNetwork(other)
  await expect(register(other, undefined, false)).rejects.toThrow('has no registry of virtual addresses')
  const account = { source: masterId, address: wallet }
  await expect(verifyMaster(pool, network, account, signal)).rejects.toThrow('money would be lost')
})

test('a key of another wallet signs nothing', () => {
  expect(() => walletAccount(key, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toThrow(`is the key of ${wallet}`)
  expect(() => walletAccount('0x12', wallet)).toThrow('64 hex digits')
})
