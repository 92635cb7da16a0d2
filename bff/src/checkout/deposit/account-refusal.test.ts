import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Caller } from '../../access/context/caller.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import { registerMaster, walletAccount } from '../../chain/evm/setup/register-master.ts'
import { verifyMaster } from '../../chain/evm/virtual/registry.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { createAccountRefusals } from './account-refusal.ts'

/** The first account of anvil, and its salt in the example of ox's documentation of TIP-1022. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt = `0x${'0'.repeat(56)}abf52baf` as const

const { signal } = new AbortController()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_339, isTempo: true })
  // anvil compares a sender's coins with the gas although Tempo has none.
  await rpcCall(anvil.rpcUrl, 'anvil_setBalance', [wallet, `0x${(10n ** 27n).toString(16)}`])
})
afterAll(() => anvil?.stop())

function open(rpcUrl = anvil.rpcUrl) {
  const facts = { shortName: 'tempo', name: 'Tempo', chainId: 31_339, deposits: 'virtual', rpcUrls: [rpcUrl] } as const
  const network = { ...devnetFacts, ...facts }
  const pool = createEvmPool(network, commandPoolDeps(systemRuntime))
  const verifyAccount: WalletPayments['verifyAccount'] = (account, until) => verifyMaster(pool, network, account, until)
  const chains = new Map([['tempo', { verifyAccount } as WalletPayments]])
  const refusalOf = createAccountRefusals({
    networks: new Map([['tempo', network]]),
    chains,
    runtime: systemRuntime,
    log: silentLog,
  })
  const caller = { isTest: false, merchantId: 'm', ...named('0x58e21090') } as unknown as Caller
  return { network, pool, refusalOf, caller }
}

const named = (source: string) => ({ wallets: new Map([['tempo', wallet]]), sources: new Map([['tempo', source]]) })

test('no payment is created before the wallet is registered, nor for an id of another kind or wallet', async () => {
  const { network, pool, refusalOf, caller } = open()
  expect(await refusalOf(caller, 'tempo')).toMatchObject({ code: 'WALLET_MISSING' })
  expect(await refusalOf({ ...caller, isTest: true }, 'tempo')).toBeUndefined()

  const note = { wallet, next: 0n, salt } as const
  const saveNote = async () => undefined
  const account = walletAccount(key, wallet)
  await registerMaster({ pool, network, wallet, account, note, saveNote, onProgress: () => undefined, signal })
  expect(await refusalOf(caller, 'TEMPO')).toBeUndefined()

  expect(await refusalOf({ ...caller, ...named('xpub6C') }, 'tempo')).toMatchObject({ code: 'WALLET_MISSING' })
  const stranger = new Map([['tempo', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']])
  expect(await refusalOf({ ...caller, wallets: stranger }, 'tempo')).toMatchObject({ code: 'WALLET_MISSING' })
})

afterEach(() => vi.useRealTimers())

/** A network whose node is asked by `ask`, and the times that it was asked. */
function counted(ask: NonNullable<WalletPayments['verifyAccount']>) {
  const verifyAccount = vi.fn(ask)
  const network = { ...devnetFacts, shortName: 'tempo', name: 'Tempo', deposits: 'virtual' } as const
  const refusalOf = createAccountRefusals({
    networks: new Map([['tempo', network]]),
    chains: new Map([['tempo', { verifyAccount } as unknown as WalletPayments]]),
    runtime: { ...systemRuntime, nowMs: () => Date.now() },
    log: silentLog,
  })
  const caller = { isTest: false, merchantId: 'm', ...named('0x58e21090') } as unknown as Caller
  return { verifyAccount, refusalOf: (of: Partial<Caller> = {}) => refusalOf({ ...caller, ...of }, 'tempo') }
}

test('a node that never answers holds no create for longer than it takes to ask another one', async () => {
  vi.useFakeTimers()
  const { refusalOf } = counted(() => new Promise<never>(() => undefined))
  const refusals = Promise.all([refusalOf(), refusalOf()])
  await vi.advanceTimersByTimeAsync(15_000)
  const settled = await Promise.race([refusals, Promise.resolve('open')])
  expect(settled).toMatchObject([{ code: 'NETWORK_UNAVAILABLE' }, { code: 'NETWORK_UNAVAILABLE' }])
})

test('a node that hangs is passed over for one that answers', { timeout: 30_000 }, async () => {
  const hung = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(hung, 'listening')
  const network = {
    ...devnetFacts,
    shortName: 'tempo',
    name: 'Tempo',
    chainId: 31_339,
    deposits: 'virtual',
    rpcUrls: [`http://127.0.0.1:${(hung.address() as AddressInfo).port}`, anvil.rpcUrl],
  } as const
  const pool = createEvmPool(network, { nowMs: systemRuntime.nowMs, log: silentLog })
  const { refusalOf } = counted((account, until) => verifyMaster(pool, network, account, until))
  expect(await refusalOf()).toBeUndefined()
  hung.closeAllConnections()
  hung.close()
})

test('a stranger who opens payments does not ask a node for each of them', async () => {
  vi.useFakeTimers()
  const { verifyAccount, refusalOf } = counted(async () => undefined)
  await Promise.all(Array.from({ length: 50 }, () => refusalOf()))
  for (let nth = 0; nth < 50; nth++) await refusalOf()
  expect(verifyAccount).toHaveBeenCalledTimes(1)
  await refusalOf(named('0x00000001'))
  expect(verifyAccount, 'another account').toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(60_001)
  await refusalOf()
  expect(verifyAccount, 'a minute later').toHaveBeenCalledTimes(3)
})

test('a refusal is not remembered', async () => {
  const { verifyAccount, refusalOf } = counted(() => Promise.reject(new Error('down')))
  expect(await refusalOf()).toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  verifyAccount.mockResolvedValue(undefined)
  expect(await refusalOf()).toBeUndefined()
})

test('while no node answers, no address is given out', async () => {
  const { refusalOf, caller } = open('http://127.0.0.1:1')
  const refusal = await refusalOf(caller, 'tempo')
  expect(refusal).toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  expect(refusal?.message).not.toContain('127.0.0.1')
})
