import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../processes/ports.ts'
import { type Anvil, startAnvil, waitForChain } from './anvil.ts'
import { devnetChain } from './deploy.ts'
import { receiptOf } from './receipt.ts'

const stranger = '0x00000000000000000000000000000000000000aa'
let folder: string
let anvil: Anvil | null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anvil-'))
  anvil = null
})

afterEach(async () => {
  await anvil?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a killed anvil restarts on its port with its blocks, logs and balances', async () => {
  const statePath = join(folder, 'chain.json')
  anvil = await startAnvil({ chainId: 31337, statePath })
  const node = await fundedClient(anvil)
  const { transactionHash } = await node.sendMined({ to: null, data: logs42 })
  await node.sendMined({ to: stranger, value: 5n })
  const head = await node.getBlock()
  // The copy is written a moment after the block: only the file's content counts.
  await until(() => savedHead(statePath) === head.number)
  const pid = anvil.pid()

  process.kill(pid, 'SIGKILL')
  await until(() => livesAgain(anvil, pid))
  await waitForChain(anvil.rpcUrl, 31337)

  expect(await node.getBlock()).toMatchObject({ hash: head.hash, number: 2n })
  expect(await node.getBalance({ address: stranger })).toBe(5n)
  expect((await node.getLogs({ fromBlock: 0n })).map((log) => log.transactionHash)).toEqual([transactionHash])
  await node.sendMined({ to: stranger, value: 5n })
  expect(await node.getBalance({ address: stranger })).toBe(10n)
})

test('with a block time, blocks are mined on schedule, and each transaction immediately', async () => {
  anvil = await startAnvil({ chainId: 31338, blockTimeSeconds: 1 })
  const node = await fundedClient(anvil)
  const receipt = await node.sendMined({ to: stranger, value: 1n })
  expect(receipt.status).toBe('success')
  await until(async () => (await node.getBlockNumber({ cacheTime: 0 })) > receipt.blockNumber + 1n)
})

test('a reorg of several blocks is possible, and undoes their transactions', async () => {
  anvil = await startAnvil({ chainId: 31337 })
  const node = await fundedClient(anvil)
  await node.sendMined({ to: stranger, value: 9n })
  await node.mine({ blocks: 3 })
  await node.request({ method: 'anvil_reorg', params: [4, []] } as never)
  expect(await node.getBalance({ address: stranger })).toBe(0n)
})

test('a response from another chain on the port is an error', async () => {
  anvil = await startAnvil({ chainId: 31338 })
  await expect(waitForChain(anvil.rpcUrl, 31337)).rejects.toThrow('is chain 31338, not 31337')
})

test('a chain that does not respond in time is an error', async () => {
  const port = await freePort()
  await expect(waitForChain(`http://127.0.0.1:${port}`, 1, 100)).rejects.toThrow(
    'did not answer, though it was asked 5 times',
  )
})

test('no process is left after the stop', async () => {
  anvil = await startAnvil({ chainId: 31337 })
  const pid = anvil.pid()
  await anvil.stop()
  expect(() => process.kill(pid, 0)).toThrow()
  anvil = null
})

/** Init code that emits one empty log with topic 42 and deploys nothing. */
const logs42 = '0x602a60006000a100'

function savedHead(path: string): bigint | null {
  if (!existsSync(path)) return null
  const { best_block_number } = JSON.parse(readFileSync(path, 'utf8')) as { best_block_number: number | string }
  return BigInt(best_block_number)
}

async function fundedClient({ rpcUrl, chainId }: Anvil) {
  const account = privateKeyToAccount(generatePrivateKey())
  const node = createTestClient({
    chain: devnetChain(rpcUrl, chainId),
    transport: http(rpcUrl, { retryCount: 0 }),
    mode: 'anvil',
    account,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  await node.setBalance({ address: account.address, value: 10n ** 20n })
  // anvil returns the hash before the transaction's block exists.
  return node.extend(() => ({
    sendMined: async (request: { to: `0x${string}` | null; value?: bigint; data?: `0x${string}` }) =>
      receiptOf(node, await node.sendTransaction(request)),
  }))
}

function livesAgain(started: Anvil | null, oldPid: number): boolean {
  try {
    return started !== null && started.pid() !== oldPid
  } catch {
    return false
  }
}

async function until(condition: () => boolean | Promise<boolean>, withinMs = 60_000) {
  const deadlineMs = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${condition}`)
    await sleep(20)
  }
}
