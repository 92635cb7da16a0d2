import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { refusedRelease } from '../node-release.mjs'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

test.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0', '24.21.0', '26.10.0'])('Node %s is supported', (version) => {
  expect(refusedRelease(version, manifest.engines.node)).toBeUndefined()
})

test.each(['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1', '25.9.0', '27.0.0'])(
  'Node %s is refused by one sentence that names the supported ones',
  (version) => {
    expect(refusedRelease(version, manifest.engines.node)).toBe(
      `stablecoin-checkout runs on Node 20 (from 20.19), 22 (from 22.12), 24, 26, and this is Node ${version}: install one of them from https://nodejs.org.`,
    )
  },
)

test.each(['../dist/main.js', '../../install.mjs'])('%s says that sentence and nothing else', (program) => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })"
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, path(program), '--help'],
    { encoding: 'utf8' },
  )
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `${refusedRelease('18.20.8', manifest.engines.node)}\n`,
  })
})
