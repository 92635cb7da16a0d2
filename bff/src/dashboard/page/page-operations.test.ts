import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, expect, test } from 'vitest'
import { nameOf } from '../../access/context/operation.ts'

const bff = await openApp()
afterAll(() => bff.close())

test('each operation that the page hides from a role exists, and some role may call it', () => {
  const folder = fileURLToPath(new URL('../../../dashboard/', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const named = sources.flatMap((file) =>
    [...readFileSync(folder + file, 'utf8').matchAll(/(?:\bmay\(|\breads: )'([^']+)'/g)].map(([, name]) => name),
  )
  const callable = bff.operations.filter(({ role = 'none' }) => role !== 'none').map(nameOf)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !callable.includes(name ?? ''))).toEqual([])
})
