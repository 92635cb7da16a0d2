import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { diagnoseCluster } from './diagnose-cluster.ts'
import { createSolanaRpc } from './solana-rpc.ts'
import { verifyCluster } from './verify-cluster.ts'

const { signal } = new AbortController()
const stranger = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
let solana: SolanaFixture
let network: SolanaNetwork

beforeAll(async () => {
  solana = await openSolana()
  const noSigning = { permit: null, authorization: null }
  network = {
    ...{
      shortName: 'solana',
      name: 'Solana',
      family: 'solana',
      chainId: 103,
      isTestnet: true,
      highValue: null,
      signatureGas: null,
    },
    ...{ genesisHash: await solana.connection.getGenesisHash(), rpcUrls: [solana.rpcUrl], confirmations: 4 },
    ...{ pollMs: 20, explorerUrl: null, platformWallet: stranger },
    tokens: [{ symbol: 'USDC', currency: 'USD', name: 'USD Coin', ...solana.tokens.USDC, ...noSigning }],
  }
})
afterAll(() => solana.stop())

const verify = (change: Partial<SolanaNetwork> = {}) => {
  const changed = { ...network, ...change }
  return verifyCluster(changed, createSolanaRpc(changed, { nowMs: Date.now, log: silentLog }), signal)
}
const tokens = (change: object) => network.tokens.map((token) => ({ ...token, ...change }))

test('a network is good when its node is on the configured cluster and its tokens match', async () => {
  expect(await verify()).toBeUndefined()
})

test('another cluster, other decimals, and an address that is not a mint are reported', async () => {
  expect(await verify({ genesisHash: stranger })).toEqual({
    kind: 'wrong',
    reason: `Solana: the node is on cluster ${network.genesisHash}, not on ${stranger}`,
  })
  const { address } = solana.tokens.USDC
  expect(await verify({ tokens: tokens({ decimals: 9 }) })).toEqual({
    kind: 'wrong',
    reason: `USDC on Solana (${address}) has 6 decimals on chain, not 9.`,
  })
  for (const other of [stranger, solana.customer.publicKey.toBase58()]) {
    expect((await verify({ tokens: tokens({ address: other }) }))?.reason).toBe(
      `USDC on Solana (${other}) is not a mint of the Token program.`,
    )
  }
})

test('an unreachable node does not count as wrong, and its URL is never shown', async () => {
  const fault = await verify({ rpcUrls: ['http://127.0.0.1:1/secret-key'] })
  expect(fault).toMatchObject({ kind: 'unreachable', reason: 'No node of Solana returns a usable response.' })
  expect(JSON.stringify(fault)).not.toContain('secret-key')
  expect(await verify({ rpcUrls: ['http://127.0.0.1:1', solana.rpcUrl] })).toBeUndefined()
})

test('a quarantined node is called neither at the start nor by doctor', async () => {
  const liar = await openLyingNode(solana.rpcUrl)
  liar.lie('getGenesisHash', () => stranger)
  const clock = { nowMs: 1_000_000 }
  const both = { ...network, rpcUrls: [liar.url, solana.rpcUrl] }
  const rpc = createSolanaRpc(both, { nowMs: () => clock.nowMs, log: silentLog })
  const doctor = async () =>
    (await diagnoseCluster({ network: both, rpc, feePayerKey: null, nowMs: Date.now })).map(({ state }) => state)
  try {
    expect(await verifyCluster(both, rpc, signal)).toBeUndefined()
    expect(liar.heard).toEqual(['getGenesisHash'])
    liar.mend()
    expect(await verifyCluster(both, rpc, signal)).toBeUndefined()
    expect(await doctor()).toEqual(['bad', 'good', 'good'])
    expect(liar.heard).toEqual(['getGenesisHash'])
    clock.nowMs += 60_000
    expect(await doctor()).toEqual(['good', 'good', 'good'])
  } finally {
    await liar.close()
  }
})
