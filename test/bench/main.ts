import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { benchDashboard } from './dashboard.ts'
import type { Measure } from './fixtures.ts'
import { benchGas } from './gas.ts'
import { benchGrowth } from './growth.ts'
import { benchGrowthSolana } from './growth-solana.ts'
import { benchHttp } from './http.ts'
import { keepResults } from './keep-results.ts'
import { benchOperation } from './operation.ts'
import { refusalAt, shareOfOthers } from './others.ts'
import { benchParts } from './parts.ts'
import { benchPostgres } from './postgres.ts'
import { benchRails } from './rails.ts'
import { benchSignature } from './signature.ts'
import { benchSolana } from './solana.ts'
import { benchWatcher } from './watcher.ts'
import { benchWebhook } from './webhook.ts'
import { benchWidget } from './widget.ts'

const parts = new Map<string, () => Promise<Measure[]>>([
  ['http', benchHttp],
  ['watcher', benchWatcher],
  ['postgres', benchPostgres],
  ['growth', () => benchGrowth('SQLite')],
  ['growth-postgres', () => benchGrowth('PostgreSQL')],
  ['growth-solana', () => benchGrowthSolana('SQLite')],
  ['growth-solana-postgres', () => benchGrowthSolana('PostgreSQL')],
  ['solana', benchSolana],
  ['webhook', benchWebhook],
  ['widget', benchWidget],
  ['gas', benchGas],
  ['rails', benchRails],
  ['signature', benchSignature],
  ['operation', benchOperation],
  ['parts', benchParts],
  ['dashboard', benchDashboard],
])

/** The results are kept, and `docs/benchmarks.md` is made of them, unless other programs keep the machine busy. */
const writeFlag = '--write'
const isWriting = process.argv.includes(writeFlag)
const wanted = process.argv.slice(2).filter((name) => name !== writeFlag)
const unknown = wanted.filter((name) => !parts.has(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; there are ${[...parts.keys()].join(', ')}.\n`)
  process.exit(1)
}

const line = ({ name, case: of, ratioTo, value, unit, target, isGood }: Measure): string => {
  const verdict = target === undefined ? '' : `   ${isGood ? 'good' : 'MISSED'} (${target})`
  return `${String(value).padStart(10)} ${unit.padEnd(12)} ${of === undefined ? '' : `${of}: `}${name}${ratioTo === undefined ? '' : ` / ${ratioTo}`}${verdict}`
}

/** Ends the run where figures would be written on a busy machine: before a part, and after it, when it was measured. */
async function verifyQuiet(): Promise<void> {
  if (!isWriting) return
  const refusal = refusalAt(await shareOfOthers())
  if (refusal === null) return
  process.stderr.write(`${refusal}\n`)
  process.exit(1)
}

const results: Measure[] = []
for (const [name, measure] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  await verifyQuiet()
  const measured = await measure()
  for (const result of measured) {
    results.push(result)
    process.stdout.write(`${line(result)}\n`)
  }
  await verifyQuiet()
  if (isWriting) keepResults(name, measured)
}
const folder = fileURLToPath(new URL('../.results/', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}bench.json`, JSON.stringify(results, null, 2))
