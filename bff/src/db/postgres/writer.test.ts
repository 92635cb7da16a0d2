import { Socket } from 'node:net'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { expect, test, vi } from 'vitest'
import { sql } from '../db.ts'
import { createWriter } from './writer.ts'

const database = await createTestDatabase()

test('the statements that are sent without waiting are one write to the socket', async () => {
  const writer = createWriter(database.location, 0)
  await writer.begin()
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as never)]
  for (const network of ['a', 'b', 'c'])
    writer.statements.write(sql`insert into unmatched_cursors (network, number, hash) values (${network}, 1, '0x')`)
  const stored = writer.statements.all(sql`select network from unmatched_cursors order by network`)
  await writer.written()
  expect(await stored).toEqual([{ network: 'a' }, { network: 'b' }, { network: 'c' }])
  expect(writes.map(({ mock }) => mock.calls.length).reduce((sum, count) => sum + count)).toBe(1)
  vi.restoreAllMocks()
  await writer.rollback()
  await writer.close()
  await database.drop()
})
