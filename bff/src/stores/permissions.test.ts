import { expect, test } from 'vitest'
import { permits, readPermissions } from './permissions.ts'

const view = 'btcpay.store.canviewinvoices'

test('a permission is granted for the store itself, named or not, and refused with anything behind the store', () => {
  expect(readPermissions([view, `${view}:own`], 'own')).toEqual({ granted: [view], refused: [] })
  const others = [`${view}:other`, `${view}:`, `${view}:own:`, `${view}:own:x`, 'btcpay.server.canmodifyserversettings']
  expect(readPermissions(others, 'own')).toEqual({ granted: [], refused: others })
})

test('of more than twenty permissions the rest is only counted, and a long one is shown to its hundredth character', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `no ${index}`)
  expect(readPermissions(twenty, 'own').refused).toEqual(twenty)
  expect(readPermissions([...twenty, view], 'own')).toEqual({ granted: [], refused: [...twenty, '1 more'] })
  expect(readPermissions(['x'.repeat(101)], 'own').refused).toEqual(['x'.repeat(100)])
})

test('who may change the settings of a store may read them and change its webhooks, and nothing the other way', () => {
  const settings = 'btcpay.store.canmodifystoresettings'
  expect(permits([settings], 'btcpay.store.canviewstoresettings')).toBe(true)
  expect(permits([settings], 'btcpay.store.webhooks.canmodifywebhooks')).toBe(true)
  expect(permits([settings], view)).toBe(false)
  expect(permits(['btcpay.store.canviewstoresettings'], settings)).toBe(false)
})
