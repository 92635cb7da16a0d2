import { Keypair } from '@solana/web3.js'
import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../core/families.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { readGas } from './setup-gas.ts'

const feePayer = Keypair.generate().publicKey
let solana: SolanaFixture
let network: SolanaNetwork

beforeAll(async () => {
  solana = await openSolana()
  network = {
    ...{ shortName: 'solana', name: 'Solana', family: 'solana', chainId: 103, isTestnet: true },
    ...{ genesisHash: await solana.connection.getGenesisHash(), rpcUrls: [solana.rpcUrl], confirmations: 4 },
    ...{ pollMs: 20, explorerUrl: null, platformWallet: feePayer.toBase58(), highValue: null, signatureGas: null },
    tokens: [],
  }
})
afterAll(() => solana.stop())

const read = (change: Partial<SolanaNetwork> = {}, of: string | null = feePayer.toBase58()) =>
  readGas({
    networks: new Map([['solana', { ...network, ...change }]]),
    operator: null,
    operatorAddress: null,
    feePayer: of,
    runtime: systemRuntime,
  })

test('the fee payer of Solana is shown with its balance and the sum of a first day, and nothing is deployed', async () => {
  const shown = { network: 'solana', coin: 'SOL', address: feePayer.toBase58(), hasContracts: false, isDeployed: true }
  // The reserve of payouts, and the rent of twenty accounts.
  expect(await read()).toMatchObject([{ ...shown, balance: '0.00', needed: '0.0608', isEnough: false }])
  await solana.connection.requestAirdrop(feePayer, 60_785_600)
  await solana.advance(5)
  expect(await read()).toMatchObject([{ ...shown, balance: '0.0607856', isEnough: true }])
})

test('a node that does not respond leaves the sum open; without a fee payer there is nothing to fund', async () => {
  const silent = { rpcUrls: ['http://127.0.0.1:9'] }
  expect(await read(silent)).toMatchObject([{ balance: null, needed: null, isEnough: false }])
  expect(await read({}, null)).toEqual([])
})
