import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundlePrograms } from './programs.mjs'
import { createSupervisor, type Part, type Supervisor } from './supervisor.ts'

let folder: string
let supervisor: Supervisor | null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'supervisor-'))
  supervisor = null
})

afterEach(async () => {
  await supervisor?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a killed part is restarted, and its new id is reported', async () => {
  const told: Record<string, number>[] = []
  const sentences: string[] = []
  supervisor = createSupervisor({ onPids: (pids) => told.push(pids), report: (sentence) => sentences.push(sentence) })
  await supervisor.start(idle('shop'))
  const first = pidOf('shop')

  process.kill(first, 'SIGKILL')
  await until(() => pids()['shop'] !== undefined && pids()['shop'] !== first)

  expect(told.at(-1)).toEqual({ shop: pidOf('shop') })
  expect(sentences).toEqual(['shop ended (SIGKILL); starting it again.'])
})

test('stopping ends every part in reverse order of start, and restarts none', async () => {
  const order = join(folder, 'order.txt')
  supervisor = createSupervisor()
  for (const name of ['chain', 'service', 'shop'])
    await supervisor.start({ ...saysGoodbye(name, order), ...logTo(name) })
  await until(() => ['chain', 'service', 'shop'].every((name) => read(`${name}.log`).includes('ready')))
  const ids = Object.values(pids())

  await supervisor.stop()

  expect(ids.filter(isAlive)).toEqual([])
  expect(readFileSync(order, 'utf8').trim().split('\n')).toEqual(['shop', 'service', 'chain'])
  expect(pids()).toEqual({})
})

test('a part that ignores SIGTERM is killed after the timeout', async () => {
  supervisor = createSupervisor({ patienceMs: 200 })
  await supervisor.start({ ...node('deaf', "process.on('SIGTERM', () => {}); console.log('ready')"), ...logTo('deaf') })
  await until(() => read('deaf.log').includes('ready'))
  const pid = pidOf('deaf')

  await supervisor.stop()

  expect(isAlive(pid)).toBe(false)
})

test('a part that keeps dying is restarted less and less often', async () => {
  const sentences: string[] = []
  supervisor = createSupervisor({ report: (sentence) => sentences.push(sentence) })
  await supervisor.start({
    name: 'broken',
    command: () => ({ file: process.execPath, args: ['-e', 'process.exit(3)'] }),
  })

  await until(() => sentences.length >= 7)

  expect(sentences[0]).toBe('broken ended (exit code 3); starting it again.')
  expect(sentences[6]).toBe('broken ended (exit code 3); starting it in 2 s.')
})

test('the log contains the output of all starts of a part', async () => {
  const sentences: string[] = []
  supervisor = createSupervisor({ report: (sentence) => sentences.push(sentence) })
  await supervisor.start({ ...node('shop', "console.log('hello'); console.error('careful')"), ...logTo('shop') })
  await until(() => read('shop.log').includes('hello') && read('shop.log').includes('careful'))
  process.kill(pidOf('shop'), 'SIGKILL')
  const times = (word: string) => read('shop.log').split(word).length - 1
  await until(() => times('hello') === 2 && times('careful') === 2)
  expect(sentences).toEqual(['shop ended (SIGKILL); starting it again.'])
})

test('nothing outlives a killed supervisor', async () => {
  await bundlePrograms({ supervisor: fileURLToPath(new URL('./supervisor.ts', import.meta.url)) }, folder)
  const program = `
    const { createSupervisor } = await import(${JSON.stringify(join(folder, 'supervisor.js'))})
    const supervisor = createSupervisor()
    await supervisor.start({ name: 'shop', command: () => ({ file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }) })
    console.log(supervisor.pids().shop)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = (await once(owner.stdout, 'data')) as [Buffer]
  const pid = Number(String(printed))
  expect(isAlive(pid)).toBe(true)

  owner.kill('SIGKILL')

  await until(() => !isAlive(pid))
})

const node = (name: string, program: string): Part => ({
  name,
  command: () => ({ file: process.execPath, args: ['-e', `${program}; setInterval(() => {}, 1000)`] }),
})

const idle = (name: string) => node(name, '0')

const saysGoodbye = (name: string, path: string) => {
  const goodbye = `require('fs').appendFileSync(${JSON.stringify(path)}, '${name}\\n'); process.exit()`
  return node(name, `process.on('SIGTERM', () => { ${goodbye} }); console.log('ready')`)
}

const logTo = (name: string) => ({ logPath: join(folder, `${name}.log`) })

const pids = () => supervisor?.pids() ?? {}

function pidOf(name: string): number {
  const pid = pids()[name]
  if (pid === undefined) throw new Error(`${name} is not running`)
  return pid
}

function read(name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(condition: () => boolean, withinMs = 60_000) {
  const deadlineMs = Date.now() + withinMs
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${condition}`)
    await sleep(20)
  }
}
