import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { leaseMs as leaseMsOfService, listLeases, migrationFiles, sql } from '@stablecoin-checkout/bff/testing/db'
import { afterAll, expect, test } from 'vitest'
import { createMerchant, type Program } from './harness/bff.ts'
import { openReplicas, type Replica } from './harness/replicas.ts'
import { until } from './harness/until.ts'

const story = await openReplicas('replicas')
const { bff, chain, db, server, start, holderOf, payOne, beginLoad } = story

/** Ends all but one, which then works for everything. */
async function only(kept: Replica): Promise<void> {
  for (const replica of story.alive()) if (replica !== kept) await replica.stop()
  for (const lease of ['*', 'devnet'])
    await until(`one replica to hold ${lease}`, async () => (await holderOf(lease)) === kept)
}

test('a replica that did not make a payment shows its confirmations, and the health and gas of a network that another watches', async () => {
  const other = await start()
  const payment = await payOne()
  const shown = async (replica: Replica) => ({
    payment: (await replica.get(`/payments/${payment.id}`)).body['payment'],
    health: (await replica.get('/payments/health')).body,
    payable: ((await replica.get('/networks/payable')).body['networks'] as { shortName: string }[]).map(
      ({ shortName }) => shortName,
    ),
    readiness: (await replica.ask('/api/ready')).body,
  })
  await chain.mine(1)
  const expected = {
    payment: { confirmations: 2 },
    readiness: { ready: true },
    health: { status: 'ok', networks: [{ shortName: 'devnet', gasBalance: { state: 'ok' } }, {}] },
    payable: ['devnet', 'devnet-b'],
  }
  await expect.poll(() => shown(other)).toMatchObject(expected)
  // The gas is read again and again, and the other replica notified.
  const differences = async () => {
    const [theirs, ours] = [await shown(other), await shown(bff)]
    return isDeepStrictEqual([theirs.health, theirs.payable], [ours.health, ours.payable]) ? [] : [theirs, ours]
  }
  await expect.poll(differences).toEqual([])
  await chain.mine(1)
  await until('the sweep', () => chain.hasCode(payment.depositAddress))
  await chain.mine(3)
  await bff.shows(payment.id, { status: 'swept' })
})

test('after a clean stop another replica works at once, and after a kill -9 when its lease ends, at most seven seconds later', async () => {
  const one = await start()
  await only(one)
  await Promise.all([start(), start()])
  const load = await beginLoad()
  const { holder: first, epoch } = await leaseOf('devnet')
  await one.stop()
  const given = await leaseOf('devnet')
  // Nobody waits for its end: it is free, or another replica has it.
  expect(given.holder).not.toBe(first)
  expect(given.epoch - epoch).toBe(given.holder === null ? 0 : 1)
  const holder = await until('a takeover', () => holderOf())
  await holder.kill()
  expect((await leaseOf('devnet')).leftMs).toBeLessThanOrEqual(leaseMsOfService)
  await until('another takeover', async () => ![undefined, holder].includes(await holderOf()))
  await load.expectToClose()
})

const leaseOf = async (name: string) => {
  const lease = (await db.read(listLeases)).find((one) => one.name === name)
  if (!lease) throw new Error(`There is no lease ${name}`)
  return lease
}

test('PostgreSQL cuts every connection, and is then restarted: the service goes on, and nothing is lost or done twice', async () => {
  const load = await beginLoad()
  const paidMore = async () => {
    const paid = load.paid.length
    await until('more payments', () => load.paid.length > paid + 2)
  }
  await paidMore()
  await server.run(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
  )
  await paidMore()
  await server.pause()
  const [replica] = story.alive()
  const isRefused = async () => (await replica?.postDeposit({ amount: '25.00' }))?.status === 503
  await until('a create to be refused', isRefused)
  await server.resume()
  await paidMore()
  await load.expectToClose()
})

test('while no commit succeeds, creates are refused, workers change nothing, and all goes on when the disk has room again', async () => {
  const load = await beginLoad()
  await until('some payments', () => load.paid.length > 3)
  await server.run(`
      create function no_room() returns trigger language plpgsql
        as 'begin raise exception ''no space left on device'' using errcode = ''53100''; end';
      create constraint trigger no_room after insert or update on group_commits deferrable initially deferred
        for each row execute function no_room();
      create constraint trigger no_room after insert or update on leases deferrable initially deferred
        for each row execute function no_room()`)
  const [replica] = story.alive()
  const refused = await replica?.postDeposit({ amount: '25.00' })
  expect([refused?.status, refused?.body['code']]).toEqual([503, 'DATABASE_UNAVAILABLE'])
  const free = async () => (await db.read(listLeases)).every(({ leftMs }) => leftMs <= 0)
  await until('the leases to end, which nobody can renew', free)
  await server.run('drop trigger no_room on group_commits; drop trigger no_room on leases; drop function no_room')
  await load.expectToClose()
})

test('two replicas that start at the same moment on an empty database are one service', async () => {
  const { twins, files } = await story.startTwins()
  for (const twin of twins) await expect.poll(async () => (await twin.ask('/api/ready')).status).toBe(200)
  const merchant = await createMerchant(files, { devnet: story.wallets.merchant })
  for (const twin of twins) {
    const answer = await fetch(`${twin.url()}/api/v1/networks/payable`, {
      headers: { 'x-public-key': merchant.publicKey },
    })
    expect([answer.status, await answer.json()]).toMatchObject([200, { networks: [{ shortName: 'devnet' }] }])
  }
})

const programFolders: string[] = []
afterAll(() => {
  for (const folder of programFolders) rmSync(folder, { recursive: true, force: true })
})

/** A program of the next version, which adds a column to every table. */
async function nextVersion(): Promise<Program> {
  const dist = fileURLToPath(new URL('../bff/dist', import.meta.url))
  // Within the repository, where its packages are found.
  const folder = mkdtempSync(fileURLToPath(new URL('./.results/next-version-', import.meta.url)))
  programFolders.push(folder)
  cpSync(dist, folder, { recursive: true })
  const tables = await db.read((tx) =>
    tx.all<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public'`),
  )
  const number = String(migrationFiles().length + 1).padStart(4, '0')
  const added = tables.map(({ name }) => `alter table ${name} add column of_the_next_version text;`)
  writeFileSync(join(folder, `db/migrations/${number}_next.sql`), added.join('\n'))
  return { file: process.execPath, args: [join(folder, 'main.js')] }
}

test('a rolling upgrade by one version: replicas of both versions work on one database, and one of the older is not started again', async () => {
  const old = await start()
  await only(old)
  const load = await beginLoad()
  const program = await nextVersion()
  const newer = await start({ program })
  const paidAfter = load.paid.length
  await until('payments at both versions', () => load.paid.length > paidAfter + 4)
  await old.stop()
  await until('the newer version to take over', async () => (await holderOf()) === newer)
  await expect(start()).rejects.toThrow('Use the newer program')
  await start({ program })
  await load.expectToClose(program)
})

test('every lease has one holder at the end', async () => {
  const free = async () => (await db.read(listLeases)).filter(({ holder, leftMs }) => holder === null || leftMs <= 0)
  await expect.poll(free).toEqual([])
  expect((await db.read(listLeases)).map(({ name }) => name)).toEqual(['*', 'devnet', 'devnet-b'])
})
