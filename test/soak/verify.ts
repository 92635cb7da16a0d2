import { strict as assert } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Devnet } from '@stablecoin-checkout/rig/devnet/devnet'
import type pg from 'pg'
import { until } from '../harness/until.ts'
import { amount, type openBlocks } from './customers.ts'
import type { Accepted } from './receivers.ts'

const feedEveryMs = 500

export async function count(client: pg.Client, text: string, ...values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ count: string }>(text, values)
  return Number(rows[0]?.count)
}

type Blocks = ReturnType<typeof openBlocks>

/** Of both wallets, in base units, and what the operator has sent. */
export async function readChain({ networks: [network], operator }: Devnet, { balance, nonce }: Blocks) {
  const [merchant, platform] = [await balance(network.merchantWallet), await balance(network.platformWallet)]
  return { merchant, platform, nonce: await nonce(operator.address) }
}

type OnChain = Awaited<ReturnType<typeof readChain>>

/** Merchant and platform have their whole shares of everything that was paid. */
export async function verifyMoney(client: pg.Client, paid: number, before: OnChain, after: OnChain): Promise<void> {
  assert.equal(await count(client, `select count(*) from payments where status = 'swept'`), paid, 'payments swept')
  assert.equal(after.merchant - before.merchant, amount.merchant * BigInt(paid), 'the money of the merchant')
  assert.equal(after.platform - before.platform, amount.platform * BigInt(paid), 'the money of the platform')
}

/** Every transaction in a block is one that the database knows, each at a nonce of its own. */
export async function verifyNonces(client: pg.Client, before: OnChain, after: OnChain): Promise<void> {
  const { rows } = await client.query<{ nonce: string }>(
    `select nonce from outgoing_transactions where state <> 'failed' and state <> 'replaced' order by nonce`,
  )
  assert.deepEqual(
    rows.map(({ nonce }) => Number(nonce)),
    Array.from({ length: after.nonce - before.nonce }, (_, index) => before.nonce + index),
    'the nonces of the operator',
  )
}

/** Of each payment every event came, in the order of its sequence. */
export async function verifyWebhooks(client: pg.Client, { sequences }: Accepted, hangingUrl: string): Promise<void> {
  const { rows } = await client.query<{ id: string; count: string }>(
    `select e.payment_id as id, count(*) as count from events e join payments p on p.id = e.payment_id
      where p.callback_url <> $1 group by e.payment_id`,
    [hangingUrl],
  )
  for (const { id, count } of rows)
    assert.deepEqual(
      sequences.get(id),
      Array.from({ length: Number(count) }, (_, index) => index + 1),
      `webhooks of ${id}`,
    )
  assert.equal(sequences.size, rows.length, 'payments that the merchant was notified of')
}

/** Reads the feed of events as a merchant does who has no webhooks. */
export function followFeed(url: () => string | undefined, headers: Record<string, string>) {
  const numbers: number[] = []
  let isFollowing = true

  async function readPage(): Promise<number> {
    const path = `/api/v1/events?after=${numbers.at(-1) ?? 0}&limit=100`
    const response = await fetch(`${url()}${path}`, { headers, signal: AbortSignal.timeout(10_000) })
    if (response.status !== 200) return 0
    const { events } = (await response.json()) as { events: { cursor: string }[] }
    numbers.push(...events.map(({ cursor }) => Number(cursor)))
    return events.length
  }

  const following = (async () => {
    while (isFollowing) if ((await readPage().catch(() => 0)) === 0) await sleep(feedEveryMs)
  })()
  return {
    async stop(): Promise<void> {
      isFollowing = false
      await following
    },
    /** It has shown every event, each once, in the order of the commits. */
    async verify(client: pg.Client): Promise<void> {
      await until(
        'the feed to be read',
        async () => numbers.at(-1) === (await count(client, 'select max(number) as count from events')),
      )
      const { rows } = await client.query<{ number: string }>('select number from events order by number')
      assert.deepEqual(
        numbers,
        rows.map(({ number }) => Number(number)),
        'the feed of events',
      )
    },
  }
}
