import { expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { createRpcPool } from './rpc-pool.ts'

const { signal: never } = new AbortController()

/** A pool of nodes that a test can stop, and a log of what each is asked. */
function openPool(hosts: readonly string[]) {
  const clock = { nowMs: 1_000_000 }
  const down = new Set<string>()
  const asked: string[] = []
  const fetchFn: typeof fetch = async (input, init) => {
    const { host } = new URL(String(input))
    if (down.has(host)) throw new TypeError('fetch failed')
    const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
    asked.push(`${host} ${method}`)
    return Response.json({ jsonrpc: '2.0', id, result: '0x1' })
  }
  const network = { name: 'Base', shortName: 'base', rpcUrls: hosts.map((host) => `https://${host}`) }
  const identify = async (ask: (method: string, params: unknown[]) => Promise<unknown>) => {
    await ask('eth_chainId', [])
    return undefined
  }
  const pool = createRpcPool(network, identify, { nowMs: () => clock.nowMs, log: silentLog, fetchFn })
  const ask = () => pool.ask('eth_blockNumber', [], never)
  return { pool, ask, clock, down, asked, pausedUntil: () => pool.states().map(({ outUntilMs }) => outUntilMs) }
}

test('a node that has answered since is paused for a second by its next failure, not for longer', async () => {
  const { ask, clock, down, pausedUntil } = openPool(['a.example', 'b.example'])
  for (let failures = 0; failures < 3; failures++) {
    down.add('a.example')
    await ask()
    clock.nowMs = Number(pausedUntil()[0])
  }
  down.clear()
  await ask()
  down.add('a.example')
  await ask()
  expect(pausedUntil()).toEqual([clock.nowMs + 1_000, null])
})

test('a node is identified again after it lied, and after it was down', async () => {
  const { pool, ask, clock, down, asked } = openPool(['a.example', 'b.example'])
  const [first] = pool.nodes
  if (first === undefined) throw new Error('no node')
  await ask()
  pool.distrust(first, 'omits logs.')
  clock.nowMs += 5 * 60 * 1000
  asked.length = 0
  await ask()
  expect(asked).toEqual(['a.example eth_chainId', 'a.example eth_blockNumber'])
  down.add('a.example')
  await ask()
  clock.nowMs += 60_000
  down.clear()
  asked.length = 0
  await ask()
  expect(asked).toEqual(['a.example eth_chainId', 'a.example eth_blockNumber'])
})

test('a node that is paused is no second opinion', async () => {
  const { pool, ask, down } = openPool(['a.example', 'b.example', 'c.example'])
  down.add('a.example')
  const { node } = await ask()
  expect([node.name, ...pool.others(node).map(({ name }) => name)]).toEqual(['node 2 of 3', 'node 3 of 3'])
})
