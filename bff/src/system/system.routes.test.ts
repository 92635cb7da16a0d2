import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Finding } from '../core/finding.ts'
import { sql } from '../db/db.ts'
import { deleteReplica, saveReplica, takeLease } from '../db/lease-store.ts'
import { createGasBalances } from '../network/gas-balances.ts'
import { saveNodeStates } from '../network/node-state-store.ts'
import type { PaymentId } from '../payment/payment.ts'
import { saveBackup } from './backup-store.ts'
import type { System } from './system.routes.ts'

const findings: Finding[] = [
  {
    check: 'tls',
    subject: 'https://pay.example',
    state: 'bad',
    says: 'is not https',
    fix: 'Put a proxy with TLS in front.',
    code: 'tls.plain',
    values: [],
    place: null,
  },
]
const gasBalances = createGasBalances()
const system: System = {
  version: '1.2.3',
  instance: '0123456789abcdef',
  replica: null,
  nodeStates: (network) => [
    { name: 'node 1 of 2', host: `${network}.example`, state: 'ok', reason: null, outUntilMs: null },
    { name: 'node 2 of 2', host: 'liar.example', state: 'quarantine', reason: 'is on chain 1', outUntilMs: 5 },
  ],
  worksFor: (network) => network === 'devnet',
  runDoctor: async () => ({ atMs: 7, findings }),
  deployContracts: async () => 'present',
}

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp({ system, gasBalances })
})
afterEach(() => fixture.close())

const read = () => fixture.read('/api/v1/system', fixture.keys.secret)
const runDoctor = () => fixture.call('/api/v1/system/doctor', { method: 'POST', headers: fixture.keys.secret })

/** As on a service that a shop hosts for itself. */
async function removeOther(): Promise<void> {
  const { merchantId } = fixture.other
  await fixture.deps.db.write(async (tx) => {
    await tx.run(sql`delete from credentials where merchant_id = ${merchantId}`)
    await tx.run(sql`delete from settlement_wallets where merchant_id = ${merchantId}`)
    await tx.run(sql`delete from merchants where id = ${merchantId}`)
  })
}

test('a merchant who shares the service with others is told nothing of it', async () => {
  expect([(await read()).status, (await read()).body['code']]).toEqual([403, 'SEVERAL_MERCHANTS'])
  expect((await runDoctor()).status).toBe(403)
})

test('networks, nodes, queues and the backup are shown to a merchant who hosts it', async () => {
  await removeOther()
  const { db, ledger, heads } = fixture.deps
  const { body } = await fixture.create({ ...order, callbackUrl: 'https://shop.example/hooks' }, fixture.keys.secret)
  const id = body.payment['id'] as PaymentId
  const atMs = fixture.nowMs()
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 25_000_000n), atMs })
  await fixture.create(order, fixture.keys.secret)
  await db.write((tx) => saveBackup(tx, { madeAtMs: atMs, bytes: 4_096 }))
  await db.write((tx) => tx.run(sql`update payouts set failures = 2, waiting_since_ms = 1`))
  heads.set('devnet', { number: 12, hash: '0x1', parentHash: '0x0', timeMs: atMs - 3_000 })
  gasBalances.note('devnet', { address: '0xgas', balanceWei: 0n, neededWei: 4n, readAtMs: 1 })
  fixture.advance(60_000)
  const { status, body: answer } = await read()
  expect([status, answer]).toMatchObject([
    200,
    {
      ...{
        version: '1.2.3',
        ready: true,
        reasons: [],
        reasonCodes: [],
        database: 'sqlite',
        replicas: [],
      },
      networks: [
        {
          ...{
            network: 'devnet',
            payable: true,
            contractsMissing: false,
            block: 12,
            lagSeconds: 63,
            watched: true,
            gas: { state: 'empty' },
          },
          nodes: [
            { replica: null, name: 'node 1 of 2', state: 'ok', until: null },
            { name: 'node 2 of 2', state: 'quarantine', reason: 'is on chain 1', until: '1970-01-01T00:00:00.005Z' },
          ],
        },
        { network: 'elsewhere', block: null, lagSeconds: null, watched: false, gas: null },
      ],
      backup: { madeAt: '2026-11-21T12:00:00.000Z', ageSeconds: 60, bytes: 4_096 },
    },
  ])
  expect(answer['queues']).toEqual([
    { name: 'payments', network: 'devnet', count: 1, failing: 0, deferred: 0, oldestSeconds: null },
    { name: 'sweeps', network: 'devnet', count: 1, failing: 1, deferred: 1, oldestSeconds: 60 },
    { name: 'webhooks', network: null, count: 3, failing: 0, deferred: 0, oldestSeconds: 60 },
  ])
})

test.each([
  ['The deposit factory of Devnet (0x1) is not a contract: it is not deployed.', true],
  ['The deposit factory of Devnet (0x1) is another contract.', false],
])('of a network with the reason "%s" it says whether contracts are missing', async (reason, contractsMissing) => {
  await fixture.close()
  fixture = await openApp({ system, gasBalances, health: { get: () => ({ isPayable: false, reason }) } })
  await removeOther()
  const { body } = await read()
  expect(body['networks']).toMatchObject([
    { network: 'devnet', reason, contractsMissing },
    { network: 'elsewhere', reason, contractsMissing },
  ])
})

test('with replicas everything is the same whichever answers, and every replica names its nodes', async () => {
  await removeOther()
  const { db } = fixture.deps
  const nodesOf = (state: 'ok' | 'down') => [
    { network: 'devnet', nodes: [{ name: 'node 1 of 1', host: 'rpc.example', state, reason: null, outUntilMs: null }] },
  ]
  const host = 'checkout'
  for (const id of ['1-replica', '2-replica', '3-replica', '4-replica'])
    await db.write((tx) => saveReplica(tx, { id, version: '1', host, url: null }))
  await db.write((tx) => saveNodeStates(tx, '3-replica', nodesOf('down')))
  await db.write((tx) => tx.run(sql`update replicas set seen_at_ms = now_ms() - 61000 where id = '3-replica'`))
  await db.write((tx) => saveNodeStates(tx, '4-replica', nodesOf('down')))
  await db.write((tx) => deleteReplica(tx, '4-replica'))
  await db.write((tx) => takeLease(tx, 'devnet', '2-replica', 60_000))
  await db.write((tx) => saveNodeStates(tx, '1-replica', nodesOf('ok')))
  await db.write((tx) => saveNodeStates(tx, '2-replica', nodesOf('ok')))
  await db.write((tx) => saveNodeStates(tx, '2-replica', nodesOf('down')))
  for (const [id, state] of [
    ['1-replica', 'ok'],
    ['2-replica', 'down'],
  ] as const) {
    const [network] = nodesOf(state)
    const nodeStates = (name: string) => (name === network?.network ? network.nodes : [])
    const replica = await openApp(
      { system: { ...system, replica: { id, host }, nodeStates, worksFor: () => false } },
      fixture,
    )
    const { body } = await replica.read('/api/v1/system', fixture.keys.secret)
    const [devnet, elsewhere] = body['networks'] as { watched: boolean; nodes: { replica: string }[] }[]
    expect(devnet?.nodes.sort((one, other) => (one.replica < other.replica ? -1 : 1))).toMatchObject([
      { replica: 'checkout · 1-replic', host: 'rpc.example', state: 'ok' },
      { replica: 'checkout · 2-replic', host: 'rpc.example', state: 'down' },
    ])
    expect([devnet?.watched, elsewhere?.watched, elsewhere?.nodes]).toEqual([true, false, []])
    await replica.close()
  }
})

test('what doctor finds is shown with its advice', async () => {
  await removeOther()
  expect((await runDoctor()).body).toEqual({ success: true, at: '1970-01-01T00:00:00.007Z', findings })
})
