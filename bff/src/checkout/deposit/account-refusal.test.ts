import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../access/caller.ts'
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
  const refusalOf = createAccountRefusals({ networks: new Map([['tempo', network]]), chains, log: silentLog })
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

test('while no node answers, no address is given out', async () => {
  const { refusalOf, caller } = open('http://127.0.0.1:1')
  const refusal = await refusalOf(caller, 'tempo')
  expect(refusal).toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  expect(refusal?.message).not.toContain('127.0.0.1')
})
