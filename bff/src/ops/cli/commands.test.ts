import { expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { createProgram, pathOf, withSubcommands } from './program.ts'
import { systemInput } from './terminal.ts'

const silent = { write: () => undefined, writeError: () => undefined }
const cli = {
  ...silent,
  env: () => ({}),
  input: systemInput(),
  runtime: systemRuntime,
  config: () => expect.unreachable(),
  answer: () => expect.unreachable(),
}
const all = withSubcommands(createProgram(cli))

/** Leaves out what the head of the page says once, and the lists of commands, which have sections of their own. */
const withoutCommon = (text: string) =>
  text
    .replace(/^Usage: .*\n/, '')
    .replace(/\nCommands:\n( .*\n)+/, '')
    .replaceAll(/^ +(-h, --help|help \[command\]|--json) .*\n?/gm, '')
    .replace(/^Options:\n(?=\n|$)/m, '')
    .trim()

const head = `# Commands

Made from the help of each command by \`npx vitest run --project bff commands -u\`.
Each command takes \`--help\`, and all but \`serve\` and \`mcp\` take \`--json\`, which prints one JSON object.
`

test('docs/commands.md is the help of every command', async () => {
  const sections = all.flatMap((command) => {
    let text = ''
    command.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp()
    const isGroup = command.parent !== null && command.commands.length > 0
    // The program's list of commands describes a group, unless the group says more than its summary.
    if (isGroup && !command.description().includes('\n')) return []
    const [, usage = ''] = /^Usage: (.*)$/m.exec(text) ?? []
    const words = usage.replace('[options]', '').replaceAll(/ +/g, ' ').trim()
    const heading = command.parent === null ? words : words.replace('stablecoin-checkout ', '')
    return [`## \`${heading}\`\n\n\`\`\`text\n${withoutCommon(text)}\n\`\`\`\n`]
  })
  await expect([head, ...sections].join('\n')).toMatchFileSnapshot('../../../../docs/commands.md')
})

test('every command says what it does, and every one that answers can answer in JSON', () => {
  for (const command of all) {
    expect(command.description(), pathOf(command)).not.toBe('')
    const isAnswering = command.commands.length === 0 && !['serve', 'mcp'].includes(command.name())
    const flags = command.options.map(({ long }) => long)
    if (isAnswering) expect(flags, pathOf(command)).toContain('--json')
  }
})
