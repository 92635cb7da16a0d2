import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQLite } from '@stablecoin-checkout/bff/testing/db'
import autocannon from 'autocannon'
import type { Measure } from './fixtures.ts'
import { ask, type Server, startServer } from './server.ts'

const connections = 64
/** Until V8 has compiled what is measured. */
const warmUpSeconds = 5
const roundSeconds = 3
/** Rounds alternate between the two servers, so that a busy moment of the machine hits both. */
const rounds = 3

/** What a load got: requests a second, and the server's processor time for each, which a busy machine changes less. */
type Result = { perSecond: number; cpuMicroseconds: number }

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const cpuOf = async (server: Server) => (await ask<{ cpuMicroseconds: number }>(server, 'cpu')).cpuMicroseconds

export type Load = { server: Server; requests: autocannon.Request[] }

/** Medians over the rounds, of loads that take turns. */
async function compare(loads: Load[]): Promise<Result[]> {
  const results = loads.map((): Result[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, { server, requests }] of loads.entries()) {
      const duration = round < 0 ? warmUpSeconds : roundSeconds
      const before = await cpuOf(server)
      const {
        non2xx,
        errors,
        requests: answered,
      } = await autocannon({ url: server.url, connections, duration, requests })
      if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} errors`)
      const cpu = ((await cpuOf(server)) - before) / answered.total
      if (round >= 0) results[index]?.push({ perSecond: answered.average, cpuMicroseconds: cpu })
    }
  }
  return results.map((values) => ({
    perSecond: median(values.map((value) => value.perSecond)),
    cpuMicroseconds: median(values.map((value) => value.cpuMicroseconds)),
  }))
}

let keys = 0
export const createLoad = (server: Server, path: string): Load => ({
  server,
  requests: [
    {
      method: 'POST',
      path,
      body: JSON.stringify({ amount: '25.00', currency: 'USDC', network: 'devnet' }),
      setupRequest: (request) => {
        keys += 1
        const headers = {
          'Content-Type': 'application/json',
          'X-Public-Key': server.publicKey,
          'Idempotency-Key': `bench-${keys}`,
        }
        return { ...request, headers }
      },
    },
  ],
})

export const readLoad = (server: Server, ids: string[], path: (id: string) => string): Load => ({
  server,
  requests: ids.map((id) => ({ method: 'GET', path: path(id), headers: { 'X-Public-Key': server.publicKey } })),
})

export async function benchHttp(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const servers: Server[] = []
  const open = async (file: string, args: string[]) => {
    const server = await startServer(file, args)
    servers.push(server)
    return server
  }
  try {
    const database = join(folder, 'service.sqlite')
    const service = await open('service', [database])
    const bareDatabases = ['group', 'each'].map((mode) => join(folder, `${mode}.sqlite`))
    const source = new SQLite(database)
    for (const path of bareDatabases) await source.backup(path)
    source.close()
    const group = await open('bare', [bareDatabases[0] ?? '', 'group'])
    const each = await open('bare', [bareDatabases[1] ?? '', 'each'])

    const [create, bareCreate, eachCreate] = await compare([
      createLoad(service, '/api/v1/deposits/create'),
      createLoad(group, '/create'),
      createLoad(each, '/create'),
    ])
    const idsOf = (path: string) => {
      const db = new SQLite(path, { readonly: true })
      const rows = db.prepare('select id from payments limit 1000').all() as { id: string }[]
      db.close()
      return rows.map((row) => row.id)
    }
    const [read, bareRead] = await compare([
      readLoad(service, idsOf(database), (id) => `/api/v1/payments/${id}/status`),
      readLoad(group, idsOf(bareDatabases[0] ?? ''), (id) => `/status/${id}`),
    ])
    return [
      ...against('create', 0.5, create, bareCreate),
      {
        name: 'bare: group commit / one commit each',
        case: 'create',
        value: ratio(bareCreate?.perSecond, eachCreate?.perSecond),
        unit: 'x',
      },
      ...against('read', 0.55, read, bareRead),
    ]
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

export const ratio = (value = 0, base = 1): number => Math.round((value / base) * 100) / 100

function against(of: string, speedMin: number, real?: Result, bare?: Result): Measure[] {
  const speed = ratio(real?.perSecond, bare?.perSecond)
  return [
    { name: 'service', case: of, value: Math.round(real?.perSecond ?? 0), unit: 'requests/s' },
    { name: 'bare route', case: of, value: Math.round(bare?.perSecond ?? 0), unit: 'requests/s' },
    {
      name: 'service / bare, requests a second',
      case: of,
      value: speed,
      unit: 'x',
      target: `>= ${speedMin}`,
      isGood: speed >= speedMin,
    },
    {
      name: 'bare / service, processor time a request',
      case: of,
      value: ratio(bare?.cpuMicroseconds, real?.cpuMicroseconds),
      unit: 'x',
    },
    { name: 'service, processor time a request', case: of, value: Math.round(real?.cpuMicroseconds ?? 0), unit: 'µs' },
  ]
}
