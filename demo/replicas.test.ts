import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseReplicas } from './command-line.ts'

const run = fileURLToPath(new URL('./run.mjs', import.meta.url))

type State = {
  bff: string
  storefront: string
  paymentLink: string
  dashboard: string
  database: string
  replicas: string[]
  apiKey: string
  apiSecret: string
  pids: Record<string, number> & { replicas: number[] }
}

let folder: string
let demo: ChildProcess | undefined
/** What it wrote to standard output, and to standard error. */
let printed = ''
let warned = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'demo-replicas-'))
})

afterAll(async () => {
  if (demo) await stop(demo)
  rmSync(folder, { recursive: true, force: true })
})

test('a deposit over three replicas is swept although the replica with its network’s lease is killed', async () => {
  demo = start('--replicas', '3')
  const state = await until('the demo', () => readState())
  expect(state.replicas).toHaveLength(3)
  expect(state.database).toMatch(/^postgres:\/\//)
  const answeredBy = new Set<string | null>()
  await until('each replica to have answered', async () => {
    answeredBy.add((await ask(state, '/payments/list')).headers.get('x-replica'))
    return ['1', '2', '3'].every((name) => answeredBy.has(name))
  })

  // What it says while it starts goes to standard error.
  await until('the demo to have printed', () => printed.includes('Ctrl-C'))
  expect(printed.trimEnd().split('\n')).toEqual([
    `Shop          ${state.storefront}`,
    `Dashboard     ${state.dashboard}`,
    `API           ${state.bff}/docs`,
    `Payment link  ${state.paymentLink}`,
    expect.stringMatching(/^Ctrl-C stops everything\. Keys, ids and ports: .*\.state\.json$/),
  ])
  expect(warned).not.toMatch(/bindings|warn|rebuild/i)

  await expectShared(state)
  const link = await fetch(state.paymentLink)
  expect([link.status, await link.text()]).toEqual([200, expect.stringContaining('price="25.00" price-currency="EUR"')])

  expect(await readTestPayments(state)).toHaveLength(50)

  const order = { amount: '5.00', currency: 'USDC', network: 'devnet', orderId: 'order-of-three' }
  const created = await ask(state, '/deposits/create', order)
  const { id } = ((await created.json()) as { payment: { id: string } }).payment
  const stream = await fetch(`${state.bff}/api/v1/payments/public/${id}/events`)
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  expect(stream.headers.get('x-replica')).toMatch(/^[123]$/)
  const events = textOf(stream)
  await fetch(`${state.storefront}/demo/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ paymentId: id }),
  })
  await until('the transfer to be seen', async () => (await read(state, id))['received'] !== '0.00')
  await until('the stream to bring it', async () => (await events()).includes('data:'))

  const holder = await until('a replica to work for devnet', () => holderOfDevnet())
  const killed = state.pids.replicas[holder - 1] ?? 0
  process.kill(killed, 'SIGKILL')
  const restarted = await until('the replica to be started again', () => {
    const pid = readState()?.pids.replicas[holder - 1]
    return pid !== undefined && pid !== killed && readState()?.pids.replicas.length === 3 ? pid : undefined
  })
  expect(restarted).not.toBe(killed)

  // Every request is answered meanwhile: the balancer skips a replica that does not respond.
  await until('the sweep', async () => (await read(state, id))['status'] === 'swept')
  expect(await read(state, id)).toMatchObject({ outcome: 'paid' })
})

test('a killed PostgreSQL is restarted, and the replicas continue', async () => {
  const state = await until('the demo', () => readState())
  const killed = state.pids['postgres'] ?? 0
  process.kill(killed, 'SIGKILL')
  const pid = await until('PostgreSQL to be started again', () => {
    const now = readState()?.pids['postgres']
    return now !== undefined && now !== killed ? now : undefined
  })
  expect(pid).not.toBe(killed)
  const order = { amount: '6.00', currency: 'USDC', network: 'devnet', orderId: 'order-after-the-restart' }
  await until('a payment to be created', async () => (await ask(state, '/deposits/create', order)).status === 200)
})

test('a second demo in the same folder is refused, and does not affect the first', async () => {
  const state = await until('the demo', () => readState())
  const { status, stderr } = runToItsEnd()
  expect(stderr).toContain(`A demo is already running (process ${state.pids['supervisor']}).`)
  expect(status).toBe(1)
  expect(readState()).toEqual(state)
})

test('Ctrl-C leaves nothing running, and no state', async () => {
  const state = await until('the demo', () => readState())
  const { replicas, ...others } = state.pids
  const pids = [...replicas, ...Object.values(others)]
  expect(Object.keys(others)).toEqual(expect.arrayContaining(['supervisor', 'postgres', 'balancer', 'storefront']))
  if (demo) expect(await stop(demo)).toBe(0)
  demo = undefined
  expect(pids.filter(isAlive)).toEqual([])
  expect(existsSync(join(folder, '.state.json'))).toBe(false)
})

test.each([
  [['--replicas', 'three'], '--replicas must be a whole number from 1 to 10, not "three".'],
  [['--replicas', '0'], '--replicas must be a whole number from 1 to 10, not "0".'],
  [['--replicas'], "Option '--replicas <value>' argument missing"],
  [['--replica', '3'], "Unknown option '--replica'"],
  [['3'], "Unexpected argument '3'"],
])('a mistyped command line is refused: %j', (args, fault) => {
  expect(() => parseReplicas(args)).toThrow(fault)
  expect(() => parseReplicas(args)).toThrow('npm run demo -- --replicas 3')
})

test('without the option the demo has one process with SQLite', () => {
  expect(parseReplicas([])).toBeNull()
  expect(parseReplicas(['--replicas', '3'])).toBe(3)
})

test('an unknown option ends the demo before anything is started', () => {
  const { status, stderr } = runToItsEnd('--replicas', 'three')
  expect(stderr).toContain('not "three"')
  expect(status).toBe(1)
})

/** For a demo that must be refused: stops it if it starts. */
const runToItsEnd = (...args: string[]) =>
  spawnSync(process.execPath, [run, ...args], {
    env: { ...process.env, DEMO_FOLDER: folder },
    encoding: 'utf8',
    timeout: 60_000,
  })

/**
 * The dashboard's view of the service is the same whichever replica responds: the nodes of all replicas, and their
 * refused requests.
 */
async function expectShared(state: State): Promise<void> {
  const readAt = async <Body>(bff: string, path: string) => (await (await ask({ ...state, bff }, path)).json()) as Body
  type System = { networks: { watched: boolean; nodes: { replica: string }[] }[] }
  const isWhole = ({ networks }: System) =>
    networks.every(({ watched, nodes }) => watched && new Set(nodes.map(({ replica }) => replica)).size === 3)
  for (const replica of state.replicas)
    await until('a replica to show the nodes of all', async () => isWhole(await readAt<System>(replica, '/system')))
  const [first = '', ...others] = state.replicas
  expect((await ask({ ...state, bff: first }, '/deposits/create', { amount: '-1' })).status).toBe(400)
  type Errors = { errors: { route: string }[] }
  for (const replica of others)
    await until('another replica to show the call that was refused', async () =>
      (await readAt<Errors>(replica, '/reports/errors')).errors.some(({ route }) => route.endsWith('/deposits/create')),
    )
}

/**
 * Signs in to the dashboard by the printed link, as its page does.
 * @returns the newest test payments, at most 50.
 */
async function readTestPayments({ dashboard }: State): Promise<unknown[]> {
  const { origin, hash } = new URL(dashboard)
  const signedIn = await fetch(`${origin}/api/v1/dashboard/demo-sign-in`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.replace('#demo=', '') }),
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const list = await fetch(`${origin}/api/v1/payments?limit=50`, { headers: { cookie, 'x-mode': 'test' } })
  return ((await list.json()) as { payments: unknown[] }).payments
}

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [run, ...args], {
    env: { ...process.env, DEMO_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (warned += text))
  return child
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = child.exitCode === null ? once(child, 'exit') : null
  child.kill('SIGINT')
  await ended
  return child.exitCode
}

function readState(): State | undefined {
  const path = join(folder, '.state.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as State) : undefined
}

/** As the merchant's server asks. */
function ask({ bff, apiKey, apiSecret }: State, path: string, body?: object): Promise<Response> {
  const headers = { 'x-api-key': apiKey, 'x-api-secret': apiSecret, 'content-type': 'application/json' }
  return fetch(`${bff}/api/v1${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function read(state: State, id: string): Promise<Record<string, unknown>> {
  const response = await ask(state, `/payments/${id}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { payment: Record<string, unknown> }).payment
}

/** The number of the replica with this line in its log. */
function holderOfDevnet(): number | undefined {
  return [1, 2, 3].find((number) =>
    readFileSync(join(folder, '.data', `replica-${number}.log`), 'utf8').includes('"lease":"devnet",'),
  )
}

/** The stream's content so far. */
function textOf(response: Response): () => Promise<string> {
  let text = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  })().catch(() => undefined)
  return async () => {
    await Promise.race([reading, sleep(10)])
    return text
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Bounded by the test's own timeout. */
async function until<T>(what: string, find: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await find()
    if (found) return found
    if (demo && demo.exitCode !== null) throw new Error(`The demo ended; waited for: ${what}\n${warned}`)
    await sleep(25)
  }
}
