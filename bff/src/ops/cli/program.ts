import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { faultText, loggedError } from '../../chain/fault-text.ts'
import { PaymentError } from '../../core/errors.ts'
import { VaultError } from '../../merchant/vault.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/source.ts'
import { type Cli, type ExitCode, exitCodes, type Io } from './cli.ts'
import { commands } from './commands.ts'

const programName = 'stablecoin-checkout'

const description = `The service behind the checkout element. Without a command it serves.

Secrets come by environment or file, never as an argument: arguments are in every process list.`

const after = `
Exit codes:
  0  done
  1  it could not be done, or a check found something wrong
  2  the command line is wrong
  3  the configuration is wrong`

/** Columns, whatever the terminal: what the help says is also in the docs. */
const helpWidth = 110

/** The whole command line. */
export function createProgram(cli: Cli): CommandUnknownOpts {
  const program = new Command(programName)
    .description(description)
    .option('-c, --config <file>', 'the configuration; else the environment variable BFF_CONFIG names it')
    .option('--stack', 'show where an unexpected error comes from')
    .addHelpText('after', after)
  for (const command of commands) program.addCommand(command(cli))
  // Commands that were added do not take over the program's own settings.
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

/** The command and all below it, parents first. */
export function withSubcommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** How a command is called. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** Runs one command line. @returns its exit code; never throws. A service that was started goes on afterwards. */
export async function runCli(args: readonly string[], io: Io): Promise<ExitCode> {
  const isJson = args.includes('--json')
  let exitCode: ExitCode = exitCodes.done
  const given = () => program.opts() as { config?: string; stack?: true }
  // An argument is how this one command is told; everything below reads the environment.
  const env = () => ({ ...io.env(), ...(given().config !== undefined && { BFF_CONFIG: given().config }) })
  const program = createProgram({
    ...io,
    // With --json, an error is one JSON object too.
    writeError: isJson ? () => undefined : io.writeError,
    env,
    config: () => loadConfig(env()),
    async answer(options, work) {
      const answer = await work()
      io.write(`${options.json ? JSON.stringify(answer.json) : answer.text}\n`)
      exitCode = answer.exitCode ?? exitCodes.done
    },
  })
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' })
    return exitCode
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === exitCodes.done) return code
    // The parser has already told what is wrong, and how it is used.
    const isTold = error instanceof CommanderError
    const message = isTold ? error.message.replace(/^error: /, '') : textOf(error, given().stack === true)
    if (isJson) io.writeError(`${JSON.stringify({ error: message, exitCode: code })}\n`)
    else if (!isTold) io.writeError(`${message}\n`)
    return code
  }
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ConfigError) return exitCodes.configuration
  if (!(error instanceof CommanderError)) return exitCodes.failed
  return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
}

/** One line a person can use. Only what nobody expected has a stack, and only where somebody asks for it. */
function textOf(error: unknown, withStack: boolean): string {
  const isExpected = [ConfigError, PaymentError, VaultError].some((kind) => error instanceof kind)
  if (isExpected || !withStack || !(error instanceof Error)) return faultText(error)
  const { message, stack } = loggedError(error, ({ message, stack }) => ({ message, stack })) as Partial<Error>
  return stack ?? String(message)
}
