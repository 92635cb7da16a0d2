import { noSystem } from '@stablecoin-checkout/rig/app-defaults'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PaymentError } from '../core/errors.ts'
import { sql } from '../db/db.ts'
import { createGasBalances } from '../network/gas-balances.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { DeploymentState } from './contract-deployments.ts'

const gasBalances = createGasBalances()
let deployed: string[] = []
let deploy: () => Promise<DeploymentState>

let fixture: AppFixture
beforeEach(async () => {
  deployed = []
  deploy = async () => 'deployed'
  const deployContracts = async (network: string) => {
    deployed.push(network)
    return await deploy()
  }
  gasBalances.note('devnet', { address: '0xgas', balanceWei: 1_000n, neededWei: 4n, readAtMs: 1 })
  fixture = await openApp({ system: { ...noSystem, deployContracts }, gasBalances })
})
afterEach(() => fixture.close())

/** As on a service that a shop hosts for itself. */
async function removeOther(): Promise<void> {
  const { merchantId } = fixture.other
  await fixture.deps.db.write(async (tx) => {
    await tx.run(sql`delete from credentials where merchant_id = ${merchantId}`)
    await tx.run(sql`delete from settlement_wallets where merchant_id = ${merchantId}`)
    await tx.run(sql`delete from merchants where id = ${merchantId}`)
  })
}

async function openOwner() {
  await removeOther()
  const owner = await signedIn(fixture)
  return {
    ...owner,
    act: async (path: string, body: object) => {
      const { status, body: answer } = await owner.confirm('POST', path, body)
      return [status, answer['code'] ?? answer['state'] ?? answer['count']]
    },
    async log() {
      const { body } = await owner.ask('GET', '/dashboard/audit')
      return (body['entries'] as Record<string, unknown>[])
        .filter(({ action }) => action !== 'person.joined')
        .map(({ action, subject, after, outcome, refusal }) => [action, subject, after, outcome, refusal])
    },
  }
}

/** A paid deposit, whose sweep failed and is retried in an hour. */
async function failSweep(): Promise<PaymentId> {
  const { body } = await fixture.create(order, fixture.keys.secret)
  const id = body.payment['id'] as PaymentId
  const atMs = fixture.nowMs()
  await fixture.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 25_000_000n), atMs })
  await fixture.deps.db.write((tx) => tx.run(sql`update payouts set failures = 6, due_at_ms = ${atMs + 3_600_000}`))
  return id
}
const dueOf = (id: PaymentId) =>
  fixture.deps.db.read((tx) =>
    tx.get<{ due: number }>(sql`select due_at_ms as due from payouts where payment_id = ${id}`),
  )

test('an owner deploys missing contracts by the passkey; the log says who, where and what came of it', async () => {
  const owner = await openOwner()
  expect(await owner.act('/system/contracts', { network: 'devnet' })).toEqual([200, 'deployed'])
  deploy = async () => 'present'
  expect(await owner.act('/system/contracts', { network: 'devnet' })).toEqual([200, 'present'])
  deploy = () => Promise.reject(new PaymentError('GAS_MISSING', '0xgas holds 0 and needs 1.'))
  expect(await owner.act('/system/contracts', { network: 'devnet' })).toEqual([409, 'GAS_MISSING'])
  expect(await owner.act('/system/contracts', { network: 'nowhere' })).toEqual([404, 'NETWORK_NOT_FOUND'])
  expect(deployed).toEqual(['devnet', 'devnet', 'devnet'])
  expect(await owner.log()).toEqual([
    ['contracts.deployed', '/system/contracts', null, 'refused', 'NETWORK_NOT_FOUND'],
    ['contracts.deployed', 'devnet', null, 'refused', 'GAS_MISSING'],
    ['contracts.deployed', 'devnet', 'present', 'unchanged', null],
    ['contracts.deployed', 'devnet', 'deployed', 'done', null],
  ])
})

test('an owner has a failed payout sent now; where nothing waits, that is said', async () => {
  const owner = await openOwner()
  const retry = { network: 'devnet', waiting: 'failed' }
  expect(await owner.act('/system/payouts/retry', retry)).toEqual([409, 'NOTHING_WAITING'])
  const id = await failSweep()
  expect(await owner.act('/system/payouts/retry', retry)).toEqual([200, 1])
  expect(await dueOf(id)).toEqual({ due: fixture.nowMs() })
  expect(await owner.act('/system/payouts/retry', { ...retry, waiting: 'deferred' })).toEqual([409, 'NOTHING_WAITING'])
  expect(await owner.act('/system/payouts/retry', { ...retry, waiting: 'parked' })).toEqual([409, 'NOTHING_WAITING'])
  expect(await owner.act('/system/payouts/retry', { ...retry, waiting: 'all' })).toEqual([400, 'VALIDATION_FAILED'])
  expect((await owner.log()).at(-2)).toEqual(['payouts.retried', 'devnet', 'failed: 1', 'done', null])
})

test('without gas nothing is made due: the refusal says where coins are to be sent', async () => {
  const owner = await openOwner()
  const id = await failSweep()
  gasBalances.note('devnet', { address: '0xgas', balanceWei: 3n, neededWei: 4n, readAtMs: 1 })
  const { status, body } = await owner.confirm('POST', '/system/payouts/retry', {
    network: 'devnet',
    waiting: 'failed',
  })
  expect([status, body['code'], body['message']]).toEqual([409, 'GAS_MISSING', expect.stringContaining('0xgas')])
  expect(await dueOf(id)).toEqual({ due: fixture.nowMs() + 3_600_000 })
})

test('neither staff nor a viewer, nor a session without the passkey, nor a key, nor one of several merchants may', async () => {
  const calls = [
    ['/system/contracts', { network: 'devnet' }],
    ['/system/payouts/retry', { network: 'devnet', waiting: 'failed' }],
  ] as const
  const owner = await signedIn(fixture)
  for (const [path, body] of calls)
    expect((await owner.confirm('POST', path, body)).body['code']).toBe('SEVERAL_MERCHANTS')
  await removeOther()
  const others = [await signedIn(fixture, 'staff', 'Sam'), await signedIn(fixture, 'viewer', 'Vic')]
  for (const [path, body] of calls) {
    for (const other of others) expect((await other.confirm('POST', path, body)).body['code']).toBe('ROLE_NOT_ALLOWED')
    expect((await owner.ask('POST', path, body)).body['code']).toBe('CONFIRMATION_REQUIRED')
    const headers = { ...fixture.keys.secret, 'content-type': 'application/json' }
    const byKey = await fixture.call(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(byKey.body['code']).toBe('SESSION_REQUIRED')
  }
  expect(deployed).toEqual([])
})
