import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import type { Measure } from './fixtures.ts'
import { ask, startServer } from './server.ts'

const opens = [10, 1_000, 5_000]
const passes = 50

/** A pass every two seconds, the default, takes no more of one processor than this. */
const cpuMsMax = 100

/** Processor time and RPC calls of the real watcher for each look at Solana, by the number of open deposits. */
export async function benchSolana(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  const node = await startServer('solana-node', [])
  const calls = async () => (await ask<{ calls: number }>(node, 'calls')).calls
  try {
    const file = await bundle('watching-solana')
    const measures: Measure[] = []
    for (const open of opens) {
      const args = [join(folder, `${open}.sqlite`), node.url, String(open), String(passes)]
      const child = fork(file, args, { execArgv: [] })
      await once(child, 'message')
      const before = await calls()
      const [{ cpuMicroseconds }] = (await once(child, 'message')) as [{ cpuMicroseconds: number }]
      const [cpuMs, callsPerPass] = [cpuMicroseconds / 1000 / passes, ((await calls()) - before) / passes]
      const of = `${open.toLocaleString('en')} open deposits`
      // The newest slot and its time, and one for each hundred accounts.
      const callsMax = 2 + Math.ceil(open / 100)
      measures.push(
        {
          name: 'processor time a pass',
          case: of,
          unit: 'ms',
          value: Math.round(cpuMs * 100) / 100,
          ...(open === 1_000 && { target: `<= ${cpuMsMax}`, isGood: cpuMs <= cpuMsMax }),
        },
        {
          name: 'RPC calls a pass',
          case: of,
          value: callsPerPass,
          unit: 'calls',
          target: `<= ${callsMax}`,
          isGood: callsPerPass <= callsMax,
        },
      )
    }
    return measures
  } finally {
    node.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
