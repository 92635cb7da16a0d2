import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Measure } from './fixtures.ts'
import { benchGas } from './gas.ts'
import { benchHttp } from './http.ts'
import { benchOperation } from './operation.ts'
import { benchSolana } from './solana.ts'
import { benchWatcher } from './watcher.ts'
import { benchWebhook } from './webhook.ts'
import { benchWidget } from './widget.ts'

const parts = new Map<string, () => Promise<Measure[]>>([
  ['http', benchHttp],
  ['watcher', benchWatcher],
  ['solana', benchSolana],
  ['webhook', benchWebhook],
  ['widget', benchWidget],
  ['gas', benchGas],
  ['operation', benchOperation],
])

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !parts.has(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; there are ${[...parts.keys()].join(', ')}.\n`)
  process.exit(1)
}

const line = ({ name, value, unit, target, isGood }: Measure): string => {
  const verdict = target === undefined ? '' : `   ${isGood ? 'good' : 'MISSED'} (${target})`
  return `${String(value).padStart(10)} ${unit.padEnd(12)} ${name}${verdict}`
}

const results: Measure[] = []
for (const [name, measure] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  for (const result of await measure()) {
    results.push(result)
    process.stdout.write(`${line(result)}\n`)
  }
}
const folder = fileURLToPath(new URL('../.results/', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}bench.json`, JSON.stringify(results, null, 2))
