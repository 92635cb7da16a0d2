import { sql, type Tx } from '../db/db.ts'
import { PaymentError } from '../errors.ts'
import type { Caller } from '../http/env.ts'
import type { PaymentId } from './payment.ts'

/** A guess: payments end within minutes, and some of them sooner. */
const retryAfterSeconds = 60

class TooManyOpenPaymentsError extends PaymentError {
  constructor(max: number) {
    const message = `This public key has ${max} payments that are still open; try again when some of them have ended.`
    const headers = { 'Retry-After': String(retryAfterSeconds) }
    super('TOO_MANY_OPEN_PAYMENTS', message, { status: 429, error: 'Too many open payments', headers })
  }
}

/**
 * A public key is in everybody's hands, and every open payment has to be watched: they are bounded.
 * Call it in the unit of work that stores the payment, and `saveOpener` after it.
 * @param max - Null is no bound. API key and secret have none.
 * @throws {TooManyOpenPaymentsError}
 */
export async function checkOpenPayments(tx: Tx, caller: Caller, max: number | null): Promise<void> {
  if (max === null || caller.kind !== 'public') return
  const row = await tx.get<{ open: number }>(sql`
      select count(*) as open
        from (select 1 from payments where public_key = ${caller.id} and status = 'pending' limit ${max}) as pending`)
  if ((row?.open ?? 0) >= max) throw new TooManyOpenPaymentsError(max)
}

/** Remembers by which public key a payment was created, where that is bounded. */
export async function saveOpener(tx: Tx, id: PaymentId, caller: Caller, max: number | null): Promise<void> {
  if (max === null || caller.kind !== 'public') return
  await tx.run(sql`update payments set public_key = ${caller.id} where id = ${id}`)
}
