import { Command, Option } from '@commander-js/extra-typings'
import { createKey, kindOf, readKeys, revokeKey, rotateKey } from '../../merchant/keys.ts'
import { keyKinds } from '../../payment/payment.ts'
import { type Cli, jsonOption, wholeNumber } from './cli.ts'
import { fieldLines, isoOf, table } from './text.ts'
import { withDb } from './with-db.ts'

const hourMs = 60 * 60 * 1000

/** Long enough to change a key on every server of a shop, and in every cached page. */
const overlapHoursDefault = 24
const overlapHoursMax = 30 * 24

const shownOnce = 'The secret is shown once.'

/** Keys of a merchant. A running service sees a change within a second. */
export function keysCommand(cli: Cli) {
  const keys = new Command('keys').description('what a merchant calls the service with')
  const deps = { runtime: cli.runtime }

  keys
    .command('create')
    .description('make a key; the secret of an API key is shown once')
    .argument('<merchant>', 'its id')
    .addOption(
      new Option('--kind <kind>', 'for pages (public), for pages that make test payments (test), or for a server (api)')
        .choices(keyKinds)
        .makeOptionMandatory(),
    )
    .option(...jsonOption)
    .action((merchant, options) =>
      cli.answer(options, () =>
        withDb(cli.config(), async (db) => {
          const { kind, key, secret } = await createKey({ ...deps, db }, merchant, options.kind)
          const shown = { kind, key, ...(secret !== null && { secret }) }
          return { json: shown, text: `${fieldLines(shown)}${secret === null ? '' : `\n${shownOnce}`}` }
        }),
      ),
    )

  keys
    .command('list')
    .description('the keys of a merchant, oldest first, and until when they are good')
    .argument('<merchant>', 'its id')
    .option(...jsonOption)
    .action((merchant, options) =>
      cli.answer(options, () =>
        withDb(cli.config(), async (db) => {
          const nowMs = cli.runtime.nowMs()
          const shown = (await readKeys(db, merchant)).map((row) => ({
            key: row.id,
            kind: kindOf(row),
            createdAt: isoOf(row.createdAtMs),
            endsAt: isoOf(row.endsAtMs),
            isGood: row.endsAtMs === null || row.endsAtMs > nowMs,
          }))
          const rows = shown.map((row) => [row.key, row.kind, row.createdAt ?? '', stateOf(row)])
          return { json: { keys: shown }, text: table(['key', 'kind', 'created', 'state'], rows) }
        }),
      ),
    )

  keys
    .command('rotate')
    .description('make a new key of the same kind; the old one is good for a while yet')
    .argument('<key>', 'the old key, never its secret')
    .option(
      '--overlap-hours <hours>',
      `how long the old one is good, 0 to ${overlapHoursMax}`,
      wholeNumber(0, overlapHoursMax),
      overlapHoursDefault,
    )
    .option(...jsonOption)
    .action((key, options) =>
      cli.answer(options, () =>
        withDb(cli.config(), async (db) => {
          const rotated = await rotateKey({ ...deps, db }, key, options.overlapHours * hourMs)
          const { kind, secret, old, oldEndsAtMs } = rotated
          const shown = {
            kind,
            key: rotated.key,
            ...(secret !== null && { secret }),
            old,
            oldEndsAt: isoOf(oldEndsAtMs),
          }
          return { json: shown, text: `${fieldLines(shown)}${secret === null ? '' : `\n${shownOnce}`}` }
        }),
      ),
    )

  keys
    .command('revoke')
    .description('end a key now; what it was used for fails within a second')
    .argument('<key>', 'the key, never its secret')
    .option(...jsonOption)
    .action((key, options) =>
      cli.answer(options, () =>
        withDb(cli.config(), async (db) => {
          const { endedAtMs } = await revokeKey({ ...deps, db }, key)
          const shown = { key, endedAt: isoOf(endedAtMs) }
          return { json: shown, text: fieldLines(shown) }
        }),
      ),
    )

  return keys
}

function stateOf({ endsAt, isGood }: { endsAt: string | null; isGood: boolean }): string {
  if (endsAt === null) return 'good'
  return isGood ? `good until ${endsAt}` : `ended ${endsAt}`
}
