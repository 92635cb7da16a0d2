import type { LinkId } from '../checkout/link/link.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import { createWakeSignal } from '../core/wake-signal.ts'
import { runWorker } from '../core/worker.ts'
import type { Db, Notified } from '../db/db.ts'
import { reportInvoice } from './invoice-outbox.ts'
import { dueInvoices, invoicesOf, invoicesOfEvents, loadCursor, moveCursor, postponeInvoice } from './invoice-store.ts'

/** Between two passes when no change is notified. */
const pauseMs = 1_000

/** Payment events read in one pass. Most belong to no invoice. */
const eventsMax = 500

/** Invoices reported in one commit: few enough that no request waits long behind it. */
const invoicesMax = 50

/** The delay before a failed report of an invoice is repeated. */
const retryMs = 60_000

/** Notified ids that are kept. The changes of others are reported a little later, from the events of their payments. */
const notifiedMax = 1_000

type Deps = { db: Db; runtime: Runtime; log: Log }

/**
 * Reports changes of invoices to plug-ins: after each event of their payments, in commit order, and at their expiry. A
 * notified change is reported sooner, at best effort.
 */
export function createInvoiceWorker({ db, runtime, log }: Deps) {
  const notified = new Set<string>()
  const wakeSignal = createWakeSignal()

  function note(ids: Notified): void {
    if (ids !== 'any') for (const id of ids) if (notified.size < notifiedMax) notified.add(id)
    wakeSignal.wake()
  }

  /** The newest event that was compared. The database's copy, for the next start, is at most `eventsMax` behind. */
  let position: number | undefined

  /** Reports in one commit. If it fails, each invoice gets its own, so that a broken one does not hold up the others. */
  async function reportAll(changed: ReadonlySet<LinkId>, last: number, nowMs: number): Promise<void> {
    try {
      await db.write(async (tx) => {
        await moveCursor(tx, last)
        for (const id of changed) await reportInvoice(tx, id, nowMs)
      })
    } catch {
      const failed: LinkId[] = []
      for (const id of changed) {
        try {
          await db.write((tx) => reportInvoice(tx, id, nowMs))
        } catch (error) {
          failed.push(id)
          log.error({ err: error, invoiceId: id }, 'Reporting an invoice to its store failed; retrying')
        }
      }
      // This fails too while the database is down, and then nothing is skipped.
      await db.write(async (tx) => {
        await moveCursor(tx, last)
        for (const id of failed) await postponeInvoice(tx, id, nowMs + retryMs)
      })
    }
  }

  /** @returns true when more may be due. */
  async function pass(): Promise<boolean> {
    const from = position ?? (await db.write(loadCursor))
    const ids = [...notified].slice(0, invoicesMax)
    const nowMs = runtime.nowMs()
    const found = await db.read(async (tx) => ({
      events: await invoicesOfEvents(tx, from, eventsMax),
      named: await invoicesOf(tx, ids),
      due: await dueInvoices(tx, nowMs, invoicesMax),
    }))
    for (const id of ids) notified.delete(id)
    const changed = new Set<LinkId>()
    let last = from
    for (const { number, linkId } of found.events) {
      if (linkId !== null && changed.size >= invoicesMax && !changed.has(linkId)) break
      if (linkId !== null) changed.add(linkId)
      last = number
    }
    for (const id of [...found.named, ...found.due]) changed.add(id)
    if (changed.size > 0 || found.events.length === eventsMax) {
      await reportAll(changed, last, nowMs)
    }
    position = last
    const isCut = last !== (found.events.at(-1)?.number ?? from)
    return isCut || found.events.length === eventsMax || found.due.length === invoicesMax
  }

  return {
    pass,
    async run(signal: AbortSignal): Promise<void> {
      const endListening = db.listen(note)
      await runWorker(
        {
          pauseMs,
          pass: async () => (await pass()) || notified.size > 0,
          wakeSignal,
          onFailure: ({ error }) => log.warn({ err: error }, 'Reporting invoices to stores failed; retrying'),
        },
        signal,
      )
      endListening()
    },
  }
}
