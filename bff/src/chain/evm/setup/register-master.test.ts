import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { type Hex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
/** The chain before anybody is registered. */
let unregistered: Hex
beforeAll(async () => {
  tempo = await startAnvil({ chainId: 31_339, isTempo: true })
  other = await startAnvil({ chainId: 31_337 })
  // anvil compares a sender's coins with the gas although Tempo has none.
  await rpcCall(tempo.rpcUrl, 'anvil_setBalance', [wallet, `0x${(10n ** 27n).toString(16)}`])
  unregistered = (await rpcCall(tempo.rpcUrl, 'evm_snapshot', [])) as Hex
})
afterAll(async () => {
  await tempo?.stop()
  await other?.stop()
})

let lying: LyingNode | undefined
afterEach(async () => {
  await lying?.close()
  lying = undefined
})

/** A node of Tempo that says who has an id, instead of the chain. */
async function openNodeWithMaster(master: Hex) {
  lying = await openLyingNode(tempo.rpcUrl)
  lying.lie('eth_call', () => pad(master, { size: 32 }))
  return { node: lying, chain: { ...tempo, rpcUrl: lying.url } }
}

function openNetwork({ rpcUrl, chainId }: Anvil) {
  const network = { ...devnetFacts, shortName: 'tempo', name: 'Tempo', chainId, rpcUrls: [rpcUrl] }
  return { network, pool: createEvmPool(network, commandPoolDeps(systemRuntime)) }
}

function register(
  chain: Anvil,
  note: SaltNote | undefined,
  isSigned: boolean,
  { onProgress = (_: string, __: number) => {}, until = signal } = {},
) {
  const notes: SaltNote[] = []
  const registering = registerMaster({
    ...openNetwork(chain),
    wallet,
    account: isSigned ? walletAccount(key, wallet) : null,
    note,
    saveNote: async (one) => void notes.push(one),
    onProgress,
    signal: until,
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

test('where deposits go to virtual addresses, no operator needs gas', async () => {
  const { network, pool } = openNetwork(tempo)
  const changed = { ...network, deposits: 'virtual' as const, tokens: [] }
  const found = await examineNetwork({ network: changed, pool, operator: wallet, wallets: [], nowMs: Date.now })
  expect(found.map(({ check }) => check)).not.toContain('gas')
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

test('the wallet’s own key is taken with a line break behind it, in either case of the address', () => {
  expect(walletAccount(`${key}\n`, wallet.toLowerCase() as Hex).address).toBe(wallet)
})

test('a wallet whose id another one has searches on behind that salt, until it is stopped', async () => {
  const { chain } = await openNodeWithMaster('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  const stopping = new AbortController()
  const tried: number[] = []
  const onProgress = (_: string, done: number) => {
    tried.push(done)
    stopping.abort(new Error('stopped'))
  }
  const note = { wallet, next: 0n, salt } as const
  await expect(register(chain, note, true, { onProgress, until: stopping.signal })).rejects.toThrow('stopped')
  expect(tried[0]).toBe(Number(BigInt(salt)) + 1)
})

test('a wallet whose salt is known is not searched for again', async () => {
  const { chain } = await openNodeWithMaster(wallet)
  const searches: number[] = []
  const onProgress = (_: string, done: number) => searches.push(done)
  const { registration } = await register(chain, { wallet, next: 0n, salt }, false, { onProgress })
  expect([registration.state, searches]).toEqual(['there', []])
})

test('a registration is reported neither where its transaction was reverted nor before the chain shows it', async () => {
  await rpcCall(tempo.rpcUrl, 'evm_revert', [unregistered])
  unregistered = (await rpcCall(tempo.rpcUrl, 'evm_snapshot', [])) as Hex
  const { node, chain } = await openNodeWithMaster('0x0000000000000000000000000000000000000000')
  const note = { wallet, next: 0n, salt } as const
  await expect(register(chain, note, true)).rejects.toThrow(`does not show the registration of ${wallet} yet`)
  await rpcCall(tempo.rpcUrl, 'evm_revert', [unregistered])
  unregistered = (await rpcCall(tempo.rpcUrl, 'evm_snapshot', [])) as Hex
  node.lie('eth_getTransactionReceipt', (receipt) => receipt && { ...receipt, status: '0x0' })
  await expect(register(chain, note, true)).rejects.toThrow('was reverted')
})

test('a virtual address or a token of the chain cannot be a wallet with virtual addresses', async () => {
  const virtual = `${masterId}fdfdfdfdfdfdfdfdfdfd000000000001` as Hex
  const registering = {
    ...openNetwork(tempo),
    account: null,
    note: undefined,
    saveNote: async () => {},
    onProgress: () => {},
  }
  const ended = AbortSignal.abort(new Error('searched'))
  for (const other of [virtual, '0x20c0000000000000000000000000000000000001'] as const) {
    await expect(registerMaster({ ...registering, wallet: other, signal: ended })).rejects.toThrow(
      `${other} cannot be a wallet with virtual addresses`,
    )
  }
})
