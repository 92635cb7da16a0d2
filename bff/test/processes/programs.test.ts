import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { bundlePrograms } from './programs.mjs'

const made = fileURLToPath(new URL('../dist', import.meta.url))
mkdirSync(made, { recursive: true })
const workspace = mkdtempSync(join(made, 'workspace-'))
const programs = mkdtempSync(join(made, 'programs-'))

afterAll(() => {
  for (const folder of [workspace, programs]) rmSync(folder, { recursive: true })
})

function plantPackage(name: string, text: string) {
  const folder = join(workspace, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
  writeFileSync(join(folder, 'index.js'), text)
}

test('a program includes packages installed for one workspace only, such as another version', async () => {
  plantPackage('only-here', "export const here = 'of the workspace'\n")
  plantPackage('viem', "export const parseEther = () => 'another version'\n")
  const source = join(workspace, 'main.ts')
  const imports = "import { here } from 'only-here'\nimport { parseEther } from 'viem'\n"
  writeFileSync(source, `${imports}process.stdout.write(here + ', ' + parseEther())\n`)
  await bundlePrograms({ main: source }, programs)
  const printed = execFileSync(process.execPath, [join(programs, 'main.js')], { encoding: 'utf8' })
  expect(printed).toBe('of the workspace, another version')
})
