import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { Env } from '../context/env.ts'
import { type ApiError, errorsMax, loadApiErrors, type NewApiError, saveApiErrors } from './api-error-store.ts'

/**
 * Interval of writes: a flood of refused calls costs one commit per interval, with {@link
 * errorsPerMerchantMax} rows per merchant.
 */
const pauseMs = 1_000

/** Maximum merchants with unwritten refusals; refusals of further merchants are discarded. */
const merchantsMax = 1_000

/** Finds the field in a message of this service's own checks, such as "amount must be …". */
const fieldPattern = /^([a-zA-Z]{1,40})(?=[:]? (?:must|has|is|names)\b|:)/

export type ApiErrors = ReturnType<typeof createApiErrors>

/**
 * The newest refused calls of each merchant, from all replicas. A process keeps its own in memory for a second, and loses
 * them in a crash. Calls with invalid credentials belong to no merchant and are not stored.
 */
export function createApiErrors({ db, nowMs, log }: { db: Db; nowMs: () => number; log: Log }) {
  let unwritten = new Map<MerchantId, NewApiError[]>()

  async function write(): Promise<void> {
    if (unwritten.size === 0) return
    const writing = unwritten
    unwritten = new Map()
    await db.write(async (tx) => {
      for (const [merchantId, errors] of writing) await saveApiErrors(tx, merchantId, errors)
    })
  }

  return {
    /** Called when the response is ready. */
    note(c: Context<Env>): void {
      const { status } = c.res
      const { merchantId, kind } = c.get('caller') ?? {}
      if (status < 400 || merchantId === undefined) return
      const isPublic = kind === 'public'
      const known = unwritten.get(merchantId)
      if (known === undefined && unwritten.size >= merchantsMax) return
      const errors = known ?? []
      errors.push({
        atMs: nowMs(),
        requestId: c.get('requestId'),
        method: c.req.method,
        route: routePath(c),
        status,
        code: codeOf(c.error),
        field: fieldOf(c.error),
        isPublic,
      })
      const ofKind = errors.filter((error) => error.isPublic === isPublic)
      const [oldest] = ofKind
      if (oldest && ofKind.length > errorsMax({ isPublic })) errors.splice(errors.indexOf(oldest), 1)
      unwritten.set(merchantId, errors)
    },
    /** Newest first. Refusals that other replicas made in the last second may be missing. */
    async read(merchantId: MerchantId): Promise<ApiError[]> {
      await write()
      return await db.read((tx) => loadApiErrors(tx, merchantId))
    },
    /** Writes pending refusals until the signal aborts, then once more. Never rejects. */
    async run(signal: AbortSignal): Promise<void> {
      const onFailure = ({ error }: { error: unknown }) =>
        log.warn({ err: error }, 'Storing refused calls failed; they are discarded')
      const pass = async () => {
        await write()
        return false
      }
      await runWorker({ pauseMs, pass, onFailure }, signal)
      await write().catch((error: unknown) => onFailure({ error }))
    },
  }
}

function codeOf(error: Error | undefined): string {
  if (error === undefined) return 'REFUSED'
  return error instanceof PaymentError ? error.code : 'INTERNAL_ERROR'
}

function fieldOf(error: Error | undefined): string | null {
  if (!(error instanceof ValidationError)) return null
  return error.field ?? fieldPattern.exec(error.message)?.[1] ?? null
}
