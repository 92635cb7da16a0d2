import type { Caller } from '../../access/context/caller.ts'
import { sessionOf } from '../../access/context/caller.ts'
import type { AuditAction } from '../../core/record-codes.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Tx } from '../../db/db.ts'
import { insertAuditEntry } from './audit-store.ts'

/** A change to record in its own commit, so that the entry exists exactly if the change does. */
export type Change = { action: AuditAction; subject: string; before?: string | null; after?: string | null }

/** @returns a function that records a change by the caller. */
export function createAudit({ runtime }: { runtime: Runtime }) {
  return async (tx: Tx, caller: Caller, { action, subject, before = null, after = null }: Change): Promise<void> => {
    const { personId, personName, address } = sessionOf(caller)
    const { merchantId } = caller
    const entry = { merchantId, personId, personName, atMs: runtime.nowMs(), address }
    await insertAuditEntry(tx, { ...entry, action, subject, before, after })
  }
}

export type Audit = ReturnType<typeof createAudit>
