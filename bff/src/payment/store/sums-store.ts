import { add, type BaseUnits, baseUnits } from '../../core/money.ts'
import { sql, type Tx } from '../../db/db.ts'
import { integer, table, text, units, type ValuesOf } from '../../db/table.ts'
import { type MerchantId, outcomeOf, type Payment } from '../payment.ts'

/** Period of one row of sums: days of every time zone begin at a multiple of it. */
export const quarterMs = 15 * 60 * 1000

/** What a payment adds to the sums of its quarter-hour of creation. */
type Share = { paid: number; received: BaseUnits; refunded: BaseUnits; refundedByMerchant: BaseUnits }

const shareOf = (payment: Payment): Share => ({
  paid: outcomeOf(payment) === 'paid' ? 1 : 0,
  received: add(payment.received, payment.late),
  refunded: payment.mode === 'deposit' ? payment.refunded : baseUnits('0'),
  refundedByMerchant: payment.refundedByMerchant,
})

const keyOf = ({ merchantId, isTest, createdAtMs, network, currency, tokenDecimals }: Payment) => ({
  merchantId,
  isTest: isTest ? 1 : 0,
  quarter: Math.floor(createdAtMs / quarterMs),
  network,
  currency,
  tokenDecimals,
})

/** Counts a new payment without transfers. */
export function countCreated(tx: Tx, payment: Payment): void {
  const key = keyOf(payment)
  tx.write(sql`
      insert into payment_sums (merchant_id, is_test, quarter, network, currency, token_decimals, created, paid, received,
                                refunded, refunded_by_merchant, changes)
      values (${key.merchantId}, ${key.isTest}, ${key.quarter}, ${key.network}, ${key.currency}, ${key.tokenDecimals}, 1, 0,
              '0', '0', '0', 1)
      on conflict (merchant_id, is_test, quarter, network, currency, token_decimals) do update
         set created = payment_sums.created + 1, changes = payment_sums.changes + 1`)
}

/**
 * Adds the difference between two states of a payment and increments the change count, which invalidates
 * cached reports of the quarter-hour. Units run one at a time, across all replicas.
 */
export async function moveSums(tx: Tx, before: Payment, after: Payment): Promise<void> {
  const [from, to] = [shareOf(before), shareOf(after)]
  const key = keyOf(after)
  const isSame =
    from.paid === to.paid &&
    from.received === to.received &&
    from.refunded === to.refunded &&
    from.refundedByMerchant === to.refundedByMerchant
  if (isSame) {
    tx.write(sql`
        update payment_sums set changes = changes + 1
         where merchant_id = ${key.merchantId} and is_test = ${key.isTest} and quarter = ${key.quarter}
           and network = ${key.network} and currency = ${key.currency} and token_decimals = ${key.tokenDecimals}`)
    return
  }
  const row = await tx.get<{ received: string; refunded: string; by_merchant: string }>(sql`
      select received, refunded, refunded_by_merchant as by_merchant from payment_sums
       where merchant_id = ${key.merchantId} and is_test = ${key.isTest} and quarter = ${key.quarter}
         and network = ${key.network} and currency = ${key.currency} and token_decimals = ${key.tokenDecimals}`)
  const received = BigInt(row?.received ?? 0) + to.received - from.received
  const refunded = BigInt(row?.refunded ?? 0) + to.refunded - from.refunded
  const byMerchant = BigInt(row?.by_merchant ?? 0) + to.refundedByMerchant - from.refundedByMerchant
  tx.write(sql`
      insert into payment_sums (merchant_id, is_test, quarter, network, currency, token_decimals, created, paid, received,
                                refunded, refunded_by_merchant, changes)
      values (${key.merchantId}, ${key.isTest}, ${key.quarter}, ${key.network}, ${key.currency}, ${key.tokenDecimals}, 0,
              ${to.paid - from.paid}, ${String(received)}, ${String(refunded)}, ${String(byMerchant)}, 1)
      on conflict (merchant_id, is_test, quarter, network, currency, token_decimals) do update
         set paid = payment_sums.paid + excluded.paid, received = excluded.received, refunded = excluded.refunded,
             refunded_by_merchant = excluded.refunded_by_merchant, changes = payment_sums.changes + 1`)
}

const quarterSums = table('payment_sums', {
  quarter: integer(),
  network: text(),
  currency: text(),
  tokenDecimals: integer(),
  created: integer(),
  paid: integer(),
  received: units(),
  refunded: units(),
  refundedByMerchant: units(),
})

/** Sums of the payments created in one quarter-hour, for one token on one network. */
export type QuarterSums = ValuesOf<typeof quarterSums>

/**
 * The quarter-hours from one, inclusive, to another, exclusive, in order. Their number depends on the range, not on the number of payments.
 */
export async function loadSums(
  tx: Tx,
  { merchantId, isTest }: { merchantId: MerchantId; isTest: boolean },
  range: { fromQuarter: number; untilQuarter: number },
): Promise<QuarterSums[]> {
  const rows = await tx.all<object>(sql`
      select ${quarterSums.names} from payment_sums
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and quarter >= ${range.fromQuarter}
         and quarter < ${range.untilQuarter}
       order by quarter, network, currency, token_decimals`)
  return rows.map(quarterSums.parse)
}
