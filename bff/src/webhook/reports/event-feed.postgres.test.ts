import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'

let replicas: AppFixture[]
beforeEach(async () => {
  const first = await openApp()
  replicas = [first, await openApp({}, first), await openApp({}, first)]
})
afterEach(async () => {
  for (const replica of replicas.toReversed()) await replica.close()
})

type Page = { events: { data: { id: string } }[]; next: string }

/** Pages through the feed without a rest until `isOver`, and then to its end. @returns the payments in their order. */
async function follow(reader: AppFixture, isOver: () => boolean): Promise<string[]> {
  const seen: string[] = []
  let after = '0'
  for (;;) {
    const isLast = isOver()
    const answer = await reader.fetch(`/api/v1/events?after=${after}&limit=7`, { headers: reader.keys.secret })
    const { events, next } = (await answer.json()) as Page
    seen.push(...events.map(({ data }) => data.id))
    if (events.length === 0 && isLast) return seen
    after = next
  }
}

async function create(replica: AppFixture): Promise<string> {
  const answer = await replica.fetch('/api/v1/deposits/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID(), ...replica.keys.secret },
    body: JSON.stringify(order),
  })
  return ((await answer.json()) as { payment: { id: string } }).payment.id
}

test('who pages through the feed of events while two replicas write skips none of them, and reads none twice', async () => {
  const [reader, one, two] = replicas
  if (!reader || !one || !two) throw new Error('no replicas')
  let isOver = false
  const following = follow(reader, () => isOver)
  const made: string[] = []
  const rounds = 25
  const batch = 10
  const write = async (replica: AppFixture) => {
    for (let round = 0; round < rounds; round++) {
      made.push(...(await Promise.all(Array.from({ length: batch }, () => create(replica)))))
    }
  }
  await Promise.all([write(one), write(two)])
  isOver = true
  const seen = await following
  expect(seen).toHaveLength(2 * rounds * batch)
  expect(new Set(seen)).toEqual(new Set(made))
})
