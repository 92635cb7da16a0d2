import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listLeases, listReplicas, openDatabase, sql } from '@stablecoin-checkout/bff/testing/db'
import { startPostgres, urlOf } from '@stablecoin-checkout/rig/postgres-server'
import { afterAll, expect } from 'vitest'
import { openBff, type PaymentBody, type Program } from './bff.ts'
import { readBooks } from './books.ts'
import { type FeedEvent, openJudge } from './judge.ts'
import { type LoadOptions, openLoad, readPayment, within } from './load.ts'
import { openStory, type StoryOptions } from './story.ts'
import type { Trouble } from './striking-db.ts'
import { until } from './until.ts'

/** A takeover takes up to 8 s, and the machine may be busy. */
const patienceMs = 60_000

/** Pause between two blocks, and between two reads of the feed. */
const pauseMs = 200

const logs = fileURLToPath(new URL('../.results/logs/', import.meta.url))

export type Replica = ReturnType<typeof openBff>

type FeedData = { id: string; sequence: number; bridgeStatus: string | null }

export type Replicas = Awaited<ReturnType<typeof openReplicas>>

/** A story on PostgreSQL, whose service may run as many processes. */
export async function openReplicas(name: string, options: Omit<StoryOptions, 'database'> = {}) {
  const server = await startPostgres()
  afterAll(() => server.stop())
  const story = await openStory(name, { ...options, database: server.url })
  const { chain, receiver, files, merchant } = story
  const db = await openDatabase(server.url)
  afterAll(() => db.close())
  const replicas: Replica[] = [story.bff]
  afterAll(async () => {
    for (const replica of replicas) await replica.kill()
  })

  const paused = new Set<Replica>()
  const started: Replica[] = [story.bff]
  const alive = () => started.filter((replica) => !replica.isDead() && !paused.has(replica))

  /** Calls any replica that responds, as a load balancer does. */
  async function ask<Answer>(act: (replica: Replica) => Promise<Answer | undefined>): Promise<Answer> {
    return await until(
      'a replica to answer',
      async () => {
        for (const replica of inTurn()) {
          const answer = await within(act(replica)).catch(() => undefined)
          if (answer !== undefined) return answer
        }
        return undefined
      },
      patienceMs,
    )
  }

  let turns = 0
  /** The responding replicas, starting with another one each time. */
  function inTurn(): Replica[] {
    const all = alive()
    turns += 1
    const turn = turns % Math.max(all.length, 1)
    return [...all.slice(turn), ...all.slice(0, turn)]
  }

  async function readFeed(after: number): Promise<FeedEvent[]> {
    const { body } = await ask(async (replica) => {
      const answer = await replica.get(`/events?after=${after}&limit=100`)
      return answer.status === 200 ? answer : undefined
    })
    const events = body['events'] as { cursor: string; type: string; data: FeedData }[]
    return events.map(({ cursor, type, data: { id, sequence, bridgeStatus } }) => ({
      number: Number(cursor),
      paymentId: id,
      sequence,
      type,
      ...(type === 'bridge.moved' && { bridgeStatus }),
    }))
  }

  async function wholeFeed(): Promise<FeedEvent[]> {
    const all: FeedEvent[] = []
    for (;;) {
      const page = await readFeed(all.at(-1)?.number ?? 0)
      if (page.length === 0) return all
      all.push(...page)
    }
  }

  async function mineSlowly(): Promise<void> {
    await sleep(pauseMs)
    await chain.mine(1)
    // No faster: signed transactions are sent within 150 blocks, even on a busy machine.
    await story.onSolana?.chain.advance(2)
  }

  return {
    ...story,
    server,
    db,
    alive,

    /** Starts another replica. One with a failpoint may die before it is ready. */
    async start({ program = files.program, ...trouble }: Trouble & { program?: Program } = {}): Promise<Replica> {
      const logPath = `${logs}${name}-${replicas.length + 1}.log`
      rmSync(logPath, { force: true })
      const replica = openBff({ ...files, logPath, program }, merchant, receiver.url)
      replicas.push(replica)
      await replica.start(trouble)
      started.push(replica)
      return replica
    },

    /** Waits until the replica has stopped itself at its failpoint; it gets no requests from then on. */
    async stopped(replica: Replica): Promise<void> {
      paused.add(replica)
      await until('the replica to be stopped', replica.isStopped)
    },
    resume(replica: Replica): void {
      replica.resume()
      paused.delete(replica)
    },

    /** The replica that works for a network; `*`: for all webhooks, expiry and bridges. */
    async holderOf(lease = 'devnet'): Promise<Replica | undefined> {
      const [leases, rows] = await db.read(async (tx) => [await listLeases(tx), await listReplicas(tx, 100)] as const)
      const holder = leases.find((one) => one.name === lease && one.leftMs > 0)?.holder
      const url = rows.find(({ id }) => id === holder)?.url
      return alive().find((replica) => replica.url() === url)
    },

    /** Creates a deposit of 25.00 and pays it. */
    async payOne(): Promise<PaymentBody> {
      const payment = await ask((replica) => replica.createDeposit({ amount: '25.00' }))
      await chain.pay(payment.depositAddress, '25.00')
      return payment
    },

    /** Starts two replicas simultaneously on a separate, empty database. @returns them, and their files. */
    async startTwins() {
      await server.run('create database empty')
      const env = { ...files.env, DATABASE_URL: urlOf(server.url, 'empty') }
      const twins = [1, 2].map((number) => {
        const twin = openBff({ ...files, env, logPath: `${logs}${name}-twin-${number}.log` }, merchant, receiver.url)
        replicas.push(twin)
        return twin
      })
      await Promise.all(twins.map((twin) => twin.start()))
      return { twins, files: { ...files, env } }
    },

    /** The books match the chain at any moment, whatever is pending. */
    expectCleanBooks,

    /**
     * Ends a dead replica's leases, so that another takes them immediately. A replica has no URL for its first second, alive or
     * dead.
     */
    async endLeasesOf(dead: Replica): Promise<void> {
      await db.write((tx) =>
        tx.run(sql`
            update leases set ends_at_ms = 0
             where holder in (select id from replicas where url = ${dead.url()} or url is null)`),
      )
    },

    /**
     * Customers and merchant work continuously: creates at all replicas, payments of each kind, and the feed of events. @returns
     * a handle that ends it, and compares money, nonces, webhooks and feed.
     */
    async beginLoad(options: LoadOptions = {}) {
      const earned = await story.openTill()
      const judge = await openJudge(story, db)
      const before = (await wholeFeed()).at(-1)?.number ?? 0
      const followed: FeedEvent[] = []
      const load = openLoad(story, inTurn, options)
      let isFollowing = true
      const following = (async () => {
        while (isFollowing) {
          followed.push(...(await readFeed(followed.at(-1)?.number ?? before)))
          await sleep(pauseMs)
        }
      })()
      return {
        /** Payments made so far; grows. */
        paid: load.paid,
        /**
         * Each payment swept once and refunded once, each transaction with its own nonce, every webhook in order, the feed
         * without gaps.
         */
        async expectToClose(program?: Program): Promise<void> {
          await load.stop()
          for (const { id, kind } of load.paid) {
            await until(
              `payment ${id} (${kind}) to end`,
              async () => {
                const isEnded = load.isEnded(await ask((replica) => readPayment(replica, id)))
                if (!isEnded) await mineSlowly()
                return isEnded
              },
              patienceMs,
            )
          }
          expect(await earned()).toEqual(load.shares())
          await load.expectRefundedOnce()
          await judge.expectPayoutsOnce(load.paid)
          await judge.expectNoncesOnce()
          await expectCleanBooks(program)
          isFollowing = false
          await following
          const stored = (await wholeFeed()).filter(({ number }) => number > before)
          for (let last = -1; last !== followed.length; ) {
            last = followed.length
            followed.push(...(await readFeed(followed.at(-1)?.number ?? before)))
          }
          expect(followed).toEqual(stored)
          await judge.expectTold(load.paid, stored)
        },
      }
    },
  }

  async function expectCleanBooks(program?: Program): Promise<void> {
    const { exitCode, stderr, books } = await readBooks(story, [], {}, program)
    const differences = books?.networks.flatMap((network) => network.differences)
    expect({ exitCode, stderr, differences }).toEqual({ exitCode: 0, stderr: '', differences: [] })
  }
}
