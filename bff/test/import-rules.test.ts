import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, faultsOfDoors, type Modules, modules, readAllSources, readSources } from '../imports.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

/** A repository with the project's rules and no code. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'))
  for (const name of ['biome.json', '.biome']) cpSync(join(root, name), join(folder, name), { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** @returns Biome's output for files planted at these paths of the repository. */
function lint(files: Record<string, string>): { isRefused: boolean; says: string } {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const biome = join(root, 'node_modules/.bin/biome')
  const { status, stderr } = spawnSync(biome, ['lint', '--vcs-enabled=false', '.'], { cwd: folder, encoding: 'utf8' })
  for (const path of Object.keys(files)) rmSync(join(folder, path))
  return { isRefused: status !== 0, says: stderr }
}

/** @returns the violations of `modules.json` by one import. */
const faultsOfImport = (from: string, to: string, rules?: Modules) =>
  faultsOf({ [from]: `import { planted } from '${to}'\n` }, rules)

/** The rules for modules that are always on. */
const withoutParts: Modules = { ...modules, parts: {} }

const resolved = (from: string, to: string) => (to.startsWith('.') ? posix.join(posix.dirname(from), to) : to)

test('the sources follow the order of the modules, and no rooms of one folder import each other', () => {
  expect(faultsOf(readSources())).toEqual([])
})

test('the rig is imported by its name, and the service by the doors of its package', () => {
  expect(faultsOfDoors(readAllSources())).toEqual([])
  const planted = faultsOfDoors({
    'bff/src/payment/x.test.ts': "import { paid } from '../../test/new-payment.ts'\n",
    'test/bench/x.ts': "export { startAnvil } from '../../bff/test/devnet/anvil.ts'\n",
    'bff/test/model/x.ts': "import { paid } from '../new-payment.ts'\nimport type { Db } from '../../src/db/db.ts'\n",
    'demo/x.ts': "const { sql } = await import('../bff/src/testing/db.ts')\n",
    'widget/src/x.ts': "import type { PublicPayment } from '../../bff/src/api-types.ts'\n",
  })
  expect(planted).toEqual([
    expect.stringContaining('bff/src/payment/x.test.ts imports bff/test/new-payment.ts'),
    expect.stringContaining('test/bench/x.ts imports bff/test/devnet/anvil.ts'),
    expect.stringContaining('bff/test/model/x.ts imports bff/src/db/db.ts'),
    expect.stringContaining('demo/x.ts imports bff/src/testing/db.ts'),
  ])
})

test('every named module has sources', () => {
  const paths = Object.keys(readSources())
  const isThere = (name: string) =>
    paths.some((path) => path === `bff/src/${name}.ts` || path.startsWith(`bff/src/${name}/`))
  expect(modules.order.filter((name) => !isThere(name))).toEqual([])
  expect(modules.rooms.filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)))).toEqual([])
})

test.each(modules.order.map((name, at) => [name, modules.order.slice(at + 1)] as const))(
  '%s imports nothing of the modules after it',
  (left, after) => {
    for (const right of after) {
      const fault = `bff/src/${left}/x.ts imports bff/src/${right}/y.ts: ${right} stands after ${left} in modules.json`
      expect(faultsOfImport(`bff/src/${left}/x.ts`, `../${right}/y.ts`)).toContain(fault)
      expect(faultsOfImport(`bff/src/${right}/y.ts`, `../${left}/x.ts`, withoutParts)).toEqual([])
    }
  },
)

test.each([
  ['bff/src/chain/evm/x.ts', '../solana/y.ts', 'they never import each other'],
  ['bff/src/chain/solana/x.ts', '../evm/y.ts', 'they never import each other'],
  ['bff/src/chain/solana/x.ts', 'viem', 'they never import each other'],
  ['bff/src/chain/evm/rpc/x.ts', '@solana/web3.js', '@solana is imported in bff/src/chain/solana alone'],
  ['bff/src/payment/x.ts', 'viem/chains', 'viem is imported in bff/src/chain alone'],
  ['bff/src/checkout/x.ts', '../chain/evm/y.ts', 'bff/src/chain/evm is seen by chain, ops, testing alone'],
  ['bff/src/ops/x.ts', '../../../demo/y.ts', 'the product imports nothing of the demo or of the tests'],
  ['bff/src/ops/x.ts', '../../test/y.ts', 'the product imports nothing of the demo or of the tests'],
  ['bff/src/ops/x.ts', '@stablecoin-checkout/rig/test-app', 'the product imports nothing of the demo or of the tests'],
  ['bff/src/ops/x.ts', '../../../test/harness/y.ts', 'the product imports nothing of the demo or of the tests'],
  ['bff/src/nowhere/x.ts', 'node:fs', 'modules.json does not name nowhere'],
])('%s imports %s: refused', (from, to, why) => {
  expect(faultsOfImport(from, to, withoutParts)).toEqual([expect.stringContaining(why)])
})

test.each([
  ['bff/src/chain/evm/x.ts', 'viem'],
  ['bff/src/chain/solana/x.ts', '@solana/web3.js'],
  ['bff/src/chain/index.ts', './evm/y.ts'],
  ['bff/src/ops/x.ts', '../chain/evm/y.ts'],
])('%s imports %s: accepted', (from, to) => {
  expect(faultsOfImport(from, to)).toEqual([])
})

const isOff = (part: string) =>
  `${part} can be off: its *.part.ts loads it, others by import() or for a type; a file that is always on is listed in modules.json, as "kernel"`

test.each([
  ['bff/src/app.ts', './checkout/x402/y.ts', 'x402'],
  ['bff/src/ops/serve/x.ts', '../../dashboard/y.ts', 'dashboard'],
  ['bff/src/checkout/pay-page/x.ts', '../link/y.ts', 'links'],
  ['bff/src/chain/x.ts', './solana/watch/y.ts', 'solana'],
  ['bff/src/agent/mcp/x.ts', '../../checkout/x402/y.ts', 'x402'],
  ['bff/src/ops/serve/x.ts', '../doctor/y.ts', 'commands'],
  ['bff/src/ops/cli/serve.command.ts', '../../agent/mcp/y.ts', 'tools'],
  ['bff/src/access/x.ts', 'pg', 'postgres'],
  ['bff/src/system/x.ts', '@simplewebauthn/server/helpers', 'dashboard'],
])('%s imports %s: refused, because the part can be off', (from, to, part) => {
  expect(faultsOfImport(from, to)).toEqual([`${from} imports ${resolved(from, to)}: ${isOff(part)}`])
})

test('a part may be imported by its own files, by files that need it, as a type, and at run time', () => {
  const x402 = './checkout/x402/y.ts'
  expect(faultsOf({ 'bff/src/app.ts': `import type { X402 } from '${x402}'\n` })).toEqual([])
  expect(faultsOf({ 'bff/src/parts.ts': `const load = () => import('${x402}')\n` })).toEqual([])
  expect(faultsOf({ 'bff/src/app.ts': `import {\n  type X402,\n} from '${x402}'\n` })).toHaveLength(1)
  expect(faultsOf({ 'bff/src/app.ts': `export { openX402 } from '${x402}'\n` })).toHaveLength(1)
  expect(faultsOfImport('bff/src/agent/mcp/x.ts', '../../checkout/link/y.ts')).toEqual([])
  expect(faultsOfImport('bff/src/ops/cli/people.command.ts', '../../dashboard/y.ts')).toEqual([])
  expect(faultsOfImport('bff/src/chain/x.ts', './solana/facts/y.ts')).toEqual([])
  expect(faultsOfImport('bff/src/app.ts', './reports/payment-report.ts')).toEqual([])
})

test('type imports and dynamic imports count like any other', () => {
  const says = expect.stringContaining('db stands after core')
  expect(faultsOf({ 'bff/src/core/x.ts': "import type { Db } from '../db/db.ts'\n" })).toEqual([says])
  expect(faultsOf({ 'bff/src/core/x.ts': "const db = await import('../db/db.ts')\n" })).toEqual([says])
  expect(faultsOf({ 'bff/src/core/x.ts': "import {\n  a,\n  b,\n} from '../db/db.ts'\n" })).toEqual([says])
  expect(faultsOf({ 'bff/src/core/x.ts': "export { open } from '../db/db.ts'\n" })).toEqual([says])
})

test('rooms that import each other are refused, also through a third room or a file outside rooms', () => {
  const rules = { ...withoutParts, rooms: ['bff/src/checkout'] }
  const sources = {
    'bff/src/checkout/read/one.ts': "import { two } from '../two.ts'\n",
    'bff/src/checkout/two.ts': "import { three } from './link/three.ts'\n",
    'bff/src/checkout/link/three.ts': '',
  }
  expect(faultsOf(sources, rules)).toEqual([])
  const back = "import type { Four } from '../read/four.ts'\n"
  const [says, ...others] = faultsOf({ ...sources, 'bff/src/checkout/link/three.ts': back }, rules)
  expect(others).toEqual([])
  expect(says).toContain('bff/src/checkout/: link, read, two lead to each other')
  expect(says).toContain('bff/src/checkout/link/three.ts -> bff/src/checkout/read/four.ts')
})

test.each([
  ["export const isEvm = (network: { family: string }) => network.family === 'evm'\n"],
  ["export const isEvm = (network: { family: string } | null) => network?.family === 'evm'\n"],
  ["export const isEvm = ({ family }: { family: string }) => family !== 'solana'\n"],
])('a part that asks for the family of a network is refused, and chain/index.ts is not: %s', (text) => {
  const { isRefused, says } = lint({ 'bff/src/checkout/planted.ts': text })
  expect(says).toContain('Only chain/index.ts asks which family')
  expect(isRefused).toBe(true)
  expect(lint({ 'bff/src/chain/index.ts': text })).toMatchObject({ isRefused: false })
})

test('an import cycle is refused, even of types only', () => {
  const typed = (name: string, other: string) =>
    `import type { ${other} } from './${other.toLowerCase()}.ts'\n\nexport type ${name} = { other: ${other} | null }\n`
  const { isRefused, says } = lint({
    'bff/src/merchant/one.ts': typed('One', 'Two'),
    'bff/src/merchant/two.ts': typed('Two', 'One'),
  })
  expect(says).toContain('part of a cycle')
  expect(isRefused).toBe(true)
})
