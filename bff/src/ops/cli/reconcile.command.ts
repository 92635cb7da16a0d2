import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { familyOf } from '../../chain/index.ts'
import { findNetwork, type Network } from '../../core/families.ts'
import { faultText } from '../../core/fault-text.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import { iso } from '../../core/runtime.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { Config } from '../config/config.ts'
import { paymentNetworks } from '../reconcile/books-store.ts'
import { type Reconciled, reconcileNetwork } from '../reconcile/reconcile.ts'
import type { Period, StatementLine } from '../reconcile/statement.ts'
import { type Cli, type ExitCode, exitCodes, jsonOption, wholeNumber } from './cli.ts'
import { progressOf } from './progress.ts'
import { table } from './text.ts'
import { refuseWithoutService, withDb } from './with-db.ts'

const description = `compare the books with the chains, exactly

Reads every transfer, settlement and refund of our addresses from the nodes, up to a final block that the
service has applied. Reports each transaction missing from the books or the chain. Changes nothing, and may run
beside the service: later movements are in later blocks.

Exits with 1 when something differs, and with 4 when a node could not be read and no difference is known.`

const blockMax = Number.MAX_SAFE_INTEGER

/** Networks that could not be compared, and why. */
type Unread = { network: string; reason: string }

export function reconcileCommand(cli: Cli) {
  return new Command('reconcile')
    .summary('compare the books with the chains')
    .description(description)
    .option('--network <name>', 'only this configured network')
    .option('--month <month>', 'period of the statement: this month, in UTC: 2026-11', month)
    .option(
      '--block <number>',
      'end of the statement: this block (on Solana: slot) of --network',
      wholeNumber(0, blockMax),
    )
    .option(...jsonOption)
    .action((options, command) => {
      if (options.block !== undefined && options.network === undefined) command.error('error: --block needs --network')
      if (options.block !== undefined && options.month) command.error('error: name either --month or --block')
      return cli.answer(options, async () => {
        refuseWithoutService(cli)
        const config = cli.config('none')
        const only = options.network === undefined ? undefined : findNetwork(config.networks, options.network)
        if (options.network !== undefined && only === undefined) {
          const known = [...config.networks.keys()].join(', ') || 'none'
          command.error(`error: there is no network "${options.network}" in the configuration (there: ${known})`)
        }
        const period: Period =
          options.month ?? (options.block === undefined ? { kind: 'all' } : { kind: 'block', block: options.block })
        const { results, unread } = await reconcileAll(cli, config, only, period)
        const count = results.reduce((sum, { differenceCount }) => sum + differenceCount, 0)
        return {
          json: { isClean: count === 0 && unread.length === 0, networks: results.map(bodyOf), unread },
          text: textOf(results, unread, count),
          exitCode: exitCodeOf(count, unread),
        }
      })
    })
}

async function reconcileAll(
  cli: Cli,
  config: Config,
  only: Network | undefined,
  period: Period,
): Promise<{ results: Reconciled[]; unread: Unread[] }> {
  const { runtime } = cli
  const { signal } = new AbortController()
  const progress = progressOf(cli)
  const results: Reconciled[] = []
  const unread: Unread[] = []
  await withDb(config, async (db) => {
    for (const network of only ? [only] : config.networks.values()) {
      const onProgress = (step: string, done: number, total: number) =>
        progress.show(`${network.shortName}: ${step}`, done, total)
      try {
        const deps = { db, networks: config.networks, runtime, period, onProgress }
        results.push(await reconcileNetwork(deps, network, signal))
      } catch (error) {
        unread.push({ network: network.shortName, reason: faultText(error) })
      }
      progress.end()
    }
    const former = (await db.read(paymentNetworks)).filter((name) => !config.networks.has(name))
    for (const network of only ? [] : former) {
      unread.push({ network, reason: 'it has payments, but is not configured' })
    }
  })
  return { results, unread }
}

function exitCodeOf(differences: number, unread: readonly Unread[]): ExitCode {
  if (differences > 0) return exitCodes.failed
  return unread.length > 0 ? exitCodes.unknown : exitCodes.done
}

/** The start and the end of a month in UTC. */
function month(text: string): Period {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)
  if (!match) throw new InvalidArgumentError('It must be a month such as 2026-11.')
  const [year, index] = [Number(match[1]), Number(match[2])]
  return { kind: 'time', fromMs: Date.UTC(year, index - 1), untilMs: Date.UTC(year, index) }
}

function tokenOf(network: Network, token: string): { symbol: string; decimals: number } {
  const family = familyOf(network)
  if (token === coinAddress) return family.coinOf(network)
  const known = network.tokens.find(({ address }) => family.isSameAddress(address, token))
  // A token that is no longer configured is shown in base units.
  return known ?? { symbol: token, decimals: 0 }
}

const flows = ['opening', 'came', 'merchant', 'fee', 'refunded', 'returned', 'unexplained', 'closing'] as const
const holdings = ['onItsWay', 'unmatched', 'stillThere'] as const

/** Amounts are base units as decimal text. */
function bodyOf({ network, at, lines, ...rest }: Reconciled) {
  return {
    network: network.shortName,
    block: at.number,
    blockTime: iso(at.timeMs),
    ...rest,
    statement: lines.map((line) => ({
      ...tokenOf(network, line.token),
      token: line.token,
      ...Object.fromEntries(flows.map((name) => [name, String(line[name])])),
      holding: line.holding && Object.fromEntries(holdings.map((name) => [name, String(line.holding?.[name])])),
    })),
  }
}

function textOf(results: readonly Reconciled[], unread: readonly Unread[], count: number): string {
  const sections = results.map((result) => {
    const { network, at, payments, lines, differences, notes, noteCount, differenceCount } = result
    const heading = `${network.name}, ${payments} payments, up to block ${at.number} of ${iso(at.timeMs)}`
    return [
      heading,
      ...(lines.length === 0
        ? ['Nothing moved.']
        : [
            table(
              ['', ...flows, ...holdings],
              lines.map((line) => cells(network, line)),
            ),
          ]),
      ...differences.map(
        (one) => `DIFFERS ${one.code}: payment ${one.paymentId}, ${one.txId ?? 'no transaction'}: ${one.message}`,
      ),
      ...more(differenceCount - differences.length, 'differences'),
      ...notes.map(
        (one) => `note ${one.code}: payment ${one.paymentId}, ${one.txId ?? 'no transaction'}: ${one.message}`,
      ),
      ...more(noteCount - notes.length, 'notes'),
    ].join('\n')
  })
  const unknown = unread.map(({ network, reason }) => `UNKNOWN ${network}: ${reason}`)
  const verdict =
    count > 0
      ? `${count} differences`
      : unread.length > 0
        ? 'not everything could be read'
        : 'The books equal the chains.'
  return [...sections, ...unknown, verdict].join('\n\n')
}

const more = (count: number, what: string): string[] => (count > 0 ? [`and ${count} more ${what}`] : [])

/** In whole tokens, exactly. */
function cells(network: Network, line: StatementLine): string[] {
  const { symbol, decimals } = tokenOf(network, line.token)
  const amount = (value: bigint | undefined) =>
    value === undefined
      ? ''
      : `${value < 0n ? '-' : ''}${formatAmount((value < 0n ? -value : value) as BaseUnits, decimals)}`
  return [symbol, ...flows.map((name) => amount(line[name])), ...holdings.map((name) => amount(line.holding?.[name]))]
}
