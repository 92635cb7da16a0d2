import { beforeAll, expect, test, vi } from 'vitest'
import { loadLocale } from '../locales/locale.ts'
import { subjectText, valueText } from './audit-values.ts'

vi.stubGlobal('localStorage', { getItem: () => null })
vi.stubGlobal('navigator', { languages: ['en'] })
vi.stubGlobal('document', { documentElement: {} })
beforeAll(loadLocale)

test.each([
  ['person.invited', 'Grace', 'viewer', 'Viewer'],
  ['person.joined', 'Grace', 'owner', 'Owner'],
  ['person.removed', 'Grace', 'staff', 'Staff'],
  ['person.changed', 'Grace', 'Grace, of the shop, owner', 'Grace, of the shop, Owner'],
  ['key.created', 'ak_1', 'api', 'API key with secret'],
  ['key.created', 'ak_1', 'api, agent pantry-agent', 'Agent id: pantry-agent'],
  ['setting.changed', 'latePayments', 'accept', 'Accept if in full'],
  ['setting.changed', 'publicReports', 'true', 'Yes'],
  ['setting.changed', 'publicReports', 'false', 'No'],
  ['setting.changed', 'name', 'viewer', 'viewer'],
  ['noticeChannel.changed', 'Telegram', 'paid refund', 'An order is paid, A customer wants money back'],
  ['payment.ended', 'p', 'cancelled', 'Cancelled'],
  ['payouts.retried', 'base', 'payouts: 3', '3'],
  [
    'webhookEndpoint.created',
    'we_1',
    '{"url":"https://shop.example/hooks","description":null,"eventTypes":["payment.completed","payment.failed"],"enabled":true}',
    'https://shop.example/hooks · payment.completed, payment.failed · Enabled',
  ],
  [
    'agentPolicy.changed',
    'pantry-agent',
    '{"maxPerTransaction":"1500.00","dailyBudget":null,"monthlyBudget":"900.00","allowedNetworks":["base"],"allowedCurrencies":null,"autonomousAllowed":false,"expiresAt":null}',
    'Per payment: 1,500.00 · Today: no limit · This month: 900.00 · Networks: base · Token: All · Autonomous: Refused · Ends: Never',
  ],
])('the value of %s about %s, %j, is said as %j', (action, subject, value, said) => {
  expect(valueText(action, subject, value)).toBe(said)
})

test('what the sentence has said is not said twice', () => {
  expect(valueText('contracts.deployed', 'base', 'deployed')).toBeNull()
})

test.each([
  ['person.invited', 'nobody', 'curator'],
  ['setting.changed', 'latePayments', 'sometimes'],
  ['webhookEndpoint.created', 'we_1', '{"url":"https://shop.exam'],
  ['agentPolicy.changed', 'pantry-agent', '{"maxPer'],
  ['a.newer.action', 'x', 'viewer'],
])('a code of a newer service and a text that was cut are shown as stored: %s', (action, subject, value) => {
  expect(valueText(action, subject, value)).toBe(value)
})

test('a setting is called what its page calls it, and anything else keeps its name', () => {
  expect(subjectText('setting.changed', 'latePayments')).toBe('Late payments')
  expect(subjectText('setting.changed', 'toString')).toBe('toString')
  expect(subjectText('person.invited', 'name')).toBe('name')
})
