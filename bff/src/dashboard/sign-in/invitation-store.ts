import type { Role } from '../../access/context/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import { flag, integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

const invitations = table('invitations', {
  tokenSha256: text(),
  merchantId: text<MerchantId>(),
  /** Whose passkeys it replaces; null: it makes a person. */
  personId: orNull(text()),
  name: text(),
  role: text<Role>(),
  /** It signs in without a passkey, as often as it is opened. */
  isDemo: flag(),
  /** The person who made it; null: by the command line. */
  invitedBy: orNull(text()),
  createdAtMs: integer(),
  endsAtMs: integer(),
})
export type Invitation = ValuesOf<typeof invitations>

export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  await tx.run(sql`insert into invitations (${invitations.names}) values (${invitations.values(invitation)})`)
}

/** Asked again at each use: a request of a removed owner may commit an invitation after the removal has deleted the others. */
const inviterStays = sql`(invited_by is null or exists (
    select 1 from people o where o.id = invited_by and o.role = 'owner' and o.removed_at_ms is null))`

/** Undefined when there is none, it has ended, it was used, or whoever made it is no owner any more. */
export async function loadInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<Invitation | undefined> {
  const row = await tx.get<object>(sql`
      select * from invitations
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs} and ${inviterStays}`)
  return row && invitations.parse(row)
}

/** @returns whether it was used for the first time, before its end. */
export async function useInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<boolean> {
  const used = await tx.run(sql`
      update invitations set used_at_ms = ${nowMs}
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs} and ${inviterStays}`)
  return used > 0
}

/** The person that a demo's link signs in, from its first use on. */
export async function nameInvited(tx: Tx, tokenSha256: string, personId: string): Promise<void> {
  await tx.run(sql`update invitations set person_id = ${personId} where token_sha256 = ${tokenSha256}`)
}

/** The hash is an id that does not reveal the token. `inviterName`: null: by the command line. */
type ListedInvitation = Invitation & { inviterName: string | null }

/** Those of a merchant that can still be accepted, newest first, at most `limit`. */
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

/** Takes one back that nobody has accepted. @returns its name; undefined when the merchant has no such invitation. */
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

/** Takes back what a person has made, for one who may invite nobody any more. */
export async function deleteInvitationsBy(tx: Tx, personId: string): Promise<void> {
  await tx.run(sql`delete from invitations where invited_by = ${personId} and used_at_ms is null`)
}
