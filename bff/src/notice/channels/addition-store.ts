import { sql, type Tx } from '../../db/db.ts'
import { integer, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** One addition of a channel, and so one first message. Kept after the channel is removed. */
const additions = table('notice_additions', {
  merchantId: text<MerchantId>(),
  personId: text(),
  targetDigest: text(),
  createdAtMs: integer(),
})
export type Addition = ValuesOf<typeof additions>

/** The additions since a time, each count up to `max`. */
export async function countAdditions(
  tx: Tx,
  { merchantId, personId, targetDigest }: Addition,
  sinceMs: number,
  max: number,
): Promise<{ ofMerchant: number; ofPerson: number; ofTarget: number }> {
  const ofMerchant = await tx.all<object>(sql`
      select number from notice_additions where merchant_id = ${merchantId} and created_at_ms > ${sinceMs} limit ${max}`)
  const ofPerson = await tx.all<object>(sql`
      select number from notice_additions where person_id = ${personId} and created_at_ms > ${sinceMs} limit ${max}`)
  const ofTarget = await tx.all<object>(sql`
      select number from notice_additions
       where target_digest = ${targetDigest} and created_at_ms > ${sinceMs} limit ${max}`)
  return { ofMerchant: ofMerchant.length, ofPerson: ofPerson.length, ofTarget: ofTarget.length }
}

export async function insertAddition(tx: Tx, addition: Addition): Promise<void> {
  await tx.run(sql`insert into notice_additions (${additions.names}) values (${additions.values(addition)})`)
}

/** Deletes at most `limit` additions made up to `beforeMs`. @returns how many. */
export async function deleteAdditions(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from notice_additions
       where number in (select number from notice_additions where created_at_ms <= ${beforeMs}
                         order by created_at_ms limit ${limit})`)
}
