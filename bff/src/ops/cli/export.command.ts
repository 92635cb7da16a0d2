import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { exportCsv } from '../export/export-csv.ts'
import { type Cli, jsonOption } from './cli.ts'
import { withDb } from './with-db.ts'

/** Payments for a bookkeeper. */
export function exportCommand(cli: Cli) {
  return new Command('export')
    .description('write payments into a file for bookkeeping; the money columns are exact')
    .requiredOption('--csv <file>', 'where to (RFC 4180); it must not be there yet, and only its owner can read it')
    .option('--merchant <id>', 'only those of one merchant')
    .option(
      '--from <date>',
      'created at this time or later: 2026-01-31, or with a time (UTC unless it says otherwise)',
      time,
    )
    .option('--until <date>', 'created before this time', time)
    .option('--test', 'test payments instead of live ones')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () =>
        withDb(cli.config(), async (db) => {
          const selection = {
            merchantId: options.merchant ?? null,
            isTest: options.test === true,
            fromMs: options.from ?? 0,
            untilMs: options.until ?? Number.MAX_SAFE_INTEGER,
          }
          const payments = await exportCsv(db, selection, options.csv)
          return { json: { file: options.csv, payments }, text: `${options.csv}: ${payments} payments` }
        }),
      ),
    )
}

/** ISO 8601 as unix milliseconds. */
function time(text: string): number {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T')
  const ms = isIso ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a date such as 2026-01-31 or 2026-01-31T12:00Z.')
  return ms
}
