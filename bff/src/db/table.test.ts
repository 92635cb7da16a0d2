import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Db, sql } from './db.ts'
import { fixed, flag, integer, json, named, orNull, table, text, units, type ValuesOf } from './table.ts'

const policies = table('agent_policies', {
  shop: fixed(named('merchant_id', text())),
  isTest: fixed(flag()),
  agentId: fixed(text()),
  dailyBudget: orNull(units()),
  allowedNetworks: orNull(json<string[]>()),
  autonomousAllowed: flag(),
  createdAtMs: fixed(integer()),
  updatedAtMs: integer(),
})
const prices = table('payment_links', { amount: named('price', text()), currency: named('price_currency', text()) })

type Policy = ValuesOf<typeof policies>

const policy: Policy = {
  shop: 'm',
  isTest: true,
  agentId: 'a',
  dailyBudget: baseUnits('123456789012345678901234567890'),
  allowedNetworks: ['base'],
  autonomousAllowed: false,
  createdAtMs: 1,
  updatedAtMs: 2,
}
const unlimited: Policy = { ...policy, dailyBudget: null, allowedNetworks: null, autonomousAllowed: true }

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  await db.write(async (tx) => {
    await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'Shop', '', 1)`)
    await tx.run(sql`insert into agent_policies (${policies.names}) values (${policies.values(policy)})`)
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const stored = async () => await db.read((tx) => tx.get<object>(sql`select * from agent_policies`))
const read = async () => policies.parse((await stored()) ?? {})

test('values are read as they were stored: exact amounts, flags, JSON and nulls', async () => {
  expect(await read()).toEqual(policy)
  await db.write((tx) => tx.run(sql`update agent_policies set ${policies.set(unlimited)}`))
  expect(await read()).toEqual(unlimited)
  const row = await db.read((tx) => tx.get<object>(sql`select ${policies.names} from agent_policies`))
  expect(policies.parse(row ?? {})).toEqual(unlimited)
})

test('an amount of nothing is no null: a budget of nothing is not one without a bound', async () => {
  const nothing = { ...policy, dailyBudget: baseUnits('0') }
  await db.write((tx) => tx.run(sql`update agent_policies set ${policies.set(nothing)}`))
  expect(await read()).toEqual(nothing)
})

test('an update and a conflict leave the columns that are fixed', async () => {
  const other = { ...unlimited, createdAtMs: 9, updatedAtMs: 3 }
  await db.write((tx) => tx.run(sql`update agent_policies set ${policies.set({ ...other, agentId: 'b' })}`))
  expect(await read()).toEqual({ ...unlimited, updatedAtMs: 3 })
  await db.write((tx) =>
    tx.run(sql`
        insert into agent_policies (${policies.names}) values (${policies.values({ ...policy, createdAtMs: 9 })})
        on conflict (merchant_id, is_test, agent_id) do update set ${policies.excluded}`),
  )
  expect(await read()).toEqual(policy)
})

test('columns that are null together are one null', async () => {
  const readPrice = async () =>
    await db.read(async (tx) => prices.parseOrNull((await tx.get<object>(sql`select * from payment_links`)) ?? {}))
  const price = { amount: '25.00', currency: 'EUR' }
  await db.write((tx) =>
    tx.run(sql`
        insert into payment_links (id, merchant_id, payments_max, created_at_ms, ${prices.names})
        values ('l', 'm', 1, 1, ${prices.values(price)})`),
  )
  expect(await readPrice()).toEqual(price)
  await db.write(async (tx) => {
    await tx.run(sql`delete from payment_links`)
    await tx.run(sql`
        insert into payment_links (id, merchant_id, payments_max, created_at_ms, amount, ${prices.names})
        values ('l', 'm', 1, 1, '25.00', ${prices.values(null)})`)
  })
  expect(await readPrice()).toBeNull()
})

test('a statement is one object whatever its values are', () => {
  const insert = (one: Policy) => sql`insert into agent_policies (${policies.names}) values (${policies.values(one)})`
  const update = (one: Policy) => sql`update agent_policies set ${policies.set(one)} where agent_id = ${one.agentId}`
  expect(insert(policy).strings).toBe(insert(unlimited).strings)
  expect(update(policy).strings).toBe(update(unlimited).strings)
})
