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

/** Events of payments that one pass reads, most of which are of no invoice. */
const eventsMax = 500

/** Invoices that one commit reports on, so that it holds up no request for long. */
const invoicesMax = 50

/** Until an invoice whose report failed is reported again. */
const retryMs = 60_000

/** Notified ids that are kept; beyond it the events of the payments report the changes, a little later. */
const notifiedMax = 1_000

type Deps = { db: Db; runtime: Runtime; log: Log }

/**
 * Reports changes of invoices to plug-ins: after events of their payments, in the order of their commits; at their expiry;
 * and, sooner and at best effort, after each change that is notified.
 */
export function createInvoiceWorker({ db, runtime, log }: Deps) {
  const notified = new Set<string>()
  const wakeSignal = createWakeSignal()

  function note(ids: Notified): void {
    if (ids !== 'any') for (const id of ids) if (notified.size < notifiedMax) notified.add(id)
    wakeSignal.wake()
  }

  /** The newest event that was compared. The database has it too, for the next start, at most `eventsMax` behind. */
  let position: number | undefined

  /** In one commit; if that fails each in its own, because an invoice that cannot be read must not hold up the others. */
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
          log.error({ err: error, invoiceId: id }, 'An invoice could not be reported to its store; retrying')
        }
      }
      // Fails too where the database does, and then nothing is passed by.
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
