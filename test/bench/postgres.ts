import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, urlOf } from '@stablecoin-checkout/rig/postgres-server'
import autocannon from 'autocannon'
import pg from 'pg'
import type { Measure } from './fixtures.ts'
import { cpuOf, createLoad, type Load, median, ratio, readLoad } from './http.ts'
import { benchReplicas } from './replicas.ts'
import { type Server, startServer } from './server.ts'

const replicasMax = 3
/** In all, divided among the replicas. */
const connections = 96
/** Until V8 has compiled what is measured. */
const warmUpSeconds = 5
const roundSeconds = 3
/** Rounds alternate between what is compared, so that a busy moment of the machine hits all of it. */
const rounds = 3
/** As many as the service puts into one commit at the most. */
const batch = 200

/** Of the processor time that a request takes on SQLite. */
const cpuMax = 1.6

/** Requests a second of all replicas together, and a replica's processor time for each. */
type Result = { perSecond: number; cpuMicroseconds: number }

/** Creates and reads a second with one to three replicas on PostgreSQL, which waits for the disk, against SQLite and against bare inserts. */
export async function benchPostgres(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const server = await startPostgres([])
  const servers: Server[] = []
  const client = new pg.Client(server.url)
  try {
    await client.connect()
    await client.query('create database bench')
    const url = urlOf(server.url, 'bench')
    const open = async (database: string) => {
      const one = await startServer('service', [database])
      servers.push(one)
      return one
    }
    const sqlite = await open(join(folder, 'service.sqlite'))
    const replicas: Server[] = []
    for (let count = 0; count < replicasMax; count++) replicas.push(await open(url))
    const groups = [[sqlite], ...replicas.map((_, index) => replicas.slice(0, index + 1))]
    const bare = new pg.Client(url)
    await bare.connect()
    const creates = await compare(groups, (one) => createLoad(one, '/api/v1/deposits/create'), bare)
    await bare.end()
    const ids = new Map<Server, string[]>()
    for (const one of servers) ids.set(one, await newPayments(one))
    const reads = await compare(groups, (one) =>
      readLoad(one, ids.get(one) ?? [], (id) => `/api/v1/payments/${id}/status`),
    )
    return [
      ...measures('create', creates.results),
      {
        name: `bare inserts of ${batch} payments a commit, by pg`,
        value: Math.round(creates.bare),
        unit: 'payments/s',
      },
      {
        name: 'create, 3 replicas / bare inserts',
        value: ratio(creates.results[3]?.perSecond, creates.bare),
        unit: 'x',
      },
      ...measures('read', reads.results),
      ...(await benchReplicas(urlOf(server.url, 'postgres'))),
    ]
  } finally {
    await client.end().catch(() => undefined)
    for (const { child } of servers) child.kill('SIGKILL')
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function measures(name: string, results: readonly Result[]): Measure[] {
  const [sqlite, ...counts] = results
  const chart = `${name}s a second`
  const cpu = `${name}, processor time a request`
  return [
    {
      name,
      case: 'SQLite',
      value: Math.round(sqlite?.perSecond ?? 0),
      unit: 'requests/s',
      point: { chart, series: 'SQLite', at: 1 },
    },
    { name: cpu, case: 'SQLite', value: Math.round(sqlite?.cpuMicroseconds ?? 0), unit: 'µs' },
    ...counts.flatMap(({ perSecond, cpuMicroseconds }, index) => {
      const of = `PostgreSQL, ${index + 1} ${index === 0 ? 'replica' : 'replicas'}`
      return [
        {
          name,
          case: of,
          value: Math.round(perSecond),
          unit: 'requests/s',
          point: { chart, series: 'PostgreSQL', at: index + 1 },
        },
        { name, case: of, ratioTo: 'SQLite', value: ratio(perSecond, sqlite?.perSecond), unit: 'x' },
        { name: cpu, case: of, value: Math.round(cpuMicroseconds), unit: 'µs' },
        { name: cpu, case: of, ratioTo: 'SQLite', unit: 'x', ...cpuBound(index, cpuMicroseconds, sqlite) },
      ]
    }),
  ]
}

/** Bounded for one replica: several share the cores with each other. */
function cpuBound(index: number, cpuMicroseconds: number, sqlite: Result | undefined) {
  const value = ratio(cpuMicroseconds, sqlite?.cpuMicroseconds)
  return index === 0 ? { value, target: `<= ${cpuMax}`, isGood: value <= cpuMax } : { value }
}

/** Medians over the rounds, of groups of servers that take turns; each group is loaded at all its servers at once. */
async function compare(groups: readonly Server[][], loadOf: (server: Server) => Load, client?: pg.Client) {
  const results = groups.map((): Result[] => [])
  const bare: number[] = []
  for (let round = -1; round < rounds; round++) {
    const seconds = round < 0 ? warmUpSeconds : roundSeconds
    for (const [index, servers] of groups.entries()) {
      const result = await load(servers.map(loadOf), seconds)
      if (round >= 0) results[index]?.push(result)
    }
    const inserted = client ? await insertBare(client, seconds) : 0
    if (round >= 0) bare.push(inserted)
  }
  return {
    bare: median(bare),
    results: results.map((values) => ({
      perSecond: median(values.map(({ perSecond }) => perSecond)),
      cpuMicroseconds: median(values.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    })),
  }
}

async function load(loads: readonly Load[], duration: number): Promise<Result> {
  const cpu = async () => (await Promise.all(loads.map(({ server }) => cpuOf(server)))).reduce((a, b) => a + b)
  const before = await cpu()
  const answers = await Promise.all(
    loads.map(({ server, requests }) =>
      autocannon({ url: server.url, connections: connections / loads.length, duration, requests }),
    ),
  )
  const faults = answers.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (faults > 0) throw new Error(`${faults} requests had no good answer`)
  const total = answers.reduce((sum, { requests }) => sum + requests.total, 0)
  return {
    perSecond: answers.reduce((sum, { requests }) => sum + requests.average, 0),
    cpuMicroseconds: ((await cpu()) - before) / total,
  }
}

async function newPayments(server: Server): Promise<string[]> {
  const made = Array.from({ length: 500 }, async () => {
    const answer = await fetch(`${server.url}/api/v1/deposits/create`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Public-Key': server.publicKey,
        'Idempotency-Key': randomUUID(),
      },
      body: JSON.stringify({ amount: '25.00', currency: 'USDC', network: 'devnet' }),
    })
    return ((await answer.json()) as { payment: { id: string } }).payment.id
  })
  return await Promise.all(made)
}

/** As long as the service's, so that the same bytes are written. */
const terms = 'x'.repeat(480)
const answer = JSON.stringify({ success: true, payment: 'y'.repeat(1_500) })

const insertPayments = `
  insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least, status,
    created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms, sequence)
  select id, $2, 'deposit', 0, 'devnet', 'USDC', '0x5FbDB2315678afecb367f032d93F642f64180aa3', 6, '25000000', '25000000', 'pending',
    $3, $3, $3, '0x' || id, $4, 1 from unnest($1::text[]) as id`
const insertEvents = `
  insert into events (merchant_id, is_test, payment_id, sequence, type, created_at_ms)
  select $2, 0, id, 1, 'payment.created', $3 from unnest($1::text[]) as id`
const insertKeys = `
  insert into idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
  select id, 'public', '', 'terms', '', id, $2, $3 from unnest($1::text[]) as id`

/** The rows of payments and nothing else, in batches of one statement for each table. @returns payments a second. */
async function insertBare(client: pg.Client, seconds: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>('select id from merchants limit 1')
  const merchant = rows[0]?.id ?? ''
  const startedMs = performance.now()
  let payments = 0
  while (performance.now() - startedMs < seconds * 1_000) {
    const ids = Array.from({ length: batch }, () => randomUUID())
    const now = Date.now()
    await client.query('begin')
    await client.query({ name: 'payments', text: insertPayments, values: [ids, merchant, now, terms] })
    await client.query({ name: 'events', text: insertEvents, values: [ids, merchant, now] })
    await client.query({ name: 'keys', text: insertKeys, values: [ids, answer, now] })
    await client.query('commit')
    payments += batch
  }
  return (payments * 1_000) / (performance.now() - startedMs)
}
