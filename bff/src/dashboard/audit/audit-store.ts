import { type AuditAction, type AuditKind, auditKindOf } from '../../core/record-codes.ts'
import { sql, type Tx } from '../../db/db.ts'
import { integer, named, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

const entries = table('audit_log', {
  merchantId: text<MerchantId>(),
  /** Null: the command line. */
  personId: orNull(text()),
  personName: text(),
  atMs: integer(),
  action: text<AuditAction>(),
  /** The changed object, such as a network, a key or a person. */
  subject: text(),
  before: named('before_value', orNull(text())),
  after: named('after_value', orNull(text())),
  address: text(),
})
export type AuditEntry = ValuesOf<typeof entries>

/** `unchanged`: there was nothing to change. Null: unknown, because the service stopped or failed before it responded. */
export type AuditOutcome = 'done' | 'unchanged' | 'refused' | null

/** Call in the commit of the change, so that the entry exists exactly if the change does. */
export async function insertAuditEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  await insertEntry(tx, entry, 'done')
}

/** Call before the change, so that nothing happens unrecorded. @returns the entry's number. */
export async function beginAuditEntry(tx: Tx, entry: AuditEntry): Promise<number> {
  return await insertEntry(tx, entry, null)
}

async function insertEntry(tx: Tx, entry: AuditEntry, outcome: AuditOutcome): Promise<number> {
  const row = await tx.get<{ number: number }>(sql`
      insert into audit_log (${entries.names}, kind, outcome)
      values (${entries.values(entry)}, ${auditKindOf(entry.action)}, ${outcome})
      returning number`)
  if (!row) throw new Error('The entry of the audit log has no number')
  return row.number
}

/** `refusal`: the error's code; null if there was none. */
type AuditResult = Pick<AuditEntry, 'subject' | 'before' | 'after'> & { outcome: AuditOutcome; refusal: string | null }

/** Stores the outcome of an entry begun by `beginAuditEntry`. */
export async function finishAuditEntry(tx: Tx, number: number, result: AuditResult): Promise<void> {
  await tx.run(sql`
      update audit_log
         set subject = ${result.subject}, before_value = ${result.before}, after_value = ${result.after},
             outcome = ${result.outcome}, refusal = ${result.refusal}
       where number = ${number} and outcome is null`)
}

type AuditRow = AuditEntry & { number: number; outcome: AuditOutcome; refusal: string | null }

type AuditFilter = { before: number; personId: string | undefined; kind: AuditKind | undefined }

/** Newest first, below the number `before`, at most `limit`. */
export async function listAuditEntries(
  tx: Tx,
  merchantId: MerchantId,
  { before, personId, kind }: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  const ofPerson = personId === undefined ? sql`` : sql` and person_id = ${personId}`
  const ofKind = kind === undefined ? sql`` : sql` and kind = ${kind}`
  const rows = await tx.all<Omit<AuditRow, keyof AuditEntry>>(sql`
      select * from audit_log where merchant_id = ${merchantId} and number < ${before}${ofPerson}${ofKind}
       order by number desc limit ${limit}`)
  return rows.map((row) => ({ ...entries.parse(row), number: row.number, outcome: row.outcome, refusal: row.refusal }))
}
