// Everything, as no run of `npm test` can afford it: all tests on both databases, long loops, every look of every screen, services that
// are killed as processes, the docs' commands, the binary, other releases of Node, planted faults, mutations, and soaks of bounded time.
// `npm run nightly -- stories soak` runs two of its parts.
import { fileURLToPath } from 'node:url'
import { runMeasured } from './measured.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Minutes of each soak. */
const soakMinutes = '10'

const npm = (...args) => ['npm', ['run', '--silent', ...args]]
const soak = (...args) => npm('soak', '--', ...args)

/** By name: programs, one after the other. A part that fails does not keep the next one from running. */
const parts = {
  check: [npm('check')],
  tests: [['node', ['test/run.mjs', 'widget', 'demo', 'contracts', 'bff']]],
  stories: [['node', ['test/run.mjs', 'stories', 'stories-browser', 'stories-replicas', 'stories-postgres']]],
  releases: [npm('releases')],
  faults: [npm('faults')],
  soak: [soak(soakMinutes), soak('anvil', soakMinutes), soak('model', soakMinutes), soak('replicas', soakMinutes)],
  mutations: [npm('mutate', '--', '--write')],
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.\n`)
  process.exit(1)
}

// A story's service is a process of its own, which is killed by the system.
const env = { ...process.env, NIGHTLY: '1', STORY_SERVICE: 'process' }
const figures = []
for (const [name, programs] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const [command, args] of programs) {
    const title = `${name}: ${command} ${args.join(' ')}`
    process.stdout.write(`\n—— ${title}\n`)
    const { status, wallMs, cpuMs } = await runMeasured(command, args, { cwd: root, env, output: 'inherit' })
    const seconds = (ms) => `${Math.round(ms / 1000)} s`
    figures.push(
      `${status === 0 ? 'good  ' : 'FAILED'} ${title}: ${seconds(wallMs)}, ${seconds(cpuMs)} of processor time`,
    )
    if (status !== 0) process.exitCode = 1
  }
}
process.stdout.write(`\n${figures.map((line) => `${line}\n`).join('')}`)
