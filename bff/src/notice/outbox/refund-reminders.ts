import type { Log } from '../../core/log.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import { runAll } from '../../core/run-all.ts'
import type { Db } from '../../db/db.ts'
import { isFaultOfAll, writeEach } from '../../db/write-each.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { type UnpaidRefund, unpaidRefunds } from '../../payment/store/open-refund-store.ts'
import { channelsOf, notifiedMerchants } from '../channels/channel-store.ts'
import type { PaymentFacts } from '../notice-kinds.ts'
import { insertNotice } from './notice-store.ts'

const dayMs = 24 * 60 * 60_000

/** Days after the request on which people are reminded. After the last one, an unpaid refund only stays in the lists. */
const reminderDays = [1, 3, 7]

/**
 * A reminder is made only within this time after it is due, so that a service that was down sends no old ones. Shorter than
 * the time for which sent notices are kept, so that each reminder is made once.
 */
const reminderWindowMs = dayMs

/** Refunds of one merchant in one reminder step. */
const refundsMax = 100

/**
 * Reminds people of requested refunds that are unpaid: a shop's plug-in tells the customer "refunded" at once, but the money
 * leaves only when the merchant sends it. An unreadable refund or merchant does not delay the others.
 */
export async function remindOfRefunds({ db, log }: { db: Db; log: Log }, nowMs: number): Promise<void> {
  const merchants = await db.read(notifiedMerchants)
  const steps = merchants.map((merchantId) => () => remindMerchant({ db, log }, merchantId, nowMs))
  await runAll(steps, isFaultOfAll)
}

/** @returns how many refunds got reminders. */
async function remindMerchant({ db, log }: { db: Db; log: Log }, merchantId: MerchantId, nowMs: number) {
  let reminded = 0
  for (const days of reminderDays) {
    const toMs = nowMs - days * dayMs
    const requested = { fromMs: toMs - reminderWindowMs, toMs }
    const refunds = await db.read((tx) => unpaidRefunds(tx, merchantId, requested, refundsMax))
    if (refunds.length === 0) continue
    const channels = await db.read((tx) =>
      channelsOf(tx, [merchantId], (channel, err) => log.error({ channel, err }, 'A notice channel cannot be read')),
    )
    const listening = channels.filter(({ kinds }) => kinds.includes('refund'))
    const failed = await writeEach(db, refunds, async (tx, refund) => {
      const subject = `refund ${refund.id} day ${days}`
      const facts = factsOf(refund)
      for (const { id: channelId } of listening)
        await insertNotice(tx, { channelId, subject, kind: 'refund', facts, createdAtMs: nowMs })
    })
    for (const [{ id: refundId }, err] of failed)
      log.error({ refundId, err }, 'Sending a refund reminder failed; retrying')
    reminded += refunds.length - failed.size
  }
  return reminded
}

const factsOf = ({ id, paymentId, orderId, currency, network, amount, tokenDecimals }: UnpaidRefund): PaymentFacts => ({
  about: 'payment',
  refund: 'unpaid',
  refundId: id,
  paymentId,
  orderId,
  amount: formatAmount(BigInt(amount) as BaseUnits, tokenDecimals),
  currency,
  network,
})
