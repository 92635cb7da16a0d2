import fs, { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Runtime, systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { loadConfig } from '../config/config.ts'
import { folderFault } from '../setup/create-service.ts'
import { FolderBusyError, lockName } from './folder-lock.ts'
import { type Answers, FilesExistError, initialise } from './init.ts'
import { verifyFolder } from './init-answers.ts'
import { withVault } from './with-db.ts'

/** Called around each change of a file that is not SQLite's. */
let step = (_: string): void => {}

const names = ['writeFileSync', 'renameSync', 'chmodSync', 'rmSync'] as const
const real = { ...fs }

/** Test files share a worker: the modules are loaded already, and get these functions all the same. */
function replaceFunctions(around: boolean): void {
  for (const name of names) {
    const change = real[name] as (...args: unknown[]) => unknown
    const observed = (...args: unknown[]) => {
      step(`before ${name}`)
      const result = change(...args)
      step(`after ${name}`)
      return result
    }
    Object.assign(fs, { [name]: around ? observed : change })
  }
  syncBuiltinESMExports()
}
beforeAll(() => replaceFunctions(true))
afterAll(() => replaceFunctions(false))

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'checkout-killed-'))
  folder = join(parent, 'shop')
})
afterEach(() => {
  step = () => {}
  rmSync(parent, { recursive: true })
})

const answersFor = (folder: string, name = 'Corner Coffee'): Answers => ({
  folder,
  name,
  rpcUrls: new Map([['base', ['https://node.example']]]),
  wallets: new Map([['base', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']]),
  deposits: new Map(),
  platformWallets: new Map(),
  feeBps: 0,
  port: 8787,
  publicUrl: null,
  trustedProxies: [],
  relay: false,
  rates: null,
})

const create = (at: string, runtime: Runtime = systemRuntime, name?: string) =>
  initialise(answersFor(at, name), {}, runtime)

/** What a start of the service reads: its keys, and the merchant. */
async function servedIn(at: string) {
  const config = loadConfig({ BFF_CONFIG: join(at, 'checkout.json') })
  const { operator } = config
  const names = await withVault(config, systemRuntime, ({ db }) =>
    db.read((tx) => tx.all<{ name: string }>(sql`select name from merchants`)),
  )
  const key = operator?.kind === 'key' ? operator.privateKey : ''
  return { operator: privateKeyToAddress(key as `0x${string}`), merchants: names.map(({ name }) => name) }
}

const stateOf = (of: string): string =>
  existsSync(of)
    ? readdirSync(of)
        .map((name) => `${name} ${statSync(join(of, name)).size}`)
        .join()
    : ''

/** A copy of the folder at each step is what a process that is killed there leaves. */
async function killedAtEachStep(work: (runtime: Runtime) => Promise<unknown>, into: string): Promise<string[]> {
  const copies: string[] = []
  let before = ''
  let isCopying = false
  step = (name) => {
    // Most steps follow a step after which nothing has changed.
    const state = stateOf(folder)
    if (isCopying || state === before) return
    before = state
    isCopying = true
    const copy = join(parent, `${into} ${copies.length} ${name}`)
    if (existsSync(folder)) cpSync(folder, copy, { recursive: true })
    else mkdirSync(copy)
    copies.push(copy)
    isCopying = false
  }
  const newUuid = () => {
    step('in the database')
    return systemRuntime.newUuid()
  }
  const randomBytes: Runtime['randomBytes'] = (count) => {
    step('at a key')
    return systemRuntime.randomBytes(count)
  }
  await work({ ...systemRuntime, newUuid, randomBytes })
  step = () => {}
  return copies
}

test('a process that is killed at any step leaves a whole service or none, and the next one creates it', async () => {
  let operator: string | null = null
  const copies = await killedAtEachStep(async (runtime) => {
    operator = (await create(folder, runtime)).operator
  }, 'first')
  expect(copies.length).toBeGreaterThan(10)
  const whole = copies.filter((copy) => existsSync(join(copy, 'checkout.json')))
  expect(whole.length).toBeGreaterThan(0)
  for (const copy of whole) {
    expect(await servedIn(copy), copy).toEqual({ operator, merchants: ['Corner Coffee'] })
    await expect(create(copy), copy).rejects.toThrow(FilesExistError)
  }
  for (const copy of copies.filter((copy) => !whole.includes(copy))) {
    expect(folderFault(copy, systemRuntime), copy).toBeNull()
    expect(() => verifyFolder(copy), copy).not.toThrow()
    const again = await create(copy)
    expect(await servedIn(copy), copy).toEqual({ operator: again.operator, merchants: ['Corner Coffee'] })
    expect(readdirSync(copy).sort(), copy).toEqual([
      ...['checkout.json', 'checkout.secrets.json', 'checkout.sqlite', 'checkout.sqlite.key'],
    ])
  }
})

test('a process that is killed while it replaces half a service leaves one that can be replaced', async () => {
  const hasNone = (copy: string) => !existsSync(join(copy, 'checkout.json'))
  const halves = (await killedAtEachStep((runtime) => create(folder, runtime), 'first')).filter(hasNone)
  folder = halves.at(-1) ?? ''
  const again = (await killedAtEachStep((runtime) => create(folder, runtime), 'second')).filter(hasNone)
  // Up to the new database: from there on it is as in an empty folder.
  const created = again.findIndex((copy) => copy.endsWith('chmodSync'))
  expect(created).toBeGreaterThan(5)
  for (const copy of again.slice(0, created)) {
    expect(folderFault(copy, systemRuntime), copy).toBeNull()
    await create(copy)
    expect((await servedIn(copy)).merchants, copy).toEqual(['Corner Coffee'])
  }
})

test('a process that stands still for hours while it creates a service loses nothing to another one', async () => {
  let hours = 0
  const runtime = { ...systemRuntime, nowMs: () => Date.now() + hours * 3_600_000 }
  const made = await initialise(answersFor(folder), {}, runtime, async () => {
    hours = 5
    await expect(initialise(answersFor(folder, 'Another'), {}, runtime)).rejects.toThrow(FolderBusyError)
  })
  expect(await servedIn(folder)).toEqual({ operator: made.operator, merchants: ['Corner Coffee'] })
  expect(existsSync(join(folder, lockName))).toBe(false)
})

test('what is refused leaves no folder', async () => {
  const wrong = { ...answersFor(folder), wallets: new Map<string, string>() }
  await expect(initialise(wrong, {}, systemRuntime)).rejects.toThrow('wallet: missing for base')
  await expect(initialise(answersFor(folder), { OPERATOR_PRIVATE_KEY: 'x' }, systemRuntime)).rejects.toThrow('must be')
  expect(existsSync(folder)).toBe(false)
})
