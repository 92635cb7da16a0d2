import { isPostgres, openDatabase, SQLite } from '@stablecoin-checkout/bff/testing/db'
import { formatDepositTerms } from '@stablecoin-checkout/bff/testing/evm'
import pg from 'pg'

/** How long ago the first payment was created: late money is looked for as long. */
const spanMs = 7 * 24 * 60 * 60 * 1000
const windowMs = 900_000
/** Repeats are answered for a day. */
const keysMs = 24 * 60 * 60 * 1000

/** Merchant of the payments. */
const merchant = 'm'

const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

/** As the service writes them, so that the same bytes are read, and reports can be made of them. */
const terms = formatDepositTerms({
  chainId: 31_337,
  token,
  amount: 25_000_000n,
  least: 25_000_000n,
  feeBps: 150,
  deadlineSeconds: 1_767_225_600,
  merchant: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  platform: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  operator: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  salt: `0x${'a5'.repeat(32)}`,
  factory: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
})
const answer = 'y'.repeat(1_500)

const tables = ['payments', 'transfers', 'events', 'deliveries', 'idempotency_keys']

/**
 * Fills a new database with so many deposits, created evenly over the last week: most are paid and forwarded, with a transfer each, three in
 * ten expired, and those of the last fifteen minutes are open. Each has its first event, every tenth a delivered webhook, those
 * of the last day the answer that a repeat gets.
 */
export async function fillDatabase(location: string, count: number): Promise<void> {
  // Brings the tables.
  await (await openDatabase(location)).close()
  await fill(location, count, (words) => inserts(words, count, Date.now()))
}

/** Fills a new database with so many wallet payments on Solana, created evenly over the last week, each with one of the terms. */
export async function fillWalletPayments(location: string, count: number, terms: readonly string[]): Promise<void> {
  await (await openDatabase(location)).close()
  const createdAtMs = `${Date.now() - spanMs} + n * ${spanMs} / ${count}`
  const ofTurn = terms.map((text, turn) => `when ${turn} then '${text}'`).join(' ')
  await fill(location, count, ({ numbers, hex }) => [
    `insert into merchants (id, name, webhook_secret, created_at_ms) values ('${merchant}', 'm', 's', 1)`,
    `insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
       status, created_at_ms, expires_at_ms, window_ends_at_ms, splitter, terms_hash, split_terms, sequence)
     select ${hex('n', 32)}, '${merchant}', 'contract', 0, 'solana', 'USDC', 'mint', 6, '25000000', '25000000',
            'expired', ${createdAtMs}, ${createdAtMs} + ${windowMs}, ${createdAtMs} + ${windowMs},
            'splitter', ${hex(mixed, 44)}, case n % ${terms.length} ${ofTurn} end, 1 from (${numbers}) as numbers`,
  ])
}

/** The id of the n-th payment. */
export const idOf = (n: number): string =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** What the databases say in other words: `numbers` are all `n` of the payments. */
type Words = { numbers: string; hex: (number: string, width: number) => string }

/** Spreads the numbers, as the addresses of real deposits are spread. */
const mixed = '(n * 2654435761) & 4294967295'

function inserts({ numbers, hex }: Words, count: number, nowMs: number): string[] {
  const from = `from (${numbers}) as numbers`
  const id = `${hex('n', 8)} || '-0000-4000-8000-' || ${hex('n', 12)}`
  const createdAtMs = `${nowMs - spanMs} + n * ${spanMs} / ${count}`
  const isOpen = `${createdAtMs} > ${nowMs - windowMs}`
  const isPaid = `n % 10 < 7 and not (${isOpen})`
  return [
    `insert into merchants (id, name, webhook_secret, created_at_ms) values ('${merchant}', 'm', 's', 1)`,
    `insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least, seen,
       received, window_ended, sweep, status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms, sequence)
     select ${id}, '${merchant}', 'deposit', 0, 'devnet', 'USDC', '${token}', 6, '25000000', '25000000',
            case when ${isPaid} then '25000000' else '0' end, case when ${isPaid} then '25000000' else '0' end,
            case when ${isOpen} then 0 else 1 end, case when ${isPaid} then 'confirmed' else 'none' end,
            case when ${isOpen} then 'pending' when ${isPaid} then 'swept' else 'expired' end,
            ${createdAtMs}, ${createdAtMs} + ${windowMs}, ${createdAtMs} + ${windowMs},
            '0x' || ${hex(mixed, 8)} || ${hex('n', 32)}, '${terms}', 1 ${from}`,
    `insert into payment_sums (merchant_id, is_test, quarter, network, currency, token_decimals, created, paid, received, refunded,
       refunded_by_merchant, changes)
     select merchant_id, is_test, created_at_ms / 900000, network, currency, token_decimals, count(*),
            sum(case when status = 'swept' then 1 else 0 end), '' || (25000000 * sum(case when status = 'swept' then 1 else 0 end)), '0', '0', 1
       from payments group by 1, 2, 3, 4, 5, 6`,
    `insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash, block_time_ms, state, is_late)
     select 'devnet', '0x' || ${hex('n', 64)}, 0, ${id}, '${token}', '25000000', 1, '0x01', 1, 'confirmed', 0
       ${from} where ${isPaid}`,
    `insert into events (number, merchant_id, is_test, payment_id, sequence, type, created_at_ms)
     select n, '${merchant}', 0, ${id}, 1, 'payment.created', ${createdAtMs} ${from}`,
    `insert into deliveries (number, event_number, merchant_id, is_test, payment_id, sequence, type, url, receiver_key, state, attempts, due_at_ms,
       created_at_ms, done_at_ms)
     select n, n, '${merchant}', 0, ${id}, 1, 'payment.created', 'http://127.0.0.1:9/', '${merchant} http://127.0.0.1:9', 'delivered', 1,
            ${createdAtMs}, ${createdAtMs}, ${createdAtMs} ${from} where n % 10 = 0`,
    `insert into idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
     select 'scope ' || ${hex('n', 8)}, 'public', '', 'terms', '', ${id}, '${answer}', ${createdAtMs} + ${keysMs}
       ${from} where ${createdAtMs} > ${nowMs - keysMs}`,
  ]
}

type Inserts = (words: Words) => string[]

async function fill(location: string, count: number, insertsIn: Inserts): Promise<void> {
  if (isPostgres(location)) await fillPostgres(location, count, insertsIn)
  else fillSqlite(location, count, insertsIn)
}

/** Indexes are made after the rows, which takes a fraction of the time. */
function fillSqlite(path: string, count: number, insertsIn: Inserts): void {
  const db = new SQLite(path)
  db.pragma('synchronous = off')
  db.pragma('foreign_keys = off')
  db.pragma('cache_size = -262144')
  const places = tables.map(() => '?').join()
  const indexes = db
    .prepare(`select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${places})`)
    .all(...tables) as { name: string; sql: string }[]
  const numbers = `with recursive all_numbers (n) as (select 1 union all select n + 1 from all_numbers where n < ${count}) select n from all_numbers`
  db.transaction(() => {
    for (const { name } of indexes) db.exec(`drop index ${name}`)
    const hex: Words['hex'] = (number, width) => `printf('%0${width}x', ${number})`
    for (const insert of insertsIn({ numbers, hex })) db.exec(insert)
    for (const { sql } of indexes) db.exec(sql)
  })()
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}

async function fillPostgres(url: string, count: number, insertsIn: Inserts): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
        where tablename = any($1) and indexname not in (select conname from pg_constraint)`,
      [tables],
    )
    await client.query(
      "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'",
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    const numbers = `select generate_series(1, ${count}::bigint) as n`
    const hex: Words['hex'] = (number, width) => `lpad(to_hex(${number}), ${width}, '0')`
    for (const insert of insertsIn({ numbers, hex })) await client.query(insert)
    for (const { definition } of indexes) await client.query(definition)
    for (const table of ['events', 'deliveries'])
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'number'), (select max(number) from ${table}))`,
      )
    // As the server does by itself within minutes.
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
