import { sql, type Tx } from '../../db/db.ts'
import { integer, json, table, text, type ValuesOf } from '../../db/table.ts'
import type { ChannelKind, Facts, NoticeKind } from '../notice-kinds.ts'

/** Waiting notices of one channel. More are dropped; the summary then says that there were at least so many. */
export const waitingMax = 1_000

const notices = table('notices', {
  channelId: text(),
  subject: text(),
  /** `test`: sent when a channel is added. */
  kind: text<NoticeKind | 'test'>(),
  facts: json<Facts>(),
  attempts: integer(),
  createdAtMs: integer(),
})
type NewNotice = ValuesOf<typeof notices>
export type Notice = NewNotice & { number: number }

/** Inserts a notice once for each channel and subject. */
export async function insertNotice(tx: Tx, notice: Omit<NewNotice, 'attempts'>): Promise<void> {
  const row = { ...notice, attempts: 0 }
  await tx.run(sql`
      insert into notices (${notices.names}, due_at_ms)
      select ${notices.values(row)}, ${notice.createdAtMs}
       where (select count(*) from (
                select 1 from notices where channel_id = ${notice.channelId} and due_at_ms is not null
                 limit ${waitingMax}) waiting) < ${waitingMax}
      on conflict (channel_id, subject) do nothing`)
}

/** Channels with a due notice, at most `limit`: the merchants take turns, and each one's channel that is due longest comes first. */
export async function dueChannels(tx: Tx, nowMs: number, limit: number): Promise<{ id: string; kind: ChannelKind }[]> {
  return await tx.all<{ id: string; kind: ChannelKind }>(sql`
      select id, kind
        from (select c.id, c.kind, min(n.due_at_ms) as due_at_ms,
                     row_number() over (partition by c.merchant_id order by min(n.due_at_ms), c.id) as turn
                from notices n join notice_channels c on c.id = n.channel_id
               where n.due_at_ms is not null and n.due_at_ms <= ${nowMs}
               group by c.id, c.kind, c.merchant_id) as due
       order by turn, due_at_ms, id limit ${limit}`)
}

/** The due notices of a channel, oldest first. */
export async function dueNotices(tx: Tx, channelId: string, nowMs: number): Promise<Notice[]> {
  const rows = await tx.all<{ number: number }>(sql`
      select number, ${notices.names} from notices
       where channel_id = ${channelId} and due_at_ms is not null and due_at_ms <= ${nowMs}
       order by number limit ${waitingMax}`)
  return rows.map((row) => ({ ...notices.parse(row), number: Number(row.number) }))
}

/** The messages sent to a channel since a time. */
export type Recent = { messages: number; firstAtMs: number | null; summaryAtMs: number | null }

export async function recentMessages(tx: Tx, channelId: string, sinceMs: number): Promise<Recent> {
  const rows = await tx.all<{ count: number; at_ms: number }>(sql`
      select message, count(*) as count, max(sent_at_ms) as at_ms from notices
       where channel_id = ${channelId} and sent_at_ms > ${sinceMs} and kind not in ('trouble', 'test')
       group by message order by max(sent_at_ms)`)
  const summary = rows.findLast(({ count }) => Number(count) > 1)
  return {
    messages: rows.length,
    firstAtMs: rows[0] ? Number(rows[0].at_ms) : null,
    summaryAtMs: summary ? Number(summary.at_ms) : null,
  }
}

/** Counts an attempt before its message is sent, and keeps other processes from repeating it before `dueAtMs`. */
export async function beginAttempt(tx: Tx, group: readonly Notice[], message: string, dueAtMs: number): Promise<void> {
  for (const { number } of group) {
    await tx.run(sql`
        update notices set attempts = attempts + 1, message = ${message}, due_at_ms = ${dueAtMs}
         where number = ${number} and due_at_ms is not null`)
  }
}

export async function delayNotices(tx: Tx, group: readonly Notice[], dueAtMs: number): Promise<void> {
  for (const { number } of group) {
    await tx.run(sql`
        update notices set due_at_ms = ${dueAtMs} where number = ${number} and due_at_ms is not null`)
  }
}

/** @param sentAtMs - Null: the notices were given up. */
export async function endNotices(tx: Tx, group: readonly Notice[], sentAtMs: number | null): Promise<void> {
  for (const { number } of group) {
    await tx.run(sql`
        update notices set due_at_ms = null, sent_at_ms = ${sentAtMs} where number = ${number} and due_at_ms is not null`)
  }
}

/** Counts an attempt and delays a channel's due notices; after the last attempt they are given up. For unreadable channels. */
export async function failNotices(
  tx: Tx,
  channelId: string,
  { nowMs, dueAtMs, attemptsMax }: { nowMs: number; dueAtMs: number; attemptsMax: number },
): Promise<void> {
  await tx.run(sql`
      update notices
         set attempts = attempts + 1, due_at_ms = case when attempts + 1 >= ${attemptsMax} then null else cast(${dueAtMs} as bigint) end
       where channel_id = ${channelId} and due_at_ms is not null and due_at_ms <= ${nowMs}`)
}

/** Deletes waiting notices of a kind that the person has turned off. */
export async function dropWaiting(tx: Tx, channelId: string, kind: NoticeKind): Promise<void> {
  await tx.run(sql`
      delete from notices where channel_id = ${channelId} and kind = ${kind} and due_at_ms is not null`)
}

/** Deletes at most `limit` notices that were sent or given up, and made up to `beforeMs`. @returns how many. */
export async function deleteDone(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from notices
       where number in (select number from notices where due_at_ms is null and created_at_ms <= ${beforeMs}
                         order by created_at_ms limit ${limit})`)
}
