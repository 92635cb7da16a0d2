import { InvalidArgumentError } from '@commander-js/extra-typings'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Config } from '../config/config.ts'
import type { Input } from './terminal.ts'

/** The exit codes that a shell, a unit file or a script can branch on. */
export const exitCodes = {
  /** Done; a check found nothing wrong. */
  done: 0,
  /** It could not be done, and the reason is on the error output; or a check found something wrong. */
  failed: 1,
  /** No such command or option, or a malformed value. Nothing was changed. */
  usage: 2,
  /** The configuration is wrong; all its faults are on the error output. Running the command again does not help. */
  configuration: 3,
  /** A check could not find out, such as because no node answers: nothing is known to be wrong, and nothing to be right. */
  unknown: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What a command uses of its process. */
export type Io = {
  env(): Readonly<Record<string, string | undefined>>
  input: Input
  runtime: Runtime
  write(text: string): void
  writeError(text: string): void
}

/** What a command prints: `json` with `--json`, else `text`, which ends without a newline. */
export type Answer = { text: string; json: unknown; exitCode?: ExitCode }

export type AnswerOptions = { json?: true | undefined }

/** What every command is given. */
export type Cli = Io & {
  /**
   * @param needs - The secrets that the command uses: none of them is asked for without. `key`: what opens the secrets of the database.
   * @throws {ConfigError} with all its faults.
   */
  config(needs: 'all' | 'key' | 'none'): Config
  /** Does the work of a command and prints its answer. The caller prints what the work throws, without a stack. */
  answer(options: AnswerOptions, work: () => Promise<Answer>): Promise<void>
}

/** The option of every command that answers. */
export const jsonOption = ['--json', 'print one JSON object'] as const

/** Turns a domain parser's refusal into a usage error, which commander prints with the option's name. */
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
