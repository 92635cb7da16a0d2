import type { Role } from '../../access/context/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import { flag, integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

const invitations = table('invitations', {
  tokenSha256: text(),
  merchantId: text<MerchantId>(),
  /** The person whose passkeys it replaces; null: it creates a person. */
  personId: orNull(text()),
  name: text(),
  role: text<Role>(),
  /** Signs in without a passkey, and can be opened repeatedly. */
  isDemo: flag(),
  /** The person who created it; null: the command line. */
  invitedBy: orNull(text()),
  createdAtMs: integer(),
  endsAtMs: integer(),
})
export type Invitation = ValuesOf<typeof invitations>

export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  await tx.run(sql`insert into invitations (${invitations.names}) values (${invitations.values(invitation)})`)
}

/** Checked at each use: a removed owner's pending request may commit an invitation after the removal has deleted the others. */
const inviterStays = sql`(invited_by is null or exists (
    select 1 from people o where o.id = invited_by and o.role = 'owner' and o.removed_at_ms is null))`

/** Undefined if it does not exist, was used or has expired, or if its creator is no longer an owner. */
export async function loadInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<Invitation | undefined> {
  const row = await tx.get<object>(sql`
      select * from invitations
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs} and ${inviterStays}`)
  return row && invitations.parse(row)
}

/** @returns whether this was its first use, before it expired. */
export async function useInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<boolean> {
  const used = await tx.run(sql`
      update invitations set used_at_ms = ${nowMs}
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs} and ${inviterStays}`)
  return used > 0
}

/** Stores the person whom a demo link signs in, at its first use. */
export async function nameInvited(tx: Tx, tokenSha256: string, personId: string): Promise<void> {
  await tx.run(sql`update invitations set person_id = ${personId} where token_sha256 = ${tokenSha256}`)
}

/** The hash serves as id without revealing the token. `inviterName` is null for the command line. */
type ListedInvitation = Invitation & { inviterName: string | null }

/** A merchant's invitations that can still be accepted, newest first, at most `limit`. */
export async function listInvitations(
  tx: Tx,
  merchantId: MerchantId,
  nowMs: number,
  limit: number,
): Promise<ListedInvitation[]> {
  const rows = await tx.all<{ inviter_name: string | null }>(sql`
      select i.*, p.name as inviter_name
        from invitations i left join people p on p.id = i.invited_by
       where i.merchant_id = ${merchantId} and i.used_at_ms is null and i.ends_at_ms > ${nowMs} and ${inviterStays}
       order by i.created_at_ms desc, i.token_sha256 limit ${limit}`)
  return rows.map((row) => ({ ...invitations.parse(row), inviterName: row.inviter_name }))
}

/** Revokes an unused invitation. @returns its name; undefined if the merchant has no such invitation. */
export async function deleteInvitation(
  tx: Tx,
  merchantId: MerchantId,
  id: string,
  nowMs: number,
): Promise<string | undefined> {
  const row = await tx.get<{ name: string }>(sql`
      delete from invitations
       where token_sha256 = ${id} and merchant_id = ${merchantId} and used_at_ms is null and ends_at_ms > ${nowMs}
      returning name`)
  return row?.name
}

/** Revokes a person's unused invitations, once they may no longer invite. */
export async function deleteInvitationsBy(tx: Tx, personId: string): Promise<void> {
  await tx.run(sql`delete from invitations where invited_by = ${personId} and used_at_ms is null`)
}
