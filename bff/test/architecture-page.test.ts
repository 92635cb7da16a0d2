import { expect, test } from 'vitest'
import { modules } from '../imports.mjs'
import { partsSectionOf, readPage, sectionOf, storedParts, storedSection } from '../parts.mjs'

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

/** Tolerated change before the page must be regenerated: not every commit should touch it. */
const isNear = (one: number, other: number) => Math.abs(one - other) <= Math.max(200, other / 10)

test('its lines, routes and tables are those of the sources: `node bff/parts.mjs --write` updates them', () => {
  const current = new Map(rowsOf(made).map(({ name, counts }) => [name, counts]))
  const stale = rowsOf(stored).filter(({ name, counts: [lines = 0, routes, tables] }) => {
    const [linesNow = 0, routesNow, tablesNow] = current.get(name) ?? []
    return !isNear(lines, linesNow) || routes !== routesNow || tables !== tablesNow
  })
  expect(stale).toEqual([])
})

test('its table of parts has the files of bff/modules.json: `node bff/parts.mjs --write` updates it', () => {
  const cellsOf = (section: string) =>
    [...section.matchAll(/^\| `.*\|$/gm)].map(([line]) => line.split('|').map((cell) => cell.trim()))
  const stored = cellsOf(storedParts(page))
  const made = cellsOf(partsSectionOf(page))
  const linesOf = (cells: string[]) => Number(cells[3]?.replaceAll(',', ''))
  const withoutLines = (rows: string[][]) => rows.map((cells) => cells.toSpliced(3, 1))
  expect(withoutLines(stored)).toEqual(withoutLines(made))
  expect(stored.map((cells) => cells[1])).toEqual(
    ['kernel', ...Object.keys(modules.parts)].map((name) => `\`${name}\``),
  )
  expect(stored.filter((cells, index) => !isNear(linesOf(cells), linesOf(made[index] ?? [])))).toEqual([])
  expect(made.flat()).not.toContain('TODO')
})

test('a module new to the page is added without a description, for a person to write', () => {
  const sources = {
    'bff/src/core/x.ts': 'export const x = 1\n',
    'bff/src/db/y.ts': "import { x } from '../core/x.ts'\n",
  }
  const section = sectionOf('', sources)
  expect(section).toContain('| `core` | TODO | 100 |')
  expect(diagramOf(section)).toBe('```mermaid\nflowchart TD\n  db --> core\n```')
})
