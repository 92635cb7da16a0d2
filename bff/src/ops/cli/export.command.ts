import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { exportCsv } from '../export/export-csv.ts'
import { type Cli, jsonOption } from './cli.ts'
import { progressOf } from './progress.ts'
import { answerFromDb } from './with-db.ts'

export function exportCommand(cli: Cli) {
  return new Command('export')
    .description('write payments to a CSV file for bookkeeping, with exact amounts')
    .requiredOption('--csv <file>', 'a new file (RFC 4180), readable by its owner only')
    .option('--merchant <id>', 'only payments of this merchant')
    .option('--from <date>', 'created at this time or later: 2026-01-31, or 2026-01-31T12:00 (UTC)', time)
    .option('--until <date>', 'created before this time', time)
    .option('--test', 'test payments instead of live ones')
    .option(...jsonOption)
    .action((options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const selection = {
          merchantId: options.merchant ?? null,
          isTest: options.test === true,
          fromMs: options.from ?? 0,
          untilMs: options.until ?? Number.MAX_SAFE_INTEGER,
        }
        const progress = progressOf(cli)
        const payments = await exportCsv(db, selection, options.csv, progress.show).finally(progress.end)
        return { json: { file: options.csv, payments }, text: `${options.csv}: ${payments} payments` }
      }),
    )
}

/** Parses ISO 8601 to Unix milliseconds. */
function time(text: string): number {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T')
  const ms = isIso ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a date such as 2026-01-31 or 2026-01-31T12:00Z.')
  return ms
}
