import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setupFolder } from './source.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-source-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a service is set up in its folder, or in that of a checkout.json which is not there yet', () => {
  expect(setupFolder({}, folder)).toBe(folder)
  expect(setupFolder({ BFF_CONFIG: '' }, folder)).toBe(folder)
  expect(setupFolder({ BFF_CONFIG: join(folder, 'checkout.json') }, '/')).toBe(folder)
})

test('one that is configured is not set up, nor one whose file has another name or whose database is named', () => {
  const path = join(folder, 'checkout.json')
  expect(setupFolder({ BFF_CONFIG: join(folder, 'shop.json') }, folder)).toBeNull()
  expect(setupFolder({ DATABASE_PATH: join(folder, 'x.sqlite') }, folder)).toBeNull()
  expect(setupFolder({ DATABASE_URL: 'postgres://x', BFF_CONFIG: path }, folder)).toBeNull()
  writeFileSync(path, '{}')
  expect(setupFolder({ BFF_CONFIG: path }, folder)).toBeNull()
})
