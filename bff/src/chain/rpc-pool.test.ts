import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type Log, silentLog } from '../core/log.ts'
import { createRpcPool } from './rpc-pool.ts'

const { signal: never } = new AbortController()

/** A pool of nodes that a test can stop, and a log of what each is asked. @param others - Nodes that respond otherwise, by host. */
function openPool(
  hosts: readonly string[],
  others: Readonly<Record<string, typeof fetch>> = {},
  callTimeoutMs = 10_000,
) {
  const clock = { nowMs: 1_000_000 }
  const down = new Set<string>()
  const asked: string[] = []
  const logged: string[] = []
  const note = (fields: object, text: string) => {
    logged.push(`${'node' in fields ? fields.node : ''}: ${text}`)
  }
  const log = Object.assign(Object.create(silentLog) as Log, { info: note, warn: note, error: note })
  const fetchFn: typeof fetch = async (input, init) => {
    const { host } = new URL(String(input))
    if (down.has(host)) throw new TypeError('fetch failed')
    const other = others[host]
    if (other) return await other(input, init)
    const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
    asked.push(`${host} ${method}`)
    return Response.json({ jsonrpc: '2.0', id, result: '0x1' })
  }
  const network = { name: 'Base', shortName: 'base', rpcUrls: hosts.map((host) => `https://${host}`) }
  const identify = async (ask: (method: string, params: unknown[]) => Promise<unknown>) => {
    await ask('eth_chainId', [])
    return undefined
  }
  const pool = createRpcPool(network, identify, { nowMs: () => clock.nowMs, log, callTimeoutMs, fetchFn })
  const ask = () => pool.ask('eth_blockNumber', [], never)
  return { pool, ask, clock, down, asked, logged, pausedUntil: () => pool.states().map(({ outUntilMs }) => outUntilMs) }
}

const chainId = () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })

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

test('a node that dies while another does all the work is noticed by the probe, shown as down until it answers, and used again', async () => {
  const { pool, ask, clock, down, asked, logged } = openPool(['a.example', 'b.example'])
  const states = () => pool.states().map(({ state }) => state)
  await pool.probe()
  expect(states()).toEqual(['ok', 'ok'])
  down.add('b.example')
  await ask()
  await pool.probe()
  expect(states()).toEqual(['ok', 'down'])
  clock.nowMs += 60_000
  await ask()
  expect(states(), 'its pause has ended, and it has not answered').toEqual(['ok', 'down'])
  await pool.probe()
  down.clear()
  down.add('a.example')
  clock.nowMs += 60_000
  await pool.probe()
  expect(states()).toEqual(['down', 'ok'])
  asked.length = 0
  await ask()
  expect(asked).toEqual(['b.example eth_blockNumber'])
  expect(logged).toEqual([
    'node 2 of 2: RPC node is failing; paused',
    'node 2 of 2: RPC node is failing; paused',
    'node 1 of 2: RPC node is failing; paused',
    'node 2 of 2: RPC node responds again',
  ])
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

test('a node that lies while it is identified stays in quarantine', async () => {
  let answer: (response: Response) => void = () => undefined
  const held = new Promise<Response>((resolve) => {
    answer = resolve
  })
  const responses = [Promise.resolve(chainId()), held]
  const slow = async () => (await responses.shift()) ?? chainId()
  const { pool, ask, asked } = openPool(['a.example'], { 'a.example': slow })
  const [node] = pool.nodes
  if (node === undefined) throw new Error('no node')
  await pool.probe()
  const probed = pool.probe()
  pool.distrust(node, 'omits logs.')
  answer(chainId())
  await probed
  expect(pool.states()).toMatchObject([{ state: 'quarantine', reason: 'omits logs.' }])
  await expect(ask()).rejects.toThrow('No node of Base can be trusted')
  expect(asked).toEqual([])
})

test('a node that is paused is no second opinion', async () => {
  const { pool, ask, down } = openPool(['a.example', 'b.example', 'c.example'])
  down.add('a.example')
  const { node } = await ask()
  expect([node.name, ...pool.others(node).map(({ name }) => name)]).toEqual(['node 2 of 3', 'node 3 of 3'])
})

test('a node whose response stops halfway is paused after the timeout, and the next one is called', {
  timeout: 20_000,
}, async () => {
  const stalling: typeof fetch = async (_, init) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{'))
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  const { ask, pausedUntil, clock } = openPool(['a.example', 'b.example'], { 'a.example': stalling }, 100)
  expect((await ask()).node.name).toBe('node 2 of 2')
  expect(pausedUntil()).toEqual([clock.nowMs + 1_000, null])
})

test('user and password of a node’s URL are sent as a header, because fetch refuses them in a URL', async () => {
  const asked: unknown[] = []
  const noting: typeof fetch = async (url, init) => {
    asked.push([url, new Headers(init?.headers).get('authorization')])
    return Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
  }
  const { ask } = openPool(['shop:geheim%21@a.example/key'], { 'a.example': noting })
  await ask()
  expect(asked.at(-1)).toEqual(['https://a.example/key', `Basic ${btoa('shop:geheim!')}`])
})

test('a response that is too large is no failure of the node, which is asked for less next time', async () => {
  const flooding: typeof fetch = async () => new Response(new Uint8Array(11 * 1024 * 1024))
  const { ask, pausedUntil } = openPool(['a.example', 'b.example'], { 'a.example': flooding })
  expect((await ask()).node.name).toBe('node 2 of 2')
  expect(pausedUntil()).toEqual([null, null])
})

test('only a refusal in JSON-RPC’s form, or any error of a response without a failed status, is a refusal; a limit is none', async () => {
  const refusal = { code: -32_000, message: 'header not found' }
  for (const [status, body, isPaused] of [
    [400, { error: refusal }, false],
    [200, { error: { message: 'busy' } }, false],
    [500, { error: 'busy' }, true],
    [429, 'slow down', true],
    [429, { error: { code: -32_005, message: 'daily request count exceeded' } }, true],
    [200, 'not JSON', true],
    [404, { result: '0x1' }, true],
  ] as const) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const { ask, pausedUntil } = openPool(['a.example', 'b.example'], {
      'a.example': async () => new Response(text, { status }),
    })
    expect((await ask()).node.name).toBe('node 2 of 2')
    expect([text, pausedUntil()[0] !== null]).toEqual([text, isPaused])
  }
})

test('a lone node that asks for a pause of an hour by Retry-After holds up no call for that long', {
  timeout: 10_000,
}, async () => {
  const headers = { 'retry-after': '3600' }
  const busy: typeof fetch = async () => new Response('slow down', { status: 429, headers })
  const { ask, pausedUntil, clock } = openPool(['a.example'], { 'a.example': busy })
  await expect(ask()).rejects.toThrow('HTTP request failed')
  expect(pausedUntil()).toEqual([clock.nowMs + 1_000])
})

test.each([302, 307])('a node that redirects with %i sends no request into the private network', async (status) => {
  const asked: string[] = []
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' })
  const inside = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(answer)
  })
  await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening))
  const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/shutdown`
  const node = createServer((_, response) => response.writeHead(status, { location }).end())
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening))
  const { port } = node.address() as AddressInfo
  const network = { name: 'Base', shortName: 'base', rpcUrls: [`http://127.0.0.1:${port}`] }
  const pool = createRpcPool(network, async () => undefined, { nowMs: Date.now, log: silentLog })
  const answered = await pool.ask('eth_blockNumber', [], never).catch(() => null)
  node.close()
  inside.close()
  expect([answered, asked]).toEqual([null, []])
})

/** Whether a pool of nodes, some of which attest, has enough of them. */
const isAttestedBy = async (hosts: readonly string[], attests: (name: string) => boolean) =>
  await openPool(hosts).pool.isAttested(async ({ name }) => attests(name), never)

test('two nodes of one host are one witness, and one that fails is none', async () => {
  const two = ['a.example/1', 'a.example/2', 'b.example']
  expect(await isAttestedBy(two, (name) => name !== 'node 3 of 3'), 'both of one host').toBe(false)
  expect(await isAttestedBy(two, (name) => name !== 'node 1 of 3'), 'one of each host').toBe(true)
  expect(await isAttestedBy(two.slice(0, 2), (name) => name === 'node 2 of 2'), 'there is no other host').toBe(true)
  const failing = (name: string) => {
    if (name !== 'node 1 of 2') throw new Error('down')
    return true
  }
  expect(await isAttestedBy(['a.example', 'b.example'], failing)).toBe(false)
})

test('while all nodes are down, only the one whose pause ends first is called', async () => {
  const { pool, ask, clock, down, asked } = openPool(['a.example', 'b.example'])
  for (const host of ['a.example', 'b.example']) down.add(host)
  await ask().catch(() => undefined)
  clock.nowMs += 1_000
  down.delete('b.example')
  await ask()
  down.add('b.example')
  await ask().catch(() => undefined)
  expect(pool.states().map(({ state }) => state)).toEqual(['down', 'down'])
  down.clear()
  asked.length = 0
  await ask()
  expect(asked).toEqual(['b.example eth_chainId', 'b.example eth_blockNumber'])
})
