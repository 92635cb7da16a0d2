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
  const command = `npm run bench -- ${part}`
  const date = new Date().toISOString().slice(0, 10)
  const results = { ...before, [part]: { command, date, machine: machine(), measures } }
  writeFileSync(resultsPath, `${JSON.stringify(results, null, 2)}\n`)
  for (const [name, svg] of chartsOf(results)) writeFileSync(`${chartsFolder}${name}`, svg)
  writeFileSync(pagePath, pageOf(results))
}

/** What else the machine had to do meanwhile says how far figures of time can be trusted. */
function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const busy = (loadavg()[1] ?? 0).toFixed(1)
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown'}, ${memory} GB, Node ${process.version}, load ${busy}`
}
