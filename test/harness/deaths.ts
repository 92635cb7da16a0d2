import type { Replica, Replicas } from './replicas.ts'
import type { Failpoint } from './striking-db.ts'
import { until } from './until.ts'

/** `provoke`: makes the replica reach its failpoint if its work alone would not. */
export type Death = { name: string; failpoint: Failpoint; provoke?: (replica: Replica) => Promise<unknown> }

type Make = (name: string, writes: readonly string[], nth?: number) => Death[]

const make =
  (...moments: Failpoint['at'][]): Make =>
  (name, writes, nth = 1) =>
    moments.map((at) => ({ name: `${name}, ${at}`, failpoint: { writes, nth, at } }))

/** A death before the commit, or two: before it, and right after it. */
export const before = make('inside')
export const both = make('inside', 'after')

type DeathOptions = {
  /** Concurrent replicas with a failpoint. */
  poolSize: number
  leaseMs?: number
  /** Runs after each death, while the next replica starts. */
  afterEach: (dead: Replica) => Promise<unknown>
}

/**
 * Replicas die one after the other, on machines whose clocks differ by two minutes; earlier replicas are stopped first, and none
 * is left at the end. A death happens at whichever failpoint is reached, so the order may differ from the list.
 * @throws {Error} naming the failpoints that no replica has reached.
 */
export async function playDeaths(
  story: Pick<Replicas, 'start' | 'alive'>,
  deaths: readonly Death[],
  { poolSize, leaseMs, afterEach }: DeathOptions,
): Promise<void> {
  const waiting = deaths.entries()
  const pool: { name: string; replica: Replica; provoked: Promise<unknown> | undefined }[] = []
  async function startNext(): Promise<void> {
    const { value } = waiting.next()
    if (!value) return
    const [index, { name, failpoint, provoke }] = value
    const replica = await story.start({ failpoint, aheadMs: index % 2 === 0 ? 120_000 : -120_000, leaseMs })
    const provoked = provoke?.(replica)
    // Reported by whether the replica ends.
    provoked?.catch(() => undefined)
    pool.push({ name, replica, provoked })
  }
  const whole = story.alive()
  await Promise.all(Array.from({ length: poolSize }, startNext))
  for (const replica of whole) await replica.stop()
  while (pool.length > 0) {
    const names = pool.map(({ name }) => `"${name}"`).join(' or ')
    const dead = await until(`a replica to come to its failpoint ${names}, which none has reached`, () =>
      pool.find(({ replica }) => replica.isDead()),
    )
    if (!dead.replica.wasKilled()) throw new Error(`A replica ended by itself, and not at "${dead.name}"`)
    await dead.provoked
    pool.splice(pool.indexOf(dead), 1)
    await Promise.all([startNext(), afterEach(dead.replica)])
  }
}
