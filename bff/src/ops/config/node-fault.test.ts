import { MINT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { expect, test } from 'vitest'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { setupNetwork } from '../setup/setup-network.ts'
import { examineNewNode, isNodeUrl } from './node-fault.ts'

type Answer = (method: string, params: unknown[]) => unknown

/** What is found of the node at the URL; `answer` throws for a call that the node refuses. */
const examine = (network: string, url: string, answer: Answer) => {
  const fetchFn = async (_: unknown, init?: RequestInit) => {
    const { id, method, params = [] } = JSON.parse(String(init?.body))
    return Response.json({ jsonrpc: '2.0', id, result: answer(method, params) })
  }
  const deps = { ...commandPoolDeps(systemRuntime), fetchFn: fetchFn as typeof fetch }
  return examineNewNode(setupNetwork(network, [url]), deps, systemRuntime)
}

const silent: Answer = () => {
  throw new TypeError('fetch failed')
}

const mint = Buffer.alloc(MINT_SIZE)
mint[44] = 6
const account = { data: [mint.toString('base64'), 'base64'], owner: TOKEN_PROGRAM_ID.toBase58(), lamports: 1 }
const solanaAnswers: Record<string, Answer> = {
  getGenesisHash: () => knownNetworks.get('solana-devnet')?.genesisHash,
  getMultipleAccounts: (_, [addresses]) => ({
    context: { slot: 1 },
    value: (addresses as unknown[]).map(() => account),
  }),
  getSlot: () => 1,
  getBlockTime: () => Math.floor(Date.now() / 1000),
}
const solana =
  (changes: Record<string, Answer> = {}): Answer =>
  (method, params) =>
    ({ ...solanaAnswers, ...changes })[method]?.(method, params)

test.each(['sepolia', 'solana-devnet'])('a node of %s that does not respond is silent', async (network) => {
  const { fault } = await examine(network, 'https://node.example', silent)
  expect(fault).toMatchObject({ kind: 'silent', isSuggested: false })
})

test('a public node is suggested for its own network alone', async () => {
  const known = knownNetworks.get('base-sepolia')
  const [suggested = ''] = known ? defaultNodesOf(known) : []
  expect((await examine('base-sepolia', suggested, silent)).fault).toMatchObject({ isSuggested: true })
  expect((await examine('sepolia', suggested, silent)).fault).toMatchObject({ isSuggested: false })
})

test('a node of another chain is wrong, which names both', async () => {
  const evm = await examine('base-sepolia', 'https://node.example', () => '0x2105')
  expect(evm.fault).toMatchObject({ kind: 'wrong', says: 'is on chain 8453 (Base), not on 84532' })
  const cluster = await examine('solana-devnet', 'https://node.example', solana({ getGenesisHash: () => 'other' }))
  expect(cluster.fault).toMatchObject({ kind: 'wrong', says: expect.stringContaining('is on cluster other, not on ') })
})

test('a node of Solana can be used when it also says what is finalized', async () => {
  expect((await examine('solana-devnet', 'https://node.example', solana())).fault).toBeNull()
  const onlyConfirmed: Answer = (_, [options]) => {
    if ((options as { commitment: string }).commitment === 'finalized') throw new TypeError('not supported')
    return 1
  }
  const { fault } = await examine('solana-devnet', 'https://node.example', solana({ getSlot: onlyConfirmed }))
  expect(fault).toMatchObject({ kind: 'unfit' })
})

test('a node has a URL of http or https', () => {
  expect(['https://node.example/key', 'HTTP://127.0.0.1:8545'].map(isNodeUrl)).toEqual([true, true])
  expect(['', 'node.example', 'ftp://node.example', 'https://'].map(isNodeUrl)).toEqual([false, false, false, false])
})
