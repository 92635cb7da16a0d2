import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

/** A repository with the project's rules and no code. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'))
  for (const name of ['biome.json', '.biome']) cpSync(join(root, name), join(folder, name), { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** @returns what Biome says of the files, which are planted at these paths of the repository. */
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

const importing = (specifier: string) =>
  `import { planted } from '${specifier}'\n\nexport const use = () => planted()\n`

test.each([
  ['core imports the database', 'bff/src/core/planted.ts', importing('../db/db.ts'), 'core imports nothing of ours'],
  ['db imports payment', 'bff/src/db/sqlite/planted.ts', importing('../../payment/event.ts'), 'db imports core only'],
  [
    'payment imports access',
    'bff/src/payment/planted.ts',
    importing('../access/env.ts'),
    'payment imports core and db only',
  ],
  [
    'payment imports a chain',
    'bff/src/payment/planted.ts',
    importing('../chain/family.ts'),
    'payment imports core and db',
  ],
  ['payment imports viem', 'bff/src/payment/planted.ts', importing('viem'), 'Chains are spoken to in chain/'],
  ['evm imports solana', 'bff/src/chain/evm/planted.ts', importing('../solana/x.ts'), 'never import each other'],
  ['evm imports web3.js', 'bff/src/chain/evm/rpc/planted.ts', importing('@solana/web3.js'), 'never import each other'],
  ['solana imports evm', 'bff/src/chain/solana/planted.ts', importing('../evm/x.ts'), 'never import each other'],
  ['solana imports viem', 'bff/src/chain/solana/planted.ts', importing('viem'), 'never import each other'],
  [
    'payout imports a family',
    'bff/src/payout/planted.ts',
    importing('../chain/evm/x.ts'),
    'a chain family builds, signs',
  ],
  ['http imports checkout', 'bff/src/access/planted.ts', importing('../checkout/x.ts'), 'access is middleware'],
  ['http imports ops', 'bff/src/access/planted.ts', importing('../ops/x.ts'), 'access is middleware'],
  ['checkout imports webhook', 'bff/src/checkout/planted.ts', importing('../webhook/x.ts'), 'never call each other'],
  ['webhook imports payout', 'bff/src/webhook/planted.ts', importing('../payout/x.ts'), 'never call each other'],
  ['the product imports the demo', 'bff/src/ops/planted.ts', importing('../../../demo/x.ts'), 'nothing of the demo'],
  ['the product imports the tests', 'bff/src/ops/planted.ts', importing('../../test/x.ts'), 'nothing of the demo or'],
])('%s: refused', (_, path, text, message) => {
  const { isRefused, says } = lint({ [path]: text })
  expect(says).toContain(message)
  expect(isRefused).toBe(true)
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

test('an import cycle is refused, also one of types alone', () => {
  const typed = (name: string, other: string) =>
    `import type { ${other} } from './${other.toLowerCase()}.ts'\n\nexport type ${name} = { other: ${other} | null }\n`
  const { isRefused, says } = lint({
    'bff/src/merchant/one.ts': typed('One', 'Two'),
    'bff/src/merchant/two.ts': typed('Two', 'One'),
  })
  expect(says).toContain('part of a cycle')
  expect(isRefused).toBe(true)
})

test('imports in the direction of the tree are accepted', () => {
  const { isRefused, says } = lint({
    'bff/src/db/planted.ts': importing('../core/money.ts'),
    'bff/src/payment/planted.ts': importing('../db/db.ts'),
    'bff/src/chain/evm/planted.ts': importing('viem'),
    'bff/src/chain/solana/planted.ts': importing('@solana/web3.js'),
    'bff/src/ops/serve/serve.ts': importing('./chain/evm/x.ts'),
  })
  expect({ isRefused, says }).toMatchObject({ isRefused: false })
})
