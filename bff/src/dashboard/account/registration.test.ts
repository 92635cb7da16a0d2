import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ContractStage, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { type DashboardPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import type { Anvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { masterId, masterSalt, startTempo, type TempoDevnet } from '@stablecoin-checkout/rig/devnet/tempo'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import { readMaster, registerCall } from '../../chain/evm/virtual/registry.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { systemRuntime } from '../../core/runtime.ts'

const folder = mkdtempSync(join(tmpdir(), 'registration-'))
let tempo: TempoDevnet & { anvil: Anvil }
let stage: ContractStage
let owner: DashboardPage
let nodeUrl = ''
let asked = 0
/** The service's clock is ahead of the system's. */
let aheadMs = 0
const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
/** Makes the previous response too old to be reused. */
const pass = () => (aheadMs += 1_000)
beforeAll(async () => {
  tempo = await startTempo({ dataDir: folder, blockTimeSeconds: null, isRegistered: false })
  nodeUrl = tempo.network.rpcUrl
  stage = await openContractStage({
    deposits: 'virtual',
    account: account(),
    feeBps: 0,
    runtime,
    readMaster: (_, source, signal) => {
      asked += 1
      const network = { ...devnetFacts, name: 'Tempo', chainId: tempo.network.chainId, rpcUrls: [nodeUrl] }
      return readMaster(createEvmPool(network, commandPoolDeps(systemRuntime)), network, source as Hex, signal)
    },
  })
  owner = await signedIn(stage)
})
afterAll(async () => {
  await stage.close()
  await tempo.anvil.stop()
  rmSync(folder, { recursive: true, force: true })
})

const account = () => `${tempo.merchant.address}:${masterSalt}`
const path = '/dashboard/wallets/devnet'

async function registration(query = '') {
  const { status, body } = await owner.ask('GET', `${path}/registration${query}`)
  return [status, body['code'] ?? body['registration']]
}

async function setWallet() {
  const { body: proof } = await owner.ask('POST', '/dashboard/wallets/proofs', {
    network: 'devnet',
    address: account(),
  })
  const signer = privateKeyToAccount(tempo.merchant.privateKey)
  const signature = await signer.signMessage({ message: String(proof['message']) })
  const { status, body } = await owner.confirm('PUT', path, { address: account(), nonce: proof['nonce'], signature })
  return [status, body['code']]
}

async function auditedChanges(): Promise<number> {
  const { body } = await owner.ask('GET', '/dashboard/audit')
  return (body['entries'] as { action: string }[]).filter(({ action }) => action === 'wallet.changed').length
}

test('a wallet is set only once its registration is on the chain', async () => {
  const missing = { address: tempo.merchant.address, masterId, state: 'missing', chain: { rpcUrls: expect.any(Array) } }
  expect(await registration()).toMatchObject([200, missing])
  expect(await registration(`?account=${account()}`)).toMatchObject([200, missing])
  expect(await setWallet()).toEqual([409, 'WALLET_NOT_REGISTERED'])
  expect(await auditedChanges()).toBe(0)

  const [from, call] = [tempo.merchant.address, registerCall(masterSalt)]
  await rpcCall(nodeUrl, 'eth_sendTransaction', [{ from, ...call }])
  pass()
  expect(await registration()).toMatchObject([200, { ...missing, state: 'registered' }])
  expect(await setWallet()).toEqual([200, undefined])
  expect(await auditedChanges()).toBe(1)
})

test('a salt of another wallet is refused', async () => {
  const other = `${tempo.newcomer.address}:${masterSalt}`
  expect(await registration(`?account=${other}`)).toEqual([400, 'VALIDATION_FAILED'])
})

test('an unknown network is refused, and without a node’s response the wallet stays unchanged', async () => {
  const { status } = await owner.ask('GET', '/dashboard/wallets/nowhere/registration')
  expect(status).toBe(400)
  nodeUrl = nodeUrl.replace(/\d+$/, '9')
  pass()
  expect(await registration()).toEqual([400, 'NETWORK_UNAVAILABLE'])
  expect(await setWallet()).toEqual([400, 'NETWORK_UNAVAILABLE'])
  expect(await auditedChanges()).toBe(1)
  nodeUrl = tempo.network.rpcUrl
})

test('the chain is read at most once a second, for any number of requests; what is stored never depends on an old response', async () => {
  pass()
  asked = 0
  const answers = await Promise.all(Array.from({ length: 20 }, () => registration()))
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
  await registration(`?account=${account()}`)
  expect(asked).toBe(1)
  pass()
  await registration()
  expect(asked).toBe(2)
  await setWallet()
  expect(asked).toBe(3)
})
