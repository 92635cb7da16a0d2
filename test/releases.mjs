// What a newcomer does, on every other release of Node that the project runs on: install, demo, a paid deposit, the tests of the data.
// Each release in a copy of the working tree, so that nothing that one has compiled or installed helps another.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { majorReleases, nodeOfRelease } from './harness/node-of-release.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A start of the demo and a payment take about twenty seconds; building comes before, and a busy machine takes a multiple. */
const demoMs = 10 * 60_000

const current = Number.parseInt(process.versions.node, 10)
const asked = process.argv.slice(2).map(Number)
const majors = asked.length > 0 ? asked : majorReleases.filter((major) => major !== current)
const unknown = majors.filter((major) => !majorReleases.includes(major))
if (unknown.length > 0) {
  process.stderr.write(`There is no release ${unknown.join(', ')}; there are ${majorReleases.join(', ')}.\n`)
  process.exit(1)
}

/** Ends what is running. */
let stop
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stop?.()
    process.exit(1)
  })
}

for (const major of majors) {
  const folder = mkdtempSync(join(tmpdir(), `stablecoin-checkout-node-${major}-`))
  try {
    await playRelease(major, folder)
  } catch (error) {
    process.stderr.write(`Node ${major}: ${error.message}\n`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function playRelease(major, folder) {
  const startedMs = Date.now()
  const { program, headers } = nodeOfRelease(major)
  const started = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (started.status !== 0) {
    // Node 26 needs libatomic, which a bare machine may lack: that says nothing about the project.
    process.stdout.write(`Node ${major} does not start on this machine, and is not played: ${started.stderr.trim()}\n`)
    return
  }
  const env = {
    ...process.env,
    PATH: [dirname(program), process.env.PATH].join(delimiter),
    // What must be compiled is compiled for this release.
    ...(headers && { npm_config_nodedir: headers }),
  }
  copyTree(folder)
  const log = join(folder, 'releases.log')
  const output = openSync(log, 'w')
  const run = async (command, args) => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', output, output] })
    stop = () => child.kill()
    const [status] = await once(child, 'exit')
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${tail(log)}`)
  }

  await run('node', ['install.mjs'])
  const installedMs = Date.now()
  const openMs = await payInDemo({ folder, env, log, output })
  await run('node', ['install.mjs', '--tests'])
  await run('npx', ['--no-install', 'vitest', 'run', '--project', 'bff', 'bff/src/db', 'bff/src/payment'])
  const tests = /Tests\s+(.*passed.*)/.exec(stripVTControlCharacters(readFileSync(log, 'utf8')))?.[1]
  const seconds = (ms) => `${Math.round(ms / 1000)} s`
  const version = started.stdout.trim()
  process.stdout.write(
    `Node ${version}: installed in ${seconds(installedMs - startedMs)}, shop open ${seconds(openMs)} later, a deposit paid; db and payment: ${tests}; ${seconds(Date.now() - startedMs)} in all\n`,
  )
}

/** @returns how long it took until the shop was open. @throws {Error} when a deposit is not paid, or the demo does not end well. */
async function payInDemo({ folder, env, log, output }) {
  const startedMs = Date.now()
  // A group of its own, so that Ctrl-C can be sent as a terminal sends it: to all of it.
  const demo = spawn('npm', ['run', 'demo'], { cwd: folder, env, stdio: ['ignore', output, output], detached: true })
  stop = () => process.kill(-demo.pid, 'SIGINT')
  const exited = once(demo, 'exit')
  let hasEnded = false
  exited.then(() => {
    hasEnded = true
  })
  /** @returns what `ask` answers, once that is something. */
  const until = async (what, ask) => {
    for (;;) {
      const answer = await ask()
      if (answer) return answer
      if (hasEnded) throw new Error(`the demo ended before ${what}:\n${tail(log)}`)
      if (Date.now() > startedMs + demoMs) throw new Error(`waited in vain for ${what}:\n${tail(log)}`)
      await sleep(100)
    }
  }
  try {
    const file = join(folder, 'demo/.state.json')
    const state = await until('the shop was open', () => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')))
    const openMs = Date.now() - startedMs
    const post = async (url, body, headers) => {
      const options = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }
      const answer = await fetch(url, { ...options, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
      return answer.json()
    }
    const network = state.networks.find(({ family }) => family === 'evm').shortName
    const order = { amount: '25.00', currency: 'USDC', network }
    const { payment } = await post(`${state.bff}/api/v1/deposits/create`, order, { 'X-Public-Key': state.publicKey })
    await post(`${state.storefront}/demo/pay`, { paymentId: payment.id }, { Origin: state.storefront })
    await until('the deposit was paid', async () => {
      const answer = await fetch(`${state.bff}/api/v1/payments/public/${payment.id}`).then((one) => one.json())
      return answer.payment?.outcome === 'paid'
    })
    const printed = stripVTControlCharacters(readFileSync(log, 'utf8'))
    const warning = /^.*(?:warning|failed to load).*$/im.exec(printed)?.[0]
    if (warning) throw new Error(`the demo printed a warning: ${warning}`)
    return openMs
  } finally {
    if (!hasEnded) stop()
    stop = undefined
    await exited
  }
}

/** What git tracks or would track, as it stands. */
function copyTree(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  for (const path of stdout.split('\0').filter((name) => name && existsSync(join(root, name))))
    cpSync(join(root, path), join(folder, path))
}

function tail(file) {
  return readFileSync(file, 'utf8').split('\n').slice(-40).join('\n')
}
