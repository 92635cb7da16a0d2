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

/** Processor time, memory and RPC calls of the real watcher for each new block of a busy chain, by the number of open deposits. */
export async function benchWatcher(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const chain = await startServer('busy-chain', [])
  const calls = async () => (await ask<{ calls: number }>(chain, 'calls')).calls
  try {
    const file = await bundle('watching')
    const rows: { open: number; cpuMs: number; calls: number; memoryMb: number }[] = []
    for (const open of opens) {
      const args = [join(folder, `${open}.sqlite`), chain.url, String(open), String(blocks)]
      const child = fork(file, args, { execArgv: [] })
      await once(child, 'message')
      const before = await calls()
      const [{ cpuMicroseconds, memoryMb }] = (await once(child, 'message')) as [Measured]
      rows.push({ open, cpuMs: cpuMicroseconds / 1000 / blocks, calls: ((await calls()) - before) / blocks, memoryMb })
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
