import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { auditActions, historyCodes } from '../../src/core/record-codes.ts'
import { placesOf } from './all-texts.ts'
import { account } from './en/account.ts'
import { common } from './en/common.ts'
import { links } from './en/links.ts'
import { notices } from './en/notices.ts'
import { operations } from './en/operations.ts'
import { payments } from './en/payments.ts'
import { people } from './en/people.ts'
import { records } from './en/records.ts'
import { sales } from './en/sales.ts'
import { languageNames } from './locale.ts'

const dashboard = fileURLToPath(new URL('..', import.meta.url))

test('every translated text is used on a page', () => {
  const source = readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('locales'))
    .map((path) => readFileSync(`${dashboard}${path}`, 'utf8'))
    .join()
  /** As in `status.${payment.status}`. */
  const beginnings = [...source.matchAll(/`([a-zA-Z.]+\.)\$\{/g)].map(([, beginning = '']) => beginning)
  const unused = Object.keys({
    ...common,
    ...links,
    ...operations,
    ...payments,
    ...people,
    ...records,
    ...sales,
    ...notices,
    ...account,
  }).filter((key) => !source.includes(`'${key}'`) && !beginnings.some((beginning) => key.startsWith(beginning)))
  expect(unused).toEqual([])
})

test('each code of the history and of the audit log has a sentence of its own in each language, with the same values', async () => {
  const codes = [
    ...historyCodes.map((code) => `says.${code}`),
    ...auditActions.map((action) => `audit.action.${action}`),
  ]
  const folders = readdirSync(`${dashboard}locales`, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const languages = folders.map(({ name }) => name)
  expect(languages.sort()).toEqual(Object.keys(languageNames).sort())
  for (const language of languages) {
    const found = ((await import(`./${language}/records.ts`)) as { records: Record<string, string> }).records
    expect(Object.keys(found).sort(), language).toEqual(codes.toSorted())
    for (const code of codes) {
      const [text, english] = [found[code], (records as Record<string, string>)[code]]
      expect(placesOf(text), `${language} ${code}`).toEqual(placesOf(english))
      if (language !== 'en') expect(text, `${language} ${code}`).not.toBe(english)
    }
  }
})

test('no page has a list of tokens of its own: the service names those that it has', () => {
  const files = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('locales'),
  )
  const listed = files.filter((path) => /USDC\W{1,6}USDT/.test(readFileSync(`${dashboard}${path}`, 'utf8')))
  expect(listed).toEqual([])
})

test('a path within Arabic keeps its first slash on the left', async () => {
  const { setup: arabic } = await import('./ar/setup.ts')
  expect(arabic['keys.backup']).toContain('\u2068{0}\u2069')
})
