import type { Role } from '../../access/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'

export type Invitation = {
  tokenSha256: string
  merchantId: MerchantId
  /** Whose passkeys it replaces; null: it makes a person. */
  personId: string | null
  name: string
  role: Role
  /** It signs in without a passkey, as often as it is opened. */
  isDemo: boolean
  /** The person who made it; null: by the command line. */
  invitedBy: string | null
  createdAtMs: number
  endsAtMs: number
}

type Row = Omit<Invitation, 'isDemo'> & { isDemo: number }

export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  const { tokenSha256, merchantId, personId, name, role, isDemo, invitedBy, createdAtMs, endsAtMs } = invitation
  await tx.run(sql`
      insert into invitations
        (token_sha256, merchant_id, person_id, name, role, is_demo, invited_by, created_at_ms, ends_at_ms)
      values (${tokenSha256}, ${merchantId}, ${personId}, ${name}, ${role}, ${isDemo ? 1 : 0}, ${invitedBy},
              ${createdAtMs}, ${endsAtMs})`)
}

/** Asked again at each use: a request of a removed owner may commit an invitation after the removal has deleted the others. */
const inviterStays = sql`(invited_by is null or exists (
    select 1 from people o where o.id = invited_by and o.role = 'owner' and o.removed_at_ms is null))`

/** Undefined when there is none, it has ended, it was used, or whoever made it is no owner any more. */
export async function loadInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<Invitation | undefined> {
  const row = await tx.get<Row>(sql`
      select token_sha256 as "tokenSha256", merchant_id as "merchantId", person_id as "personId", name, role,
             is_demo as "isDemo", invited_by as "invitedBy", created_at_ms as "createdAtMs", ends_at_ms as "endsAtMs"
        from invitations
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs} and ${inviterStays}`)
  return row && { ...row, isDemo: row.isDemo === 1 }
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

type ListedInvitation = Pick<Invitation, 'name' | 'role' | 'isDemo' | 'personId' | 'createdAtMs' | 'endsAtMs'> & {
  /** Of the token, which it does not reveal. */
  id: string
  /** Null: by the command line. */
  inviterName: string | null
}

/** Those of a merchant that can still be accepted, newest first, at most `limit`. */
export async function listInvitations(
  tx: Tx,
  merchantId: MerchantId,
  nowMs: number,
  limit: number,
): Promise<ListedInvitation[]> {
  const rows = await tx.all<Omit<ListedInvitation, 'isDemo'> & { isDemo: number }>(sql`
      select i.token_sha256 as id, i.name, i.role, i.is_demo as "isDemo", i.person_id as "personId",
             i.created_at_ms as "createdAtMs", i.ends_at_ms as "endsAtMs", p.name as "inviterName"
        from invitations i left join people p on p.id = i.invited_by
       where i.merchant_id = ${merchantId} and i.used_at_ms is null and i.ends_at_ms > ${nowMs} and ${inviterStays}
       order by i.created_at_ms desc, i.token_sha256 limit ${limit}`)
  return rows.map((row) => ({ ...row, isDemo: row.isDemo === 1 }))
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
