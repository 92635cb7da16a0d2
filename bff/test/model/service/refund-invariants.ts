import { sql } from '@stablecoin-checkout/bff/testing/db'
import {
  dueKeptOf,
  loadPayment,
  outcomeOf,
  type Payment,
  type PaymentId,
  refundableOf,
  refundsOfDue,
  settledOf,
} from '@stablecoin-checkout/bff/testing/payment'
import { verify } from '../sentences.ts'
import { sum } from './direct-invariants.ts'
import type { World } from './service-world.ts'

type RefundRow = {
  id: string
  payment_id: PaymentId
  token: string
  address: string
  amount: string
  seen: string
  paid: string
  status: 'awaiting_address' | 'to_pay' | 'confirming' | 'paid' | 'cancelled'
}
type TransferRow = { payment_id: string; amount: string; state: 'seen' | 'confirmed' | 'reverted' }

const load = (world: World) =>
  world.read(async (tx) => {
    const refunds = await tx.all<RefundRow>(sql`
        select id, payment_id, lower(token_address) as token, lower(address) as address, amount, seen, paid, status
          from merchant_refunds order by number`)
    const payments: Payment[] = []
    for (const id of new Set(refunds.map(({ payment_id }) => payment_id))) {
      const payment = await loadPayment(tx, id)
      if (payment) payments.push(payment)
    }
    const transfers = await tx.all<TransferRow>(sql`
        select payment_id, amount, state from transfers where payment_id in (select id from merchant_refunds)`)
    return { refunds, payments, transfers }
  })

/** Base units that reached each token and address by the transactions that are in the chain. */
function reached({ chain, sent }: World, doors: readonly string[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { txId, door, refunds } of sent) {
    if (!doors.includes(door)) continue
    const logs = chain.find(txId)?.receipt.logs ?? []
    for (const key of new Set(refunds.map(placeOf))) {
      const isTo = (topic: string | undefined) => topic?.endsWith(key.split(' ')[1]?.slice(2) ?? '') ?? false
      const there = logs.filter(({ address, topics }) => key.startsWith(address.toLowerCase()) && isTo(topics[2]))
      sums.set(key, (sums.get(key) ?? 0n) + sum(there.map(({ data }) => BigInt(data))))
    }
  }
  return sums
}

const placeOf = ({ token, address }: { token: string; address: string }) => `${token} ${address}`.toLowerCase()

/** Remembers which refunds were paid, to judge the changes between steps. */
export function createRefundInvariants(world: World) {
  const paid = new Set<string>()

  return {
    /** Checks after each step. */
    async check(): Promise<void> {
      if (world.refunds.length === 0) return
      const { refunds, payments, transfers } = await load(world)
      for (const { id, status, ...books } of refunds) {
        const own = transfers.filter((one) => one.payment_id === id && one.state !== 'reverted')
        const of = (states: readonly string[]) =>
          sum(own.filter(({ state }) => states.includes(state)).map(({ amount }) => BigInt(amount)))
        verify(21, BigInt(books.seen) === of(['seen', 'confirmed']), () => `${id}: ${books.seen} are seen`)
        verify(21, BigInt(books.paid) === of(['confirmed']), () => `${id}: ${books.paid} are paid`)
        verify(3, !paid.has(id) || status === 'paid', () => `${id} was paid and is ${status}`)
        if (status === 'paid') paid.add(id)
      }
      for (const payment of payments) {
        const own = refunds.filter(({ payment_id }) => payment_id === payment.id)
        const isOpen = ({ status }: RefundRow) => status !== 'cancelled' && status !== 'paid'
        const rest = own.filter(isOpen).map((one) => BigInt(one.amount) - BigInt(one.paid))
        const sums = { paid: sum(own.map((one) => BigInt(one.paid))), open: sum(rest.filter((one) => one > 0n)) }
        const { id, refundedByMerchant, refundDueByMerchant } = payment
        verify(21, refundedByMerchant === sums.paid, () => `${id}: ${refundedByMerchant} refunded, not ${sums.paid}`)
        verify(21, refundDueByMerchant === sums.open, () => `${id}: ${refundDueByMerchant} open, not ${sums.open}`)
        verifyMoney(payment)
      }
    },

    /** Checks once an honest node has shown everything and nothing is left to do. */
    async checkAtRest(): Promise<void> {
      const { refunds } = await load(world)
      // A report of several transfers to one refund counts the one that fits.
      const isKnown = !world.hasChangedWallets() && !world.isBlind()
      const least = reached(world, ['call', 'before', 'exchange', ...(isKnown ? ['transfer'] : [])])
      for (const [key, most] of reached(world, ['call', 'before', 'transfer', 'exchange'])) {
        const counted = sum(refunds.filter((one) => placeOf(one) === key).map((one) => BigInt(one.paid)))
        const isRight = counted <= most && counted >= (least.get(key) ?? 0n)
        verify(20, isRight, () => `${counted} are paid to ${key}, ${least.get(key) ?? 0n} to ${most} came`)
      }
      const all = sum(refunds.map((one) => BigInt(one.paid)))
      const rows = await world.read((tx) =>
        tx.all<{ by_merchant: string }>(sql`select refunded_by_merchant as by_merchant from payment_sums`),
      )
      const summed = sum(rows.map((one) => BigInt(one.by_merchant)))
      verify(12, summed === all, () => `the sums have ${summed} refunded by the merchant, the refunds ${all}`)
    },
  }
}

/** What is refunded, kept and owed of a payment, by its own fields. */
function verifyMoney(payment: Payment): void {
  const { id, received, late, refundedByMerchant, refundDueByMerchant } = payment
  const { all, paid } = refundsOfDue(payment)
  verify(21, paid <= all, () => `${id}: ${paid} of ${all} refunds of the amount due are paid`)
  const isDirect = payment.mode === 'contract' || payment.isDirect
  const has = isDirect ? received + late - refundedByMerchant : settledOf(payment) - refundedByMerchant
  // More than the merchant had: refunds that were cancelled, or too much, were paid.
  if (has < 0n || outcomeOf(payment) !== 'paid') return
  const kept = dueKeptOf(payment)
  const isKept = kept === 0n || kept + refundDueByMerchant <= has
  verify(21, isKept, () => `${id}: ${kept} kept and ${refundDueByMerchant} to refund of ${has}`)
  if (!isDirect) return
  const owed = refundableOf(payment)
  verify(21, owed <= has, () => `${id}: ${owed} owed of ${has}`)
  const isWhole = owed + (settledOf(payment) - paid) === has
  verify(
    21,
    isWhole || paid >= settledOf(payment),
    () => `${id}: ${owed} owed, ${paid} of the amount due paid of ${has}`,
  )
}
