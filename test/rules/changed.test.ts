import { expect, test } from 'vitest'
import { testsOfChange } from '../changed.mjs'

const chosen = (...paths: string[]) => {
  const { bff, demo, suites, stories } = testsOfChange(paths)
  return [...bff, ...demo, ...suites, ...stories]
}

test('a change runs the tests beside it, those that import it, and the stories that cross its folder', () => {
  expect(chosen('bff/src/webhook/send/sign.ts')).toEqual(
    expect.arrayContaining([
      'bff/src/webhook/send/sign.test.ts',
      'bff/clients/node/src/webhook.test.ts',
      'test/webhook-retry.test.ts',
    ]),
  )
})

test('not those that reach it through the whole service, of which a run would take minutes', () => {
  const all = chosen('bff/src/webhook/send/sign.ts')
  expect(all.length).toBeLessThan(30)
  expect(all).not.toContain('bff/src/checkout/existing-payment.test.ts')
})

test('what every test imports runs the nearest of them, and counts the others', () => {
  const { bff, left } = testsOfChange(['bff/src/core/money.ts'])
  expect(bff).toContain('bff/src/core/money.test.ts')
  expect(bff.length).toBe(40)
  expect(left).toBeGreaterThan(100)
})

test('a test that has changed comes first', () => {
  expect(chosen('bff/src/payment/dust.test.ts')[0]).toBe('bff/src/payment/dust.test.ts')
})

test('a document runs the tests that read it', () => {
  expect(chosen('docs/threats.md')).toEqual(['bff/src/security.test.ts', 'test/docs.test.ts'])
  expect(chosen('docs/webhooks.md')).toContain('bff/src/webhook/event-types.test.ts')
})

test('a statement is tried on both databases', () => {
  expect(testsOfChange(['bff/src/payment/store/payment-store.ts']).isOnBothDatabases).toBe(true)
  expect(testsOfChange(['bff/src/payment/payment.ts']).isOnBothDatabases).toBe(false)
})

test('a migration runs the tests of the database', () => {
  expect(chosen('bff/src/db/migrations/0001_first.sql')).toContain('bff/src/db/migrate.test.ts')
})

test('the element and the contracts are suites of their own', () => {
  expect(chosen('widget/src/views/deposit-view.ts')).toContain('widget')
  expect(chosen('bff/contracts/src/PaymentSplitter.sol')).toContain('contracts')
})
