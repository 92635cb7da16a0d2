import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { common } from './en/common.ts'
import { links } from './en/links.ts'
import { operations } from './en/operations.ts'
import { payments } from './en/payments.ts'
import { people } from './en/people.ts'

const dashboard = fileURLToPath(new URL('..', import.meta.url))

test('every translated text is used on a page', () => {
  const source = readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('locales'))
    .map((path) => readFileSync(`${dashboard}${path}`, 'utf8'))
    .join()
  /** As in `status.${payment.status}`. */
  const beginnings = [...source.matchAll(/`([a-zA-Z.]+\.)\$\{/g)].map(([, beginning = '']) => beginning)
  const unused = Object.keys({ ...common, ...links, ...operations, ...payments, ...people }).filter(
    (key) => !source.includes(`'${key}'`) && !beginnings.some((beginning) => key.startsWith(beginning)),
  )
  expect(unused).toEqual([])
})

test('no page has a list of tokens of its own: the service names those that it has', () => {
  const files = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('locales'),
  )
  const listed = files.filter((path) => /USDC\W{1,6}USDT/.test(readFileSync(`${dashboard}${path}`, 'utf8')))
  expect(listed).toEqual([])
})
