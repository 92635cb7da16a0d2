import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chartsOf } from './bench/charts.ts'
import { pageOf } from './bench/page.ts'
import { chartsFolder, loadResults, pagePath } from './bench/results.ts'

test('docs/benchmarks.md and its charts say what was measured, and nothing else', () => {
  const results = loadResults()
  const page = readFileSync(pagePath, 'utf8')
  expect(page).toBe(pageOf(results))
  const charts = chartsOf(results)
  const linked = [...page.matchAll(/\(benchmarks\/([^)]+\.svg)\)/g)].map(([, file]) => file)
  expect(new Set(linked)).toEqual(new Set(charts.keys()))
  for (const [file, svg] of charts) expect(readFileSync(`${chartsFolder}${file}`, 'utf8')).toBe(svg)
  for (const [part, { date, machine, load, measures }] of Object.entries(results)) {
    expect(page).toMatch(new RegExp(`^\`${part}\`, ${date}, .*load ${load}\\.$`, 'm'))
    expect(page).toContain(machine)
    for (const { name } of measures) expect(page).toContain(name)
  }
})
