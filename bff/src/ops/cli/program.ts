import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import manifest from '../../../package.json' with { type: 'json' }
import { OperatorError, PaymentError } from '../../core/errors.ts'
import { faultText, loggedError } from '../../core/fault-text.ts'
import { printableLines } from '../../core/printable.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError, configurationPath } from '../config/source.ts'
import { type Cli, type ExitCode, exitCodes, type Io } from './cli.ts'
import { loadCommands } from './commands.ts'

const programName = 'stablecoin-checkout'

const description = `The service behind the checkout element. Without a command, runs the service.

Secrets are read from the environment or a file, never from an argument: process lists show arguments.`

const after = `
Exit codes:
  0  done
  1  failed, or a check found problems
  2  invalid command line
  3  invalid configuration
  4  a check was inconclusive, for example because no node responds`

/** Fixed width, because docs/commands.md is generated from the help. */
const helpWidth = 110

/** The command line, with the commands that its words name. */
export async function createProgram(cli: Cli, words: readonly string[]): Promise<CommandUnknownOpts> {
  const program = new Command(programName)
    .description(description)
    .version(manifest.version, '-V, --version', 'print the version')
    .option(
      '-c, --config <file>',
      'the configuration file (default: the environment variable BFF_CONFIG, else checkout.json in this folder)',
    )
    .option('--stack', 'print the stack of an unexpected error')
    .addHelpText('after', after)
  for (const command of await loadCommands(words)) program.addCommand(command(cli))
  // Commander does not apply these settings to added commands.
  const getOutHelpWidth = () => helpWidth
  const output = { writeOut: cli.write, writeErr: cli.writeError, getOutHelpWidth, getErrHelpWidth: getOutHelpWidth }
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .configureOutput(output)
      .showHelpAfterError(`See: ${pathOf(command)} --help`)
  }
  return program
}

/** The command and all its subcommands, parents first. */
export function withSubcommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** The words that call a command. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/**
 * Runs one command line. Never throws. A started service keeps running.
 * @returns the exit code.
 */
export async function runCli(args: readonly string[], io: Io): Promise<ExitCode> {
  const words = args.length === 0 ? ['serve'] : args
  const isJson = args.includes('--json')
  let exitCode: ExitCode = exitCodes.done
  const given = () => program.opts() as { config?: string; stack?: true }
  // Other code reads BFF_CONFIG, even when --config or the folder names the file.
  const env = () => ({ ...io.env(), BFF_CONFIG: configurationPath(given().config, io) })
  const cli: Cli = {
    ...io,
    // With --json, errors are one JSON object too.
    writeError: isJson ? () => undefined : io.writeError,
    env,
    config: (needs) => loadConfig(env(), needs),
    async answer(options, work) {
      const answer = await work()
      // Customers, receivers and nodes choose parts of the text, which must not control the terminal.
      io.write(`${options.json ? JSON.stringify(answer.json) : printableLines(answer.text)}\n`)
      exitCode = answer.exitCode ?? exitCodes.done
    },
  }
  const program = await createProgram(cli, words)
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === exitCodes.done) return code
    // Commander has already printed a usage error.
    const isPrinted = error instanceof CommanderError
    const message = isPrinted ? error.message.replace(/^error: /, '') : textOf(error, given().stack === true)
    if (isJson) io.writeError(`${JSON.stringify({ error: message, exitCode: code })}\n`)
    else if (!isPrinted) io.writeError(`${printableLines(message)}\n`)
    return code
  }
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ConfigError) return exitCodes.configuration
  if (!(error instanceof CommanderError)) return exitCodes.failed
  return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
}

/** One line for a person. With `--stack`, an unexpected error includes its stack. */
function textOf(error: unknown, withStack: boolean): string {
  const isExpected = error instanceof OperatorError || error instanceof PaymentError
  if (isExpected || !withStack || !(error instanceof Error)) return faultText(error)
  const { message, stack } = loggedError(error, ({ message, stack }) => ({ message, stack })) as Partial<Error>
  return stack ?? String(message)
}
