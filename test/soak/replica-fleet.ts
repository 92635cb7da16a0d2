import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launch } from '../harness/process.ts'
import { until } from '../harness/until.ts'

const main = fileURLToPath(new URL('../../bff/dist/main.js', import.meta.url))

/** As the unit of systemd waits before it starts a service again. */
const restartMs = 1_000

/** A replica has opened its connections and compiled what it runs. */
const warmMs = 30_000

export type Replica = { number: number; url: string; startedAtMs: number; process: ReturnType<typeof launch> }

/** Resident memory of a replica at an age of the run, in MB. */
type Memory = { atMs: number; megabytes: number }

/** Services on one database, of which one is killed now and then and started again. */
export function openFleet(env: Readonly<Record<string, string>>, folder: string) {
  const replicas: Replica[] = []
  const memory: Memory[] = []
  let turns = 0
  let isOpen = true

  async function start(number: number): Promise<void> {
    let url: string | undefined
    const process = launch({
      args: [main],
      env,
      logPath: join(folder, `replica-${number}.log`),
      onLine(line) {
        if (line.includes('"msg":"ready"')) url = (JSON.parse(line) as { url: string }).url
      },
    })
    const ready = await until(
      'a replica to be ready',
      () => (process.exitCode() === undefined ? url : 'ended'),
      120_000,
    )
    if (ready === 'ended') throw new Error(`Replica ${number} ended; see ${folder}`)
    replicas.push({ number, url: ready, startedAtMs: performance.now(), process })
  }

  return {
    start,
    alive: (): readonly Replica[] => replicas,
    /** The next one in turn. */
    next(): Replica | undefined {
      turns += 1
      return replicas[turns % Math.max(replicas.length, 1)]
    },
    /** SIGKILL; it is started again as an operator's machine does. @returns once it has ended. */
    async kill(replica: Replica): Promise<void> {
      replicas.splice(replicas.indexOf(replica), 1)
      await replica.process.kill()
      void sleep(restartMs).then(() => (isOpen ? start(replica.number) : undefined))
    },
    sampleMemory(): void {
      const atMs = performance.now()
      for (const { process, startedAtMs } of replicas) {
        if (atMs - startedAtMs < warmMs) continue
        const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(process.pid)], { encoding: 'utf8' })
        memory.push({ atMs, megabytes: Number(kilobytes) / 1024 })
      }
    },
    memory: (): readonly Memory[] => memory,
    async close(): Promise<void> {
      isOpen = false
      await Promise.all(replicas.map(({ process }) => process.stop()))
    },
  }
}
