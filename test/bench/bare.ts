import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { SQLite } from '@stablecoin-checkout/bff/testing/db'
import { Hono } from 'hono'

/**
 * The yardstick: a bare Hono route with the same rows, prepared statements, and nothing else: no keys, no validation, no
 * address, no answer worth reading. `node bare.ts <database made by the service> <group|each>`.
 */
const [path = '', mode = 'group'] = process.argv.slice(2)
const db = new SQLite(path)
db.pragma('journal_mode = wal')
db.pragma('synchronous = full')

const merchant = db.prepare('select id from merchants').get() as { id: string }
const readPayment = db.prepare('select * from payments where id = ?')
const findKey = db.prepare('select answer from idempotency_keys where scope = ?')
const insertPayment = db.prepare(`
  insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least, status,
    created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms, sequence)
  values (?, '${merchant.id}', 'deposit', 0, 'devnet', 'USDC', '0x5FbDB2315678afecb367f032d93F642f64180aa3', 6,
    '25000000', '25000000', 'pending', ?, ?, ?, ?, ?, 1)`)
const insertKey = db.prepare(`
  insert into idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
    values (?, 'public', '', 'terms', '', ?, ?, ?)`)
const insertEvent = db.prepare(`
  insert into events (merchant_id, is_test, payment_id, sequence, type, created_at_ms) values ('${merchant.id}', 0, ?, 1, 'payment.created', ?)`)
const begin = db.prepare('begin immediate')
const commit = db.prepare('commit')
/** As long as the service's, so that the same bytes are written and sent. */
const terms = 'x'.repeat(480)
const answer = JSON.stringify({ success: true, payment: 'y'.repeat(1_500) })

type Waiting = { key: string; resolve: () => void }
const queue: Waiting[] = []
let isScheduled = false

function insert(key: string): void {
  const id = randomUUID()
  const now = Date.now()
  if (findKey.get(key)) return
  insertPayment.run(id, now, now, now, `0x${id}`, terms)
  insertEvent.run(id, now)
  insertKey.run(key, id, answer, now)
}

function flush(): void {
  isScheduled = false
  const group = queue.splice(0, mode === 'each' ? 1 : 200)
  begin.run()
  for (const { key } of group) insert(key)
  commit.run()
  for (const { resolve } of group) resolve()
  if (queue.length > 0) schedule()
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(flush)
}

const app = new Hono()
app.get('/status/:id', (c) => c.json({ success: true, payment: readPayment.get(c.req.param('id')) }))
app.post('/create', async (c) => {
  await c.req.json()
  const key = c.req.header('idempotency-key') ?? ''
  await new Promise<void>((resolve) => {
    queue.push({ key, resolve })
    schedule()
  })
  return c.body(answer, 200, { 'Content-Type': 'application/json' })
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send?.({ port }))
process.on('message', () => process.send?.({ cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system }))
