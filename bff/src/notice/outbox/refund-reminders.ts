import type { Log } from '../../core/log.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import type { Db } from '../../db/db.ts'
import { type UnpaidRefund, unpaidRefunds } from '../../payment/store/open-refund-store.ts'
import { channelsOf, notifiedMerchants } from '../channels/channel-store.ts'
import type { PaymentFacts } from '../notice-kinds.ts'
import { insertNotice } from './notice-store.ts'

const dayMs = 24 * 60 * 60_000

/** Days after the request on which people are reminded. A refund that nobody pays is then left to the lists. */
const reminderDays = [1, 3, 7]

/**
 * A reminder is made within this time after it is due, so that a service that stood still does not send old ones. Less
 * than the time for which sent notices are kept: each is made once.
 */
const reminderWindowMs = dayMs

/** Refunds of one merchant and reminder. */
const refundsMax = 100

/**
 * Reminds people of refunds that were requested and not paid: a shop's plug-in tells the customer "refunded" at once, and
 * the money leaves only when the merchant sends it.
 */
export async function remindOfRefunds({ db, log }: { db: Db; log: Log }, nowMs: number): Promise<void> {
  for (const merchantId of await db.read(notifiedMerchants)) {
    for (const days of reminderDays) {
      const toMs = nowMs - days * dayMs
      const requested = { fromMs: toMs - reminderWindowMs, toMs }
      const refunds = await db.read((tx) => unpaidRefunds(tx, merchantId, requested, refundsMax))
      if (refunds.length === 0) continue
      await db.write(async (tx) => {
        const channels = await channelsOf(tx, [merchantId], (channel, err) =>
          log.error({ channel, err }, 'A channel of notices cannot be read'),
        )
        for (const { id: channelId, kinds } of channels) {
          if (!kinds.includes('refund')) continue
          for (const refund of refunds) {
            const subject = `refund ${refund.id} day ${days}`
            await insertNotice(tx, { channelId, subject, kind: 'refund', facts: factsOf(refund), createdAtMs: nowMs })
          }
        }
      })
    }
  }
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
