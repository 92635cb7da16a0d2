import { sql, type Tx } from '../../db/db.ts'
import { fixed, integer, json, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { ChannelKind, NoticeKind } from '../notice-kinds.ts'

const channels = table('notice_channels', {
  id: fixed(text()),
  merchantId: fixed(text<MerchantId>()),
  personId: fixed(text()),
  kind: fixed(text<ChannelKind>()),
  /** Sealed for the row `id`. */
  target: fixed(text()),
  targetDigest: fixed(text()),
  label: fixed(text()),
  kinds: json<readonly NoticeKind[]>(),
  language: text(),
  origin: fixed(text()),
  /** Null: nobody has opened the link that was sent to the address. */
  confirmedAtMs: orNull(integer()),
  failingSinceMs: orNull(integer()),
  createdAtMs: fixed(integer()),
})
export type Channel = ValuesOf<typeof channels>

/** A channel with unreadable kinds is read as one without kinds, so that its person can still see, change or remove it. */
function readable(row: object): Channel {
  try {
    return channels.parse(row)
  } catch {
    return channels.parse({ ...row, kinds: '[]' })
  }
}

/** A person's channels, oldest first. Their number is bounded. */
export async function listChannels(tx: Tx, personId: string): Promise<Channel[]> {
  const rows = await tx.all<object>(sql`
      select * from notice_channels where person_id = ${personId} order by created_at_ms, id`)
  return rows.map(readable)
}

/** The confirmed channels of people who may sign in to one of the merchants. @param onBroken - Called for each unreadable row. */
export async function channelsOf(
  tx: Tx,
  merchantIds: readonly MerchantId[],
  onBroken: (id: string, error: unknown) => void,
): Promise<Channel[]> {
  const found: Channel[] = []
  for (const merchantId of merchantIds) {
    const rows = await tx.all<{ id: string }>(sql`
        select c.* from notice_channels c join people p on p.id = c.person_id
         where c.merchant_id = ${merchantId} and c.confirmed_at_ms is not null and p.removed_at_ms is null`)
    for (const row of rows) {
      try {
        found.push(channels.parse(row))
      } catch (error) {
        onBroken(row.id, error)
      }
    }
  }
  return found
}

/** The merchants whose people have a channel. */
export async function notifiedMerchants(tx: Tx): Promise<MerchantId[]> {
  const rows = await tx.all<{ id: MerchantId }>(sql`
      select distinct merchant_id as id from notice_channels order by merchant_id`)
  return rows.map(({ id }) => id)
}

/** Undefined when there is no such channel, or its person was removed. */
export async function loadChannel(tx: Tx, id: string): Promise<Channel | undefined> {
  const row = await channelRow(tx, id)
  return row && channels.parse(row)
}

/** Reads an unreadable channel as one without kinds, so that whoever has its link can always stop it. */
export async function loadStoppable(tx: Tx, id: string): Promise<Channel | undefined> {
  const row = await channelRow(tx, id)
  return row && readable(row)
}

const channelRow = (tx: Tx, id: string): Promise<object | undefined> =>
  tx.get<object>(sql`
      select c.* from notice_channels c join people p on p.id = c.person_id
       where c.id = ${id} and p.removed_at_ms is null`)

/** @returns false when the person has this target already. */
export async function insertChannel(tx: Tx, channel: Channel): Promise<boolean> {
  const inserted = await tx.run(sql`
      insert into notice_channels (${channels.names}) values (${channels.values(channel)})
      on conflict (person_id, target_digest) do nothing`)
  return inserted > 0
}

/** @returns false when there is no such channel, or it was added up to `sinceMs` and never confirmed. */
export async function confirmChannel(tx: Tx, id: string, sinceMs: number, nowMs: number): Promise<boolean> {
  const confirmed = await tx.run(sql`
      update notice_channels set confirmed_at_ms = coalesce(confirmed_at_ms, ${nowMs})
       where id = ${id} and (confirmed_at_ms is not null or created_at_ms > ${sinceMs})`)
  return confirmed > 0
}

export async function saveKinds(tx: Tx, id: string, kinds: readonly NoticeKind[], language: string): Promise<void> {
  const stored = JSON.stringify(kinds)
  await tx.run(sql`update notice_channels set kinds = ${stored}, language = ${language} where id = ${id}`)
}

/** @param failed - Null: the last message was accepted. */
export async function saveHealth(tx: Tx, id: string, failed: { atMs: number } | null): Promise<void> {
  if (failed === null) {
    await tx.run(sql`
        update notice_channels set failing_since_ms = null where id = ${id} and failing_since_ms is not null`)
  } else {
    await tx.run(sql`
        update notice_channels set failing_since_ms = ${failed.atMs} where id = ${id} and failing_since_ms is null`)
  }
}

export async function deleteChannel(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from notices where channel_id = ${id}`)
  await tx.run(sql`delete from notice_channels where id = ${id}`)
}

/** Unconfirmed channels added up to `beforeMs`, at most `limit`. @returns their ids. */
export async function unconfirmedChannels(tx: Tx, beforeMs: number, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(sql`
      select id from notice_channels where confirmed_at_ms is null and created_at_ms <= ${beforeMs}
       order by created_at_ms limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** The channels of removed people, at most `limit`. @returns their ids. */
export async function foreignChannels(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(sql`
      select c.id from notice_channels c join people p on p.id = c.person_id
       where p.removed_at_ms is not null order by c.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
