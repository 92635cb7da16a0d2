import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { chartsOf } from './charts.ts'
import type { Measure } from './fixtures.ts'
import { pageOf } from './page.ts'
import { chartsFolder, loadResults, pagePath, type Results, resultsPath } from './results.ts'

/** Keeps what a part has measured, and makes the page and its charts of all that is kept. */
export function keepResults(part: string, measures: Measure[]): void {
  mkdirSync(chartsFolder, { recursive: true })
  const before: Results = existsSync(resultsPath) ? loadResults() : {}
  const date = new Date().toISOString().slice(0, 10)
  const results = { ...before, [part]: { date, machine: machine(), load: (loadavg()[1] ?? 0).toFixed(1), measures } }
  writeFileSync(resultsPath, `${JSON.stringify(results, null, 2)}\n`)
  for (const [name, svg] of chartsOf(results)) writeFileSync(`${chartsFolder}${name}`, svg)
  writeFileSync(pagePath, pageOf(results))
}

function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown'}, ${memory} GB, Node ${process.version}`
}
