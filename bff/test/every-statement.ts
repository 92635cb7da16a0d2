import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { readRecord, sourceStatements, wasRun } from './source-statements.ts'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** Files whose statements run only on SQLite, or in the process that `service.postgres.test.ts` starts. */
const notRecorded = /^(db\/(sqlite|restore|vault)|ops\/doctor\/examine-database)/

let folder: string | undefined
let isWhole = false

/** Makes the project's tests record the statements that they run. */
export function setup({ vitest }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'checkout-statements-'))
  process.env['TEST_STATEMENTS'] = join(folder, 'run.jsonl')
  const { filenamePattern } = vitest as { filenamePattern?: readonly string[] }
  const { testNamePattern, changed, related, shard } = vitest.config
  isWhole = !filenamePattern?.length && [testNamePattern, changed, related, shard].every((one) => !one)
}

/** Fails a run of the whole project if a statement of the source was not run: no test would notice that PostgreSQL refuses it. */
export function teardown(): void {
  if (folder === undefined) return
  const record = join(folder, 'run.jsonl')
  const run = existsSync(record) ? readRecord(record) : []
  rmSync(folder, { recursive: true })
  if (!isWhole) return
  const statements = sourceStatements(source).filter(({ place }) => !notRecorded.test(place))
  const missing = statements.filter((statement) => !wasRun(statement, run))
  process.stdout.write(`PostgreSQL ran ${statements.length - missing.length} of the ${statements.length} statements.\n`)
  if (missing.length === 0) return
  const lines = missing.map(({ place, texts }) => `  bff/src/${place}: ${texts[0]?.trim().split('\n', 1)[0]}\n`)
  process.stderr.write(
    `No test on PostgreSQL runs these statements. Add a test that does to bff/test/on-postgres.ts:\n${lines.join('')}`,
  )
  process.exitCode = 1
}
