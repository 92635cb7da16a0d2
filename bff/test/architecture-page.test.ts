import { expect, test } from 'vitest'
import { modules } from '../imports.mjs'
import { readPage, sectionOf, storedSection } from '../parts.mjs'

const row = /^\| `([^`]+)` \| (.*?) \| ([\d,]+) \| (\d*)\s?\| (\d*)\s?\|$/gm
const page = readPage()
const stored = storedSection(page)
const made = sectionOf(page)

const rowsOf = (section: string) =>
  [...section.matchAll(row)].map(([, name = '', description = '', ...counts]) => ({
    name,
    description,
    counts: counts.map((count) => Number(count.replaceAll(',', ''))),
  }))

const diagramOf = (section: string) => /```mermaid\n[\s\S]*?```/.exec(section)?.[0]

test('docs/architecture.md describes every module, in the order of bff/modules.json', () => {
  expect(rowsOf(stored).map(({ name }) => name)).toEqual(modules.order)
  expect(rowsOf(made).filter(({ description }) => description === 'TODO')).toEqual([])
})

test('its diagram is that of the imports: `node bff/parts.mjs --write` updates it', () => {
  expect(diagramOf(stored)).toBeDefined()
  expect(diagramOf(stored)).toBe(diagramOf(made))
})

/** A change may add this much before the page is written again: not every commit should touch it. */
const isNear = (one: number, other: number) => Math.abs(one - other) <= Math.max(200, other / 10)

test('its lines, routes and tables are those of the sources: `node bff/parts.mjs --write` updates them', () => {
  const current = new Map(rowsOf(made).map(({ name, counts }) => [name, counts]))
  const stale = rowsOf(stored).filter(({ name, counts: [lines = 0, routes, tables] }) => {
    const [linesNow = 0, routesNow, tablesNow] = current.get(name) ?? []
    return !isNear(lines, linesNow) || routes !== routesNow || tables !== tablesNow
  })
  expect(stale).toEqual([])
})

test('a module that the page does not know yet is written without a description, for a person to add', () => {
  const sources = {
    'bff/src/core/x.ts': 'export const x = 1\n',
    'bff/src/db/y.ts': "import { x } from '../core/x.ts'\n",
  }
  const section = sectionOf('', sources)
  expect(section).toContain('| `core` | TODO | 100 |')
  expect(diagramOf(section)).toBe('```mermaid\nflowchart TD\n  db --> core\n```')
})
