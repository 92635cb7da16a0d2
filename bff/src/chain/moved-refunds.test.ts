import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { times } from '@stablecoin-checkout/rig/nightly'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import type { PaymentEvent, Transfer } from '../payment/event.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from '../payment/merchant-refund.ts'
import type { PaymentId } from '../payment/payment.ts'
import { loadMerchantRefund } from '../payment/store/merchant-refund-store.ts'
import { transfersAbove } from '../payment/store/transfer-store.ts'
import { withArriving } from './apply-isolated.ts'

const amount = baseUnits('10')

/** What one of three transactions pays to the refund, by log, and where. Null: no block has it. */
const someTransaction = fc.option(
  fc.record({
    block: fc.integer({ min: 10, max: 12 }),
    firstLog: fc.integer({ min: 0, max: 2 }),
    amounts: fc.array(fc.constantFrom('10', '6', '4', '1'), { minLength: 1, maxLength: 2 }),
  }),
  { freq: 3 },
)
/** `deep`: which transfers have their confirmations. */
const someChain = fc.record({
  transactions: fc.tuple(someTransaction, someTransaction, someTransaction),
  deep: fc.integer({ min: 0, max: 63 }),
})

type Chain = typeof someChain extends fc.Arbitrary<infer Value> ? Value : never

const transfersOf = ({ transactions }: Chain): Transfer[] =>
  transactions.flatMap((one, index) =>
    (one?.amounts ?? []).map((units, log) =>
      transferOf(units, {
        txId: `0x${index}`,
        logIndex: (one?.firstLog ?? 0) + log,
        blockNumber: one?.block ?? 0,
        // A block always has the same logs.
        blockHash: JSON.stringify(one),
      }),
    ),
  )

const sum = (transfers: readonly Transfer[]) => transfers.reduce((total, one) => total + one.amount, 0n)

const isThere = (transfers: readonly Transfer[]) => (one: Transfer) =>
  transfers.some(
    ({ txId, logIndex, blockHash }) => txId === one.txId && logIndex === one.logIndex && blockHash === one.blockHash,
  )

test('whatever reorgs move, take and bring back, a refund has failed when its money is gone, and not before', async () => {
  const merchants = await openMerchantDatabase()
  const { db, ledger } = merchants
  const payment = newPayment({ status: 'swept' })
  await db.write((tx) => ledger.createIn(tx, payment))
  const { merchantId, isTest, network, currency, tokenAddress, tokenDecimals } = payment
  let refunds = 0

  async function live(chains: readonly Chain[]): Promise<void> {
    refunds += 1
    const refund: MerchantRefund = {
      ...{ ...initialRefund, merchantId, isTest, network, currency, tokenAddress, tokenDecimals, amount },
      ...{ id: `refund ${refunds}` as MerchantRefundId, paymentId: payment.id, afterBlock: 0, createdAtMs: 1 },
      ...{ price: null, reason: null, confirmations: null, status: 'to_pay' },
      ...{ place: { address: '0xcustomer', splitter: null, termsHash: null, splitTerms: null } },
    }
    const id = refund.id as string as PaymentId
    await db.write(async (tx) => {
      await tx.run(sql`delete from transfers`)
      await tx.run(sql`delete from merchant_refunds`)
      await ledger.merchantRefunds.createIn(tx, refund, { key: null, terms: '' })
    })
    let isPaid = false
    for (const chain of chains) {
      const found = transfersOf(chain)
      const stored = await db.read((tx) => transfersAbove(tx, network, 0, 100))
      const events: PaymentEvent[] = [
        ...stored
          .filter((one) => !isThere(found)(one))
          .map((transfer) => ({ type: 'transfer.reverted' as const, transfer, atMs: 2 })),
        ...found.map((transfer) => ({ type: 'transfer.seen' as const, transfer, atMs: 2 })),
        ...found
          .filter((_, index) => (chain.deep >> index) % 2 === 1)
          .map((transfer) => ({ type: 'transfer.confirmed' as const, transfer, atMs: 2 })),
      ]
      const types = await db.write(async (tx) => {
        const before = await tx.all<{ number: number }>(sql`select max(number) as number from events`)
        for (const { event } of withArriving(events.map((one) => ({ id, event: one }))))
          await ledger.applyIn(tx, id, event)
        return await tx.all<{ type: string }>(
          sql`select type from events where number > ${before[0]?.number ?? 0} order by number`,
        )
      })
      const now = await db.read((tx) => loadMerchantRefund(tx, refund.id))
      expect(now?.seen).toBe(sum(found))
      const failed = types.filter(({ type }) => type === 'refund.failed').length
      const isKept = sum(found.filter(({ txId }) => stored.some((one) => one.txId === txId))) >= amount
      // Money that came in other transactions only may pay it anew.
      if (isPaid && (isKept || sum(found) < amount)) expect(failed).toBe(isKept ? 0 : 1)
      if (!isPaid) expect(failed).toBe(0)
      const isPaidNow = now?.paidAtMs != null
      if (!isPaid && isPaidNow) expect(types.map(({ type }) => type)).toContain('refund.paid')
      if (sum(found) < amount) expect(isPaidNow).toBe(false)
      if ((now?.paid ?? 0n) >= amount) expect(isPaidNow).toBe(true)
      isPaid = isPaidNow
    }
  }

  try {
    const lives = fc.array(someChain, { minLength: 2, maxLength: 6 })
    await fc.assert(fc.asyncProperty(lives, live), { numRuns: times(30, 3_000) })
  } finally {
    await merchants.remove()
  }
})
