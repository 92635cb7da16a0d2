import { accept, type DashboardPage, inviteTo, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

/** Newest first, without the entry of who joined. */
async function auditOf(page: DashboardPage) {
  const { status, body } = await page.ask('GET', '/dashboard/audit')
  expect(status).toBe(200)
  return (body['entries'] as Record<string, unknown>[]).filter(({ action }) => action !== 'person.joined')
}

const idOfNew = async () => String((await bff.create(order, bff.keys.secret)).body.payment['id'])

test('ending a payment is in the log as done, or as unchanged if it was final already, with the payment’s id', async () => {
  const owner = await signedIn(bff)
  const paymentId = await idOfNew()
  for (let time = 0; time < 2; time++) await owner.ask('POST', '/payments/fail', { paymentId, status: 'cancelled' })
  expect(await auditOf(owner)).toMatchObject([
    { action: 'payment.ended', subject: paymentId, outcome: 'unchanged', refusal: null },
    { action: 'payment.ended', subject: paymentId, outcome: 'done', after: 'cancelled', refusal: null },
  ])
})

test('a link that is asked for again is in the log as unchanged', async () => {
  const owner = await signedIn(bff)
  const made = async () => (await owner.ask('POST', '/links', { amount: '12.50', orderId: 'A-7' })).body['link']
  const { id } = (await made()) as { id: string }
  expect(await made()).toMatchObject({ id })
  expect(await auditOf(owner)).toMatchObject([
    { action: 'link.made', subject: id, outcome: 'unchanged' },
    { action: 'link.made', subject: id, outcome: 'done' },
  ])
})

test('a refused change is in the log as refused, with the code of the reason', async () => {
  const owner = await signedIn(bff)
  const id = await idOfNew()
  const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const refused = [
    await owner.confirm('POST', `/deposits/refund-request/${id}`, { address }),
    await owner.confirm('POST', `/payments/${id}/accept-late`),
    await owner.confirm('PUT', '/merchants/agent-policies/bot', { dailyBudget: 'much' }),
    await owner.confirm('DELETE', '/merchants/agent-policies/bot'),
    await owner.confirm('PATCH', '/webhooks/endpoints/we_none', { enabled: false }),
  ]
  expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
    [400, 'NOTHING_OWED'],
    [409, 'PAYMENT_OPEN'],
    [400, 'VALIDATION_FAILED'],
    [404, 'AGENT_POLICY_NOT_FOUND'],
    [404, 'ENDPOINT_NOT_FOUND'],
  ])
  const log = await auditOf(owner)
  expect(log.map(({ action, outcome, refusal, before, after }) => [action, outcome, refusal, before, after])).toEqual([
    ['webhookEndpoint.changed', 'refused', 'ENDPOINT_NOT_FOUND', null, null],
    ['agentPolicy.removed', 'refused', 'AGENT_POLICY_NOT_FOUND', null, null],
    ['agentPolicy.changed', 'refused', 'VALIDATION_FAILED', null, null],
    ['payment.lateAccepted', 'refused', 'PAYMENT_OPEN', null, null],
    ['refund.requested', 'refused', 'NOTHING_OWED', null, null],
  ])
  expect(log.at(-1)?.['subject']).toBe(`/deposits/refund-request/${id}`)
})

test('a change is in the log with the values before and after', async () => {
  const owner = await signedIn(bff)
  await owner.confirm('PUT', '/merchants/agent-policies/bot', { dailyBudget: '5' })
  await owner.confirm('PUT', '/merchants/agent-policies/bot', { dailyBudget: '50', autonomousAllowed: true })
  await owner.confirm('DELETE', '/merchants/agent-policies/bot')
  await owner.confirm('PUT', '/merchants/key-origins', { origins: ['https://shop.example'] })
  const { body } = await owner.confirm('POST', '/webhooks/endpoints', { url: 'https://shop.example/hooks' })
  const { id } = body['endpoint'] as { id: string }
  await owner.confirm('PATCH', `/webhooks/endpoints/${id}`, { enabled: false })
  await owner.confirm('POST', `/webhooks/endpoints/${id}/rotate-secret`, {})
  await owner.confirm('DELETE', `/webhooks/endpoints/${id}`)
  await owner.confirm('POST', '/webhooks/rotate-secret', {})
  const { body: made } = await owner.ask('POST', '/links', { amount: '12.50' })
  const linkId = (made['link'] as { id: string }).id
  for (let time = 0; time < 2; time++) await owner.ask('POST', `/links/${linkId}/end`)
  const log = (await auditOf(owner)).reverse()
  const one = (url: string) => expect.stringContaining(url)
  const budget = (text: string) => expect.stringContaining(`"dailyBudget":"${text}"`)
  expect(log.map(({ action, subject, before, after, outcome }) => [action, subject, before, after, outcome])).toEqual([
    ['agentPolicy.changed', 'bot', null, budget('5.00'), 'done'],
    ['agentPolicy.changed', 'bot', budget('5.00'), budget('50.00'), 'done'],
    ['agentPolicy.removed', 'bot', budget('50.00'), null, 'done'],
    ['keyOrigins.changed', 'origins', '', 'https://shop.example', 'done'],
    ['webhookEndpoint.created', id, null, one('https://shop.example/hooks'), 'done'],
    ['webhookEndpoint.changed', id, one('"enabled":true'), one('"enabled":false'), 'done'],
    ['webhookSecret.rotated', id, null, null, 'done'],
    ['webhookEndpoint.removed', id, one('https://shop.example/hooks'), null, 'done'],
    ['webhookSecret.rotated', 'callbackUrl', null, null, 'done'],
    ['link.made', linkId, null, '12.50', 'done'],
    ['link.ended', linkId, null, null, 'done'],
    ['link.ended', linkId, null, null, 'unchanged'],
  ])
  expect(JSON.stringify(log)).not.toMatch(/whsec_/)
})

test('the log is filtered by person and by kind, each by an index', async () => {
  const owner = await signedIn(bff)
  const staff = await signedIn(bff, 'staff', 'Bea')
  for (const page of [owner, staff]) await page.ask('POST', '/links', { amount: '12.50' })
  await owner.confirm('POST', '/dashboard/keys', { kind: 'api' })
  const { entries } = (await owner.ask('GET', '/dashboard/audit')).body as unknown as {
    entries: { action: string; person: { id: string; name: string } }[]
  }
  const bea = entries.find(({ person }) => person.name === 'Bea')?.person.id
  const read = async (query: string) => {
    const { body } = await owner.ask('GET', `/dashboard/audit?${query}`)
    return (body['entries'] as typeof entries).map(({ action, person }) => `${person.name} ${action}`)
  }
  expect(await read('kind=payments')).toEqual(['Bea link.made', 'Ada link.made'])
  expect(await read(`person=${bea}`)).toEqual(['Bea link.made', 'Bea person.joined'])
  expect(await read(`person=${bea}&kind=payments`)).toEqual(['Bea link.made'])
  expect(await read('kind=developers')).toEqual(['Ada key.created'])
  expect(await read('kind=tills')).toEqual([])
  expect((await owner.ask('GET', '/dashboard/audit?kind=money')).status).toBe(400)
  expect((await owner.ask('GET', '/dashboard/audit?person=Bea')).status).toBe(400)
  const other = openPage(bff)
  await accept(other, await inviteTo(bff, { merchantId: bff.other.merchantId }))
  const stranger = await other.ask('GET', `/dashboard/audit?person=${bea}`)
  expect(stranger.body['entries']).toEqual([])
})

test('a change is not made if the log cannot be written', async () => {
  const owner = await signedIn(bff)
  const paymentId = await idOfNew()
  await bff.deps.db.write((tx) => tx.run(sql`alter table audit_log rename to audit_log_that_is_gone`))
  const { status } = await owner.ask('POST', '/payments/fail', { paymentId })
  await bff.deps.db.write((tx) => tx.run(sql`alter table audit_log_that_is_gone rename to audit_log`))
  expect(status).toBe(500)
  const { body } = await owner.ask('GET', `/payments/${paymentId}/status`)
  expect(body['payment']).toMatchObject({ outcome: 'pending' })
  expect(await auditOf(owner)).toEqual([])
})

test('a change is reported as made if only its outcome cannot be written to the log', async () => {
  const owner = await signedIn(bff)
  const paymentId = await idOfNew()
  await bff.deps.db.write((tx) => tx.run(sql`alter table audit_log rename column refusal to refusal_that_is_gone`))
  const { status } = await owner.ask('POST', '/payments/fail', { paymentId })
  await bff.deps.db.write((tx) => tx.run(sql`alter table audit_log rename column refusal_that_is_gone to refusal`))
  expect(status).toBe(200)
  expect(await auditOf(owner)).toMatchObject([{ action: 'payment.ended', outcome: 'unknown', refusal: null }])
})

test('a change that failed inside the service is in the log, but neither as done nor as refused', async () => {
  const owner = await signedIn(bff)
  const paymentId = await idOfNew()
  await bff.deps.db.write((tx) => tx.run(sql`alter table payments rename to payments_that_are_gone`))
  const { status } = await owner.ask('POST', '/payments/fail', { paymentId })
  await bff.deps.db.write((tx) => tx.run(sql`alter table payments_that_are_gone rename to payments`))
  expect(status).toBe(500)
  expect(await auditOf(owner)).toMatchObject([
    { action: 'payment.ended', subject: paymentId, outcome: 'unknown', refusal: 'INTERNAL_ERROR' },
  ])
})
