import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import type { Measure } from './fixtures.ts'
import { ask, startServer } from './server.ts'

const opens = [10, 1_000, 100_000]
const blocks = 300

const caseOf = (open: number): string => `${open.toLocaleString('en')} open deposits`

type Measured = { cpuMicroseconds: number; memoryMb: number }

type Watched = { open: number; cpuMs: number; calls: number; memoryMb: number }
type Watching = { file: string; folder: string; chain: Awaited<ReturnType<typeof startServer>> }

/** What a block costs the watcher with so many open deposits. */
async function watchOpen(
  { file, folder, chain }: Watching,
  open: number,
  kind: 'forwarder' | 'direct',
): Promise<Watched> {
  const calls = async () => (await ask<{ calls: number }>(chain, 'calls')).calls
  const args = [join(folder, `${kind}-${open}.sqlite`), chain.url, String(open), String(blocks), kind]
  const child = fork(file, args, { execArgv: [] })
  await once(child, 'message')
  const before = await calls()
  const [{ cpuMicroseconds, memoryMb }] = (await once(child, 'message')) as [Measured]
  return { open, cpuMs: cpuMicroseconds / 1000 / blocks, calls: ((await calls()) - before) / blocks, memoryMb }
}

/** RPC calls of the watcher a block, with few and with many open deposits at addresses of the merchant's own wallet. */
export async function benchDirectWatching(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const chain = await startServer('busy-chain', [])
  try {
    const file = await bundle('watching')
    const few = await watchOpen({ file, folder, chain }, 10, 'direct')
    const many = await watchOpen({ file, folder, chain }, 100_000, 'direct')
    const rows = [few, many].map(({ open, calls }) => ({ case: `${open.toLocaleString('en')} open addresses`, calls }))
    const ratio = Math.round((many.calls / few.calls) * 100) / 100
    return [
      ...rows.map(({ case: of, calls }) => ({
        name: 'RPC calls a block',
        case: of,
        value: Math.round(calls * 100) / 100,
        unit: 'calls',
      })),
      {
        name: 'RPC calls a block',
        ratioTo: 'that of 10',
        case: rows[1]?.case ?? '',
        value: ratio,
        unit: 'x',
        target: '<= 1.1',
        isGood: ratio <= 1.1,
      },
    ]
  } finally {
    chain.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Processor time, memory and RPC calls of the real watcher for each new block of a busy chain, by the number of open deposits. */
export async function benchWatcher(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const chain = await startServer('busy-chain', [])
  try {
    const file = await bundle('watching')
    const rows: Watched[] = []
    for (const open of opens) {
      rows.push(await watchOpen({ file, folder, chain }, open, 'forwarder'))
    }
    const [few, , many] = rows
    const ratio = Math.round(((many?.cpuMs ?? 0) / (few?.cpuMs ?? 1)) * 100) / 100
    return [
      ...rows.flatMap(({ open, cpuMs, calls, memoryMb }): Measure[] => [
        {
          name: 'processor time a block',
          case: caseOf(open),
          value: Math.round(cpuMs * 100) / 100,
          unit: 'ms',
        },
        {
          name: 'RPC calls a block',
          case: caseOf(open),
          value: Math.round(calls * 100) / 100,
          unit: 'calls',
        },
        { name: 'memory of the process', case: caseOf(open), value: Math.round(memoryMb), unit: 'MB' },
      ]),
      {
        name: 'processor time a block',
        ratioTo: 'that of 10',
        case: caseOf(many?.open ?? 0),
        value: ratio,
        unit: 'x',
        target: '<= 2',
        isGood: ratio <= 2,
      },
    ]
  } finally {
    chain.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
