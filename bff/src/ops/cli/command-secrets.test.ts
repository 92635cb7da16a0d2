import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { writeSecret } from '../secrets/secrets-file.ts'
import { createProgram, pathOf, runCli, withSubcommands } from './program.ts'
import { systemInput } from './terminal.ts'

let folder: string
let database: string
let config: string
let merchant: string

const evmWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const solanaWallet = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
const rpcUrls = ['http://127.0.0.1:9']

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-secrets-'))
  database = join(folder, 'checkout.sqlite')
  config = join(folder, 'checkout.json')
  const networks = [
    { shortName: 'base', rpcUrls, platformWallet: evmWallet },
    { shortName: 'solana', rpcUrls, platformWallet: solanaWallet },
  ]
  writeFileSync(config, JSON.stringify({ database, secretsFile: 'secrets.json', networks }))
  const made = await run(['merchants', 'create', '--name', 'Shop', '--wallet', `base=${evmWallet}`, '--json'])
  merchant = (JSON.parse(made.stdout) as { merchantId: string }).merchantId
  // Sealed with a key that is lost.
  const key = new Uint8Array(32).fill(1)
  writeSecret(join(folder, 'secrets.json'), { key, database, runtime: systemRuntime }, 'OPERATOR_PRIVATE_KEY', 'x')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(args: readonly string[], env: Record<string, string> = {}, input = '') {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCli(args, {
    env: () => ({ BFF_CONFIG: config, ...env }),
    folder: '/',
    program: { command: 'checkout', start: null },
    input: { ...systemInput(), isTerminal: false, readAll: async () => input },
    runtime: systemRuntime,
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  })
  return { exitCode, stdout, stderr }
}

/** Every secret that no command of the database uses, each malformed. */
const malformed = {
  OPERATOR_PRIVATE_KEY: 'no key',
  FORMER_OPERATOR_KEYS: 'no keys',
  OPERATOR_SIGNER_TOKEN: '',
  SOLANA_FEE_PAYER_KEY: 'no key',
  RELAY_API_KEY: 'with a space',
}
const keyless = { ...malformed, SECRETS_KEY: 'no key', SECRETS_KEY_FILE: '/nowhere' }

/** What each command needs; `none`: not even the key that seals secrets. */
const commands: Readonly<Record<string, { args: () => string[]; needs: 'none' | 'key'; input?: string }>> = {
  ready: { needs: 'none', args: () => [] },
  deploy: { needs: 'none', args: () => ['base'] },
  'merchants create': { needs: 'key', args: () => ['--name', 'Second'] },
  'merchants set': { needs: 'none', args: () => [merchant, '--key-origins', 'any'] },
  'merchants list': { needs: 'none', args: () => [] },
  'dashboard invite': { needs: 'none', args: () => [] },
  'dashboard invitations': { needs: 'none', args: () => [] },
  'dashboard revoke': { needs: 'none', args: () => ['none'] },
  'keys create': { needs: 'none', args: () => [merchant, '--kind', 'test'] },
  'keys list': { needs: 'none', args: () => [merchant] },
  'keys rotate': { needs: 'none', args: () => ['pk_live_none'] },
  'keys revoke': { needs: 'none', args: () => ['pk_live_none'] },
  'wallets list': { needs: 'none', args: () => [merchant] },
  'wallets addresses': { needs: 'none', args: () => [merchant, 'base'] },
  'wallets set': { needs: 'none', args: () => [merchant, `base=${evmWallet}`] },
  'networks list': { needs: 'none', args: () => [] },
  'payments list': { needs: 'none', args: () => [merchant] },
  'payments show': { needs: 'none', args: () => ['none'] },
  'payments link': { needs: 'key', args: () => ['none'] },
  'payments refund': { needs: 'none', args: () => ['none', '--to', evmWallet] },
  'payments accept-late': { needs: 'none', args: () => ['none'] },
  'webhooks list': { needs: 'none', args: () => [merchant] },
  'webhooks test': { needs: 'key', args: () => [merchant, 'none'] },
  'webhooks redeliver': { needs: 'none', args: () => [merchant, '1'] },
  'secrets set': { needs: 'key', args: () => ['RELAY_API_KEY'], input: 'relay-key' },
  'secrets list': { needs: 'none', args: () => [] },
  'secrets remove': { needs: 'none', args: () => ['OPERATOR_PRIVATE_KEY'] },
  backup: { needs: 'none', args: () => [join(folder, 'copy.sqlite')] },
  restore: { needs: 'key', args: () => [join(folder, 'nothing.sqlite')] },
  move: { needs: 'key', args: () => ['--to', 'postgres://checkout@127.0.0.1:9/checkout'] },
  export: { needs: 'none', args: () => ['--csv', join(folder, 'payments.csv')] },
  reconcile: { needs: 'none', args: () => [] },
}

/** `init` makes them, `serve` and `doctor` use all, and `mcp` has its own. */
const others = ['init', 'serve', 'doctor', 'mcp']

test('the table below has every command', async () => {
  const program = await createProgram(
    { config: () => expect.unreachable(), answer: () => expect.unreachable() } as never,
    [],
  )
  const leaves = withSubcommands(program).filter((command) => command.commands.length === 0)
  const names = leaves.map((command) => pathOf(command).split(' ').slice(1).join(' '))
  expect([...Object.keys(commands), ...others].sort()).toEqual(names.sort())
})

test.each(Object.entries(commands))('%s asks for no secret that it does not use', async (name, one) => {
  const { exitCode, stderr } = await run(
    [...name.split(' '), ...one.args()],
    one.needs === 'none' ? keyless : malformed,
    one.input,
  )
  expect(stderr).not.toMatch(/_KEY|_TOKEN|configuration has/)
  expect([0, 1, 4]).toContain(exitCode)
})

test('deploy --as-operator needs the operator’s key alone, and says so', async () => {
  const networks = [{ shortName: 'base', rpcUrls, platformWallet: evmWallet }]
  writeFileSync(config, JSON.stringify({ database, networks }))
  const { OPERATOR_PRIVATE_KEY: _, OPERATOR_SIGNER_TOKEN: __, ...rest } = malformed
  const none = await run(['deploy', 'base', '--as-operator'], rest)
  expect(none).toMatchObject({ exitCode: 1, stderr: 'the configuration has no operator\n' })
  const one = await run(['deploy', 'base', '--as-operator'], { ...rest, OPERATOR_PRIVATE_KEY: `0x${'5e'.repeat(32)}` })
  expect(one.stderr).not.toMatch(/configuration|_KEY/)
})
