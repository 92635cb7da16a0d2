import type { Role } from '../../access/context/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import { integer, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

const sessions = table('dashboard_sessions', {
  id: text(),
  personId: text(),
  createdAtMs: integer(),
  endsAtMs: integer(),
  address: text(),
  browser: text(),
})

export type NewSession = ValuesOf<typeof sessions> & { tokenSha256: string }

export type SessionRow = {
  id: string
  personId: string
  personName: string
  role: Role
  merchantId: MerchantId
  endsAtMs: number
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.run(sql`
      insert into dashboard_sessions (${sessions.names}, token_sha256)
      values (${sessions.values(session)}, ${session.tokenSha256})`)
}

/** Undefined if there is no such session, it has ended, or its person was removed. */
export async function loadSession(tx: Tx, tokenSha256: string, nowMs: number): Promise<SessionRow | undefined> {
  return await tx.get<SessionRow>(sql`
      select s.id, s.person_id as "personId", p.name as "personName", p.role, p.merchant_id as "merchantId",
             s.ends_at_ms as "endsAtMs"
        from dashboard_sessions s join people p on p.id = s.person_id
       where s.token_sha256 = ${tokenSha256} and s.ends_at_ms > ${nowMs} and p.removed_at_ms is null`)
}

type ListedSession = ValuesOf<typeof sessions> & { personName: string }

/** Open sessions of a merchant's people, newest first, at most `limit`. */
export async function listSessions(
  tx: Tx,
  merchantId: MerchantId,
  nowMs: number,
  limit: number,
): Promise<ListedSession[]> {
  const rows = await tx.all<{ person_name: string }>(sql`
      select s.*, p.name as person_name
        from people p join dashboard_sessions s on s.person_id = p.id
       where p.merchant_id = ${merchantId} and s.ends_at_ms > ${nowMs}
       order by s.created_at_ms desc, s.id limit ${limit}`)
  return rows.map((row) => ({ ...sessions.parse(row), personName: row.person_name }))
}

/** Whether the session is still valid with that role. */
export async function isSessionGood(tx: Tx, { id, role }: Pick<SessionRow, 'id' | 'role'>, nowMs: number) {
  const row = await tx.get<{ id: string }>(sql`
      select s.id from dashboard_sessions s join people p on p.id = s.person_id
       where s.id = ${id} and s.ends_at_ms > ${nowMs} and p.removed_at_ms is null and p.role = ${role}`)
  return row !== undefined
}

/** Notifies the session's streams by its id. @returns whether it was an open session of the merchant's people. */
export async function endSession(tx: Tx, merchantId: MerchantId, id: string, atMs: number): Promise<boolean> {
  const ended = await tx.run(sql`
      update dashboard_sessions set ends_at_ms = ${atMs}
       where id = ${id} and ends_at_ms > ${atMs}
         and person_id in (select id from people where merchant_id = ${merchantId})`)
  if (ended > 0) tx.notify(id)
  return ended > 0
}

/** Ends all sessions of a person; notifies their streams by the person's id. */
export async function endSessionsOf(tx: Tx, personId: string, atMs: number): Promise<void> {
  tx.notify(personId)
  await tx.run(sql`
      update dashboard_sessions set ends_at_ms = ${atMs} where person_id = ${personId} and ends_at_ms > ${atMs}`)
}

/** @returns whether this was the challenge's first use. */
export async function useChallenge(tx: Tx, challengeSha256: string, endsAtMs: number): Promise<boolean> {
  const inserted = await tx.run(sql`
      insert into used_challenges (challenge_sha256, ends_at_ms) values (${challengeSha256}, ${endsAtMs})
      on conflict (challenge_sha256) do nothing`)
  return inserted > 0
}

/**
 * Deletes at most `limit` sessions, challenges and invitations each that ended before `beforeMs`. @returns the largest number
 * deleted from one table.
 */
export async function deleteEnded(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const sessions = await tx.run(sql`
      delete from dashboard_sessions
       where id in (select id from dashboard_sessions where ends_at_ms <= ${beforeMs} order by ends_at_ms limit ${limit})`)
  const challenges = await tx.run(sql`
      delete from used_challenges
       where challenge_sha256 in (select challenge_sha256 from used_challenges where ends_at_ms <= ${beforeMs}
                                   order by ends_at_ms limit ${limit})`)
  const invitations = await tx.run(sql`
      delete from invitations
       where token_sha256 in (select token_sha256 from invitations where ends_at_ms <= ${beforeMs}
                               order by ends_at_ms limit ${limit})`)
  return Math.max(sessions, challenges, invitations)
}
