import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

type Manifest = { name: string; version: string; private?: boolean; workspaces: string[] }

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
const { workspaces } = manifestOf(root)

/** The packages that a release publishes, and the service. */
const released = workspaces.filter((name) => name === 'bff' || !manifestOf(join(root, name)).private)

test('a changeset gives the service and every published package the same new version, and its text to the changelog', () => {
  const copy = mkdtempSync(join(tmpdir(), 'changeset-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const name of ['.changeset', 'package.json', ...workspaces.map((folder) => `${folder}/package.json`)]) {
    mkdirSync(join(copy, name, '..'), { recursive: true })
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const change = '---\n"@stablecoin-checkout/widget": minor\n---\n\nThe element shows receipts in Italian.\n'
  writeFileSync(join(copy, '.changeset/italian-receipts.md'), change)
  const run = (command: string, ...args: string[]) => {
    const ended = spawnSync(command, args, { cwd: copy, encoding: 'utf8' })
    expect(ended.status, ended.stdout + ended.stderr).toBe(0)
  }
  run('git', 'init', '--quiet')
  run('git', 'add', '.changeset', 'package.json', ...workspaces)
  run('git', '-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example', 'commit', '--quiet', '--message', 'All')

  run(process.execPath, join(root, 'node_modules/@changesets/cli/bin.js'), 'version')

  const versions = Object.fromEntries(workspaces.map((name) => [name, manifestOf(join(copy, name)).version]))
  expect(versions).toEqual(
    Object.fromEntries(workspaces.map((name) => [name, released.includes(name) ? '0.2.0' : '0.1.0'])),
  )
  const changelog = readFileSync(join(copy, 'widget/CHANGELOG.md'), 'utf8')
  expect(changelog).toContain('## 0.2.0')
  expect(changelog).toContain('The element shows receipts in Italian.')
})
