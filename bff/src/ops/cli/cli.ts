import { InvalidArgumentError } from '@commander-js/extra-typings'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Config, Needs } from '../config/config.ts'
import type { Program } from './called-as.ts'
import type { Input } from './terminal.ts'

/** Exit codes for shells, unit files and scripts. */
export const exitCodes = {
  /** Done; a check found no problems. */
  done: 0,
  /** Failed, with the reason on standard error; or a check found problems. */
  failed: 1,
  /** Unknown command or option, or a malformed value. Nothing was changed. */
  usage: 2,
  /** The configuration is invalid; all faults are on standard error. Retrying does not help. */
  configuration: 3,
  /** A check was inconclusive, for example because no node responds. */
  unknown: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command's process environment. */
export type Io = {
  env(): Readonly<Record<string, string | undefined>>
  input: Input
  /** The working directory. */
  folder: string
  /** How the program was called. */
  program: Program
  runtime: Runtime
  write(text: string): void
  writeError(text: string): void
}

/** A command's output: `json` with `--json`, else `text`, without a trailing newline. */
export type Answer = { text: string; json: unknown; exitCode?: ExitCode }

export type AnswerOptions = { json?: true | undefined }

/** Dependencies of every command. */
export type Cli = Io & {
  /**
   * @param needs - The secrets that the command uses; only these are required.
   * @throws {ConfigError} with all faults.
   */
  config(needs: Needs): Config
  /** Runs a command and prints its output. The caller prints errors, without a stack. */
  answer(options: AnswerOptions, work: () => Promise<Answer>): Promise<void>
}

/** Option of every command with output. */
export const jsonOption = ['--json', 'print one JSON object'] as const

/** Turns a domain parser's error into a usage error, which commander prints with the option's name. */
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

/** Adds one NETWORK=ADDRESS of a repeatable option or argument. */
export function addWallet(text: string, wallets = noWallets): ReadonlyMap<string, string> {
  const [network, address, ...rest] = text.split('=')
  if (!network || !address || rest.length > 0) throw new InvalidArgumentError('It must be NETWORK=ADDRESS.')
  if (wallets.has(network)) throw new InvalidArgumentError(`There are two wallets for ${network}.`)
  return new Map([...wallets, [network, address]])
}

/** An integer option in a range, both ends inclusive. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`It must be a whole number, ${min} to ${max}.`)
    return number
  }
}
