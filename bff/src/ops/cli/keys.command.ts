import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { agentId } from '../../access/operation/common-schemas.ts'
import { iso } from '../../core/runtime.ts'
import { keyScopes } from '../../merchant/key-scope.ts'
import { kindOf } from '../../merchant/key-store.ts'
import { createKey, type NewKey, readKeys, revokeKey, rotateKey } from '../../merchant/keys.ts'
import { keyKinds } from '../../payment/payment.ts'
import { type Cli, jsonOption, wholeNumber } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { answerFromDb } from './with-db.ts'

const hourMs = 60 * 60 * 1000

/** Long enough to replace a key on every server of a shop, and in every cached page. */
const overlapHoursDefault = 24
const overlapHoursMax = 30 * 24

function agentOption(text: string): string {
  const parsed = agentId.safeParse(text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError('An agent id has letters, digits, _ and -, at most 100.')
}

/** A merchant's keys. A running service applies changes within a second. */
export function keysCommand(cli: Cli) {
  const keys = new Command('keys').description('keys by which a merchant calls the service')
  const { runtime } = cli

  keys
    .command('create')
    .description('create a key; the secret of an API key is shown once')
    .argument('<merchant-id>')
    .addOption(
      new Option('--kind <kind>', 'for a page (public), a page with test payments (test), or a server (api)')
        .choices(keyKinds)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--scope <scope>', "what a server key may call: everything, or only what an agent's tools do")
        .choices(keyScopes)
        .default('merchant' as const),
    )
    .option(
      '--agent <id>',
      "the agent that a key with the scope agent belongs to: its payments count as that agent's",
      agentOption,
    )
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const terms = { kind: options.kind, scope: options.scope, agentId: options.agent }
        return newKey(await db.write((tx) => createKey(tx, runtime, merchant, terms)))
      }),
    )

  keys
    .command('list')
    .description("list a merchant's keys, oldest first, with their expiry")
    .argument('<merchant-id>')
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const nowMs = runtime.nowMs()
        const shown = (await readKeys(db, merchant)).map((row) => ({
          key: row.id,
          kind: kindOf(row),
          scope: row.scope,
          agentId: row.agentId,
          createdAt: iso(row.createdAtMs),
          endsAt: iso(row.endsAtMs),
          isGood: row.endsAtMs === null || row.endsAtMs > nowMs,
        }))
        const rows = shown.map((row) => [
          row.key,
          row.scope === 'agent' ? `api, agent ${row.agentId ?? 'unnamed'}` : row.kind,
          row.createdAt ?? '',
          stateOf(row),
        ])
        return { json: { keys: shown }, text: table(['key', 'kind', 'created', 'state'], rows) }
      }),
    )

  keys
    .command('rotate')
    .description('create a key of the same kind, scope and agent; the old key stays valid for a while')
    .argument('<key>')
    .option(
      '--overlap-hours <hours>',
      `how long the old key stays valid, 0 to ${overlapHoursMax}`,
      wholeNumber(0, overlapHoursMax),
      overlapHoursDefault,
    )
    .option(...jsonOption)
    .action((oldKey, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const overlapMs = options.overlapHours * hourMs
        const rotated = await db.write((tx) => rotateKey(tx, runtime, oldKey, overlapMs))
        return newKey(rotated, { old: rotated.old, oldEndsAt: iso(rotated.oldEndsAtMs) })
      }),
    )

  keys
    .command('revoke')
    .description('revoke a key; calls with it fail within a second')
    .argument('<key>')
    .option(...jsonOption)
    .action((key, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const { endedAtMs } = await db.write((tx) => revokeKey(tx, runtime, key))
        const shown = { key, endedAt: iso(endedAtMs) }
        return { json: shown, text: fieldLines(shown) }
      }),
    )

  return keys
}

function newKey({ kind, scope, agentId, key, secret }: NewKey, replaced: Record<string, unknown> = {}) {
  const shown = {
    kind,
    ...(kind === 'api' && { scope }),
    ...(agentId !== null && { agentId }),
    key,
    ...(secret !== null && { secret }),
    ...replaced,
  }
  const note = secret === null ? '' : '\nThe secret is shown once.'
  return { json: shown, text: `${fieldLines(shown)}${note}` }
}

function stateOf({ endsAt, isGood }: { endsAt: string | null; isGood: boolean }): string {
  if (endsAt === null) return 'good'
  return isGood ? `valid until ${endsAt}` : `ended ${endsAt}`
}
