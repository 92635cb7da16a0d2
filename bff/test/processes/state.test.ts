import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeDataDir } from './state.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'demo-data-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('files of an earlier demo are removed', () => {
  writeFileSync(join(dataDir, 'checkout.sqlite'), 'old')
  takeDataDir(dataDir)
  expect(readdirSync(dataDir)).toEqual(['supervisor.pid'])
})

test('a running demo keeps its folder', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '/shop/demo/dist/main.js'])
  try {
    await once(other, 'spawn')
    writeFileSync(join(dataDir, 'supervisor.pid'), String(other.pid))
    writeFileSync(join(dataDir, 'checkout.sqlite'), 'in use')
    expect(() => takeDataDir(dataDir)).toThrow(`A demo is already running (process ${other.pid}).`)
    expect(existsSync(join(dataDir, 'checkout.sqlite'))).toBe(true)
  } finally {
    other.kill('SIGKILL')
  }
})

test('a folder of a killed demo is taken over, even if its process id was reused', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  try {
    await once(other, 'spawn')
    for (const pid of [String(other.pid), '999999999', 'nonsense', '']) {
      writeFileSync(join(dataDir, 'supervisor.pid'), pid)
      const leave = takeDataDir(dataDir)
      leave()
      expect(readdirSync(dataDir)).toEqual([])
    }
  } finally {
    other.kill('SIGKILL')
  }
})
