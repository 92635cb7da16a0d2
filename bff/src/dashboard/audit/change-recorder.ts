import type { Context, Next } from 'hono'
import type { Env } from '../../access/context/env.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { AuditAction } from '../../core/record-codes.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { type AuditEntry, type AuditOutcome, beginAuditEntry, finishAuditEntry } from './audit-store.ts'

/** Maximum characters of a text in an audit entry; a policy with all its networks is shorter. */
const textMax = 2_000

type Who = Pick<AuditEntry, 'merchantId' | 'personId' | 'personName' | 'address'>

/** The requested change. `path` is the subject until the handler names another. */
type Asked = { action: AuditAction; path: string }

/**
 * Records changes whose handlers also serve API keys and write no audit entry themselves. The entry is written before the handler
 * runs, so that nothing happens unrecorded; its outcome is stored afterwards.
 */
export function createChangeRecorder({ db, runtime, log }: { db: Db; runtime: Runtime; log: Log }) {
  return async function recordChange(c: Context<Env>, who: Who, { action, path }: Asked, handler: Next): Promise<void> {
    const { merchantId, personId, personName, address } = who
    const by = { merchantId, personId, personName, address, atMs: runtime.nowMs() }
    const entry = { ...by, action, subject: cut(path), before: null, after: null }
    const number = await db.write((tx) => beginAuditEntry(tx, entry))
    await handler()
    const { subject = path, before = null, after = null } = c.get('change') ?? {}
    const values = { subject: cut(subject), before: before && cut(before), after: after && cut(after) }
    try {
      await db.write((tx) => finishAuditEntry(tx, number, { ...values, ...resultOf(c) }))
    } catch (error) {
      // The change itself stands, and so does its response; the entry's outcome stays unknown.
      log.error({ err: error, action, number }, 'Writing the result of a change to the audit log failed')
    }
  }
}

/** A refusal changes nothing. Any other error may have come after the change. */
function resultOf(c: Context<Env>): { outcome: AuditOutcome; refusal: string | null } {
  if (c.error instanceof PaymentError) return { outcome: 'refused', refusal: c.error.code }
  if (c.error !== undefined || c.res.status >= 500) return { outcome: null, refusal: 'INTERNAL_ERROR' }
  return { outcome: c.get('change')?.isUnchanged ? 'unchanged' : 'done', refusal: null }
}

const cut = (text: string): string => text.slice(0, textMax)
