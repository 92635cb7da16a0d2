import { sql, type Tx } from '../../db/db.ts'
import type { Role } from '../../merchant/caller.ts'
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
  createdAtMs: number
  endsAtMs: number
}

type Row = Omit<Invitation, 'isDemo'> & { isDemo: number }

export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  const { tokenSha256, merchantId, personId, name, role, isDemo, createdAtMs, endsAtMs } = invitation
  await tx.run(sql`
      insert into invitations
        (token_sha256, merchant_id, person_id, name, role, is_demo, created_at_ms, ends_at_ms)
      values (${tokenSha256}, ${merchantId}, ${personId}, ${name}, ${role}, ${isDemo ? 1 : 0}, ${createdAtMs},
              ${endsAtMs})`)
}

/** Undefined when there is none, it has ended, or it was used. */
export async function loadInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<Invitation | undefined> {
  const row = await tx.get<Row>(sql`
      select token_sha256 as "tokenSha256", merchant_id as "merchantId", person_id as "personId", name, role,
             is_demo as "isDemo", created_at_ms as "createdAtMs", ends_at_ms as "endsAtMs"
        from invitations
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs}`)
  return row && { ...row, isDemo: row.isDemo === 1 }
}

/** @returns whether it was used for the first time, before its end. */
export async function useInvitation(tx: Tx, tokenSha256: string, nowMs: number): Promise<boolean> {
  const used = await tx.run(sql`
      update invitations set used_at_ms = ${nowMs}
       where token_sha256 = ${tokenSha256} and used_at_ms is null and ends_at_ms > ${nowMs}`)
  return used > 0
}

/** The person that a demo's link signs in, from its first use on. */
export async function nameInvited(tx: Tx, tokenSha256: string, personId: string): Promise<void> {
  await tx.run(sql`update invitations set person_id = ${personId} where token_sha256 = ${tokenSha256}`)
}
