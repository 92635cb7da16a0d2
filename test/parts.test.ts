import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { newSolanaKey } from '@stablecoin-checkout/bff/testing/solana'
import { afterAll, expect, test } from 'vitest'
import { modules, partOfFile } from '../bff/imports.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'bff/dist')
const loadedFiles = new URL('harness/loaded-files.mjs', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'stories-parts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** No node answers: a service is ready all the same. */
const rpcUrls = ['http://127.0.0.1:9']
const base = { shortName: 'base', rpcUrls, platformWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const solana = { shortName: 'solana', rpcUrls, platformWallet: 'So11111111111111111111111111111111111111112' }

type Settings = {
  parts: Record<string, boolean>
  networks: object[]
  relay?: object
  stablezact?: object
  mail?: object
  publicUrl?: string
}
const everything: Settings = {
  parts: { stores: true, tools: true, x402: true },
  networks: [base, solana],
  relay: {},
  stablezact: {},
  mail: { server: 'smtp://127.0.0.1:9', from: 'shop@shop.example' },
  publicUrl: 'https://pay.shop.example',
}

/** Starts the service as it is deployed, and stops it when it is ready. @returns the files that its process had read as code. */
async function filesInMemory(name: string, settings: Settings): Promise<string[]> {
  const config = join(folder, `${name}.json`)
  const loaded = join(folder, `${name}.loaded`)
  writeFileSync(config, JSON.stringify({ port: 0, database: `${name}.sqlite`, ...settings }))
  const child = spawn(process.execPath, ['--import', loadedFiles, join(dist, 'main.js')], {
    env: {
      PATH: process.env['PATH'],
      BFF_CONFIG: config,
      OPERATOR_PRIVATE_KEY: `0x${'ab'.repeat(32)}`,
      SOLANA_FEE_PAYER_KEY: newSolanaKey(systemRuntime),
      LOADED_FILES: loaded,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes('"msg":"ready"')) child.kill('SIGTERM')
  }
  expect(await ended, lines.join('\n')).toEqual([0, null])
  const urls = new Set(readFileSync(loaded, 'utf8').split('\n'))
  return [...urls].flatMap((url) => (url.startsWith('file:') ? sourcesOf(fileURLToPath(url)) : []))
}

/** @returns what a script was bundled of, as paths in the repository; a file that was not bundled, as it is. */
function sourcesOf(script: string): string[] {
  if (!script.startsWith(dist)) return [script.replace(root, '')]
  // The file that starts the program, and the bundler's own, are made of none of ours.
  if (!existsSync(`${script}.map`)) return []
  const { sources } = JSON.parse(readFileSync(`${script}.map`, 'utf8')) as { sources: string[] }
  return sources.map((source) => resolve(dist, source).replace(root, ''))
}

/** @returns the parts that any of the files are of, and those whose packages are among them. */
function partsAmong(files: readonly string[]): string[] {
  const ofFiles = files.map((file) => partOfFile(file))
  const ofPackages = Object.entries(modules.parts).flatMap(([name, { packages = [] }]) =>
    packages.some((one) => files.some((file) => file.includes(`node_modules/${one}/`))) ? [name] : [],
  )
  return [...new Set([...ofFiles, ...ofPackages])].filter((name) => name !== undefined).sort()
}

const allButPostgres = Object.keys(modules.parts)
  .filter((name) => !['postgres', 'commands', 'setup', 'tron'].includes(name))
  .sort()

test('everything that is on is in memory; PostgreSQL is not, on SQLite, and neither is any command, nor the set-up page', async () => {
  const files = await filesInMemory('everything', everything)
  expect(files).toContain('bff/src/app.ts')
  expect(partsAmong(files)).toEqual(allButPostgres)
})

test('the kernel alone has no code of any part in memory, nor of a package that only parts use', async () => {
  const off = { dashboard: false, links: false, tools: false, x402: false }
  const files = await filesInMemory('kernel', { parts: off, networks: [base] })
  expect(files).toContain('bff/src/app.ts')
  expect(partsAmong(files)).toEqual([])
})

const none = undefined as never
const { parts } = everything

/** Several at a time: a start takes seconds. */
test.each<[off: string[], settings: Partial<Settings>]>([
  [['mail', 'relay', 'solana', 'stablezact'], { networks: [base], relay: none, stablezact: none, mail: none }],
  [
    ['notices', 'stores', 'tools', 'x402'],
    { parts: { ...parts, notices: false, stores: false, tools: false, x402: false } },
  ],
  [
    ['dashboard', 'notices', 'reports', 'stores'],
    { parts: { ...parts, dashboard: false, stores: false, reports: false } },
  ],
  [
    ['dashboard', 'links', 'notices', 'stores', 'tools'],
    { parts: { links: false, tools: false, dashboard: false, reports: true, x402: true } },
  ],
])('%j switched off leave none of their code in memory, and that of all others', async (off, settings) => {
  const files = await filesInMemory(off.join('-'), { ...everything, ...settings })
  expect(partsAmong(files)).toEqual(allButPostgres.filter((name) => !off.includes(name)))
})
