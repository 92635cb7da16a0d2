import { InvalidArgumentError } from '@commander-js/extra-typings'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Config } from '../config/config.ts'
import type { Input } from './terminal.ts'

/** What a shell, a unit file or a script may tell apart. */
export const exitCodes = {
  /** Done; of checks: all is well. */
  done: 0,
  /** It could not be done, and the reason is on the error output; of checks: something is wrong. */
  failed: 1,
  /** The command line is wrong: no such command, option or form of a value. Nothing was touched. */
  usage: 2,
  /** The configuration is wrong, with all its faults on the error output. Trying again does not help. */
  configuration: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Everything a command may touch of the process it runs in. */
export type Io = {
  env(): Readonly<Record<string, string | undefined>>
  input: Input
  runtime: Runtime
  write(text: string): void
  writeError(text: string): void
}

/** What a command has to say: `json` with `--json`, else `text`, which ends without a newline. */
type Answer = { text: string; json: unknown; exitCode?: ExitCode }

/** What every command is given. */
export type Cli = Io & {
  /** @throws {ConfigError} with all its faults. */
  config(): Config
  /** Does the work of a command and prints its answer. What it throws is explained by the caller, without a stack. */
  answer(options: { json?: true | undefined }, work: () => Promise<Answer>): Promise<void>
}

/** The option of every command that answers. */
export const jsonOption = ['--json', 'print one JSON object'] as const

/** What a domain's parser refuses is a mistake of the command line, told with the option's name. */
export function optionValue<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text)
    } catch (error) {
      throw error instanceof PaymentError ? new InvalidArgumentError(error.message) : error
    }
  }
}

export const noWallets: ReadonlyMap<string, string> = new Map()

/** One more NETWORK=ADDRESS of an option or argument that may be repeated. */
export function addWallet(text: string, wallets = noWallets): ReadonlyMap<string, string> {
  const [network, address, ...rest] = text.split('=')
  if (!network || !address || rest.length > 0) throw new InvalidArgumentError('It must be NETWORK=ADDRESS.')
  if (wallets.has(network)) throw new InvalidArgumentError(`There are two wallets for ${network}.`)
  return new Map([...wallets, [network, address]])
}

/** An option that is a whole number in a range, both ends included. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`It must be a whole number, ${min} to ${max}.`)
    return number
  }
}
