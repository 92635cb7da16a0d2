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

/** Said once at the head of the page: what every command takes, and a group's commands, which have sections of their own. */
const withoutCommon = (text: string, isGroup: boolean) =>
  (isGroup ? (text.split('\nCommands:\n')[0] ?? '') : text)
    .replace(/^Usage: .*\n/, '')
    .replaceAll(/^ +(-h, --help|help \[command\]|--json) .*\n?/gm, '')
    .replace(/^Options:\n(?=\n|$)/m, '')
    .trim()

test('docs/commands.md is the help of every command', async () => {
  const sections = all.map((command) => {
    let text = ''
    command.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp()
    const isGroup = command.parent !== null && command.commands.length > 0
    const [, usage = ''] = /^Usage: (.*)$/m.exec(text) ?? []
    const heading = usage.replace('[options]', '').replaceAll(/ +/g, ' ').trim()
    return `## \`${command.parent === null ? heading : heading.replace('stablecoin-checkout ', '')}\`\n\n\`\`\`text\n${withoutCommon(text, isGroup)}\n\`\`\`\n`
  })
  const head =
    '# Commands\n\nMade from the help of each command; `npx vitest run --project bff commands -u` writes it again.\nEach takes `--help`, and each that answers `--json`, which prints one JSON object.\n'
  await expect([head, ...sections].join('\n')).toMatchFileSnapshot('../../../../docs/commands.md')
})

test('every command says what it does, and every one that answers can answer in JSON', () => {
  for (const command of all) {
    expect(command.description(), pathOf(command)).not.toBe('')
    const isAnswering = command.commands.length === 0 && command.name() !== 'serve'
    const flags = command.options.map(({ long }) => long)
    if (isAnswering) expect(flags, pathOf(command)).toContain('--json')
  }
})
