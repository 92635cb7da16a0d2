import { expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { createProgram, pathOf, withSubcommands } from './program.ts'
import { systemInput } from './terminal.ts'

const silent = { write: () => undefined, writeError: () => undefined }
const cli = {
  ...silent,
  env: () => ({}),
  folder: '/',
  program: { command: 'checkout', start: null },
  input: systemInput(),
  runtime: systemRuntime,
  config: () => expect.unreachable(),
  answer: () => expect.unreachable(),
}
const all = withSubcommands(await createProgram(cli, []))

/** Texts that the page contains once. */
const commonOptions = ['--help', '--json']

const head = `# Commands

Made from the commands by \`npm run generate\`. \`stablecoin-checkout <command> --help\` says what each option takes.
All but \`serve\` and \`mcp\` take \`--json\`, which prints one JSON object. Secrets are read from the environment or a file, never from an argument.
`

test('docs/commands.md names every command, with its arguments and options: `npm run generate` writes it', async () => {
  const [program, ...others] = all
  const whole = helpOf(program)
  const lines = others.flatMap((command) => {
    // A group's help is covered by its commands.
    if (command.commands.length > 0) return []
    const [summary = ''] = command.description().split('\n\n')
    const takes = [pathOf(command), ...command.registeredArguments.map(argumentOf)].join(' ')
    const options = command.options.flatMap(({ long, hidden }) =>
      hidden || !long || commonOptions.includes(long) ? [] : [`\`${long}\``],
    )
    const sentence = `- \`${takes.replace('stablecoin-checkout ', '')}\`: ${summary.replaceAll('\n', ' ')}`
    return [options.length === 0 ? sentence : `${sentence} (${options.join(', ')})`]
  })
  const page = [head, lines.join('\n'), '', '```text', whole.slice(whole.indexOf('Options:')), '```', '']
  await expect(page.join('\n')).toMatchFileSnapshot('../../../../docs/commands.md')
})

function helpOf(command?: (typeof all)[number]): string {
  let text = ''
  command?.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp()
  return text
    .replace(/\nCommands:\n( .*\n)+/, '')
    .replaceAll(/^ +(-h, --help) .*\n?/gm, '')
    .trim()
}

function argumentOf(argument: (typeof all)[number]['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

test('every command has a description, and every one with output supports JSON', () => {
  for (const command of all) {
    expect(command.description(), pathOf(command)).not.toBe('')
    const isAnswering = command.commands.length === 0 && !['serve', 'mcp'].includes(command.name())
    const flags = command.options.map(({ long }) => long)
    if (isAnswering) expect(flags, pathOf(command)).toContain('--json')
  }
})
