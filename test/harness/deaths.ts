import type { Replica, Replicas } from './replicas.ts'
import type { Failpoint } from './striking-db.ts'
import { until } from './until.ts'

/** `provoke`: brings the replica to its failpoint, where its work alone would not. */
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
  /** Replicas with a failpoint that are alive together. */
  poolSize: number
  leaseMs?: number
  /** After each death, beside the start of the next replica. */
  afterEach: (dead: Replica) => Promise<unknown>
}

/**
 * Replicas die one after the other, on machines with clocks two minutes apart; those that were there before are stopped first, and nobody
 * is left in the end. Each death is one that whoever works comes to, so that the order is not always that of the list.
 * @throws {Error} naming the failpoints that no replica has come to.
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
    // Reported when the replica has ended, or does not.
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
