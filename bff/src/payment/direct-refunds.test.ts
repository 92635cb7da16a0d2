import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { add, baseUnits, excess } from '../core/money.ts'
import type { Transfer } from './event.ts'
import { outcomeOf } from './payment.ts'
import { dueKeptOf, refundableOf, refundsOfDue, settledOf } from './payment-sums.ts'
import { withMerchantRefunds } from './refund.ts'

type Refund = { amount: number; paid: number; isCancelled: boolean }

const livesMax = 400
const stepsMax = 12
const sums = [1, 5, 10, 24, 25, 30] as const

/** Numbers from 0 to below 1 that follow from the seed. */
function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/**
 * A direct payment of 25, to which transfers come in time and late, some of which a reorg takes, and which the merchant refunds in parts, as
 * a life of its own.
 */
function live(
  seed: number,
  check: (ledger: ReturnType<typeof createMemoryLedger>, history: string, hasReorged: boolean) => void,
): void {
  const dice = createDice(seed)
  const upTo = (most: number) => 1 + Math.floor(dice() * most)
  const amount = { due: baseUnits('25'), least: baseUnits(dice() < 0.5 ? '25' : '22') }
  const ledger = createMemoryLedger(newPayment({ isDirect: true, ...amount }))
  const refunds: Refund[] = []
  const history: string[] = []
  const there: Transfer[] = []
  let hasReorged = false
  const save = () => {
    const sum = (of: (one: Refund) => number) => baseUnits(String(refunds.reduce((all, one) => all + of(one), 0)))
    const open = sum((one) => (one.isCancelled ? 0 : Math.max(0, one.amount - one.paid)))
    ledger.payment = withMerchantRefunds(ledger.payment, { paid: sum(({ paid }) => paid), open })
    ledger.apply({ type: 'merchant_refunds.changed', atMs: 1 })
  }
  const change = (name: string, one: Refund | undefined, to: Partial<Refund>) => {
    if (one === undefined) return
    history.push(`${name} ${Object.assign(one, to).amount}`)
    save()
  }
  for (let step = 0; step < stepsMax; step++) {
    const { windowEnded, received, late } = ledger.payment
    const open = refunds.find(({ isCancelled, amount, paid }) => !isCancelled && paid < amount)
    const left = refunds.reduce(
      (rest, one) => rest - (one.isCancelled ? 0 : Math.max(one.amount, one.paid)),
      Number(received + late),
    )
    switch (upTo(8)) {
      case 1:
      case 2: {
        const blockTimeMs = windowEnded ? windowEndsAtMs + 1 : 1
        const transfer = transferOf(String(sums[upTo(sums.length) - 1]), { txId: String(step), blockTimeMs })
        ledger.apply({ type: 'transfer.confirmed', transfer, atMs: 1 })
        there.push(transfer)
        history.push(`pay ${transfer.amount}`)
        break
      }
      case 3:
        if (dice() < 0.3) ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 1 })
        else ledger.apply({ type: 'late.accepted', atMs: 1 })
        break
      case 4:
      case 5:
        if (outcomeOf(ledger.payment) === 'pending' || left <= 0) break
        refunds.push({ amount: dice() < 0.4 ? left : upTo(left), paid: 0, isCancelled: false })
        change('request', refunds.at(-1), {})
        break
      case 6:
        // Some are paid twice, or more than the merchant has received.
        change('refund', open, {
          paid: dice() < 0.7 ? (open?.amount ?? 0) * (dice() < 0.2 ? 2 : 1) : (open?.paid ?? 0) + 1,
        })
        break
      case 7: {
        const [taken] = there.splice(Math.floor(dice() * there.length), 1)
        if (taken === undefined) break
        ledger.apply({ type: 'transfer.reverted', transfer: taken, atMs: 1 })
        history.push(`reorg ${taken.amount}`)
        hasReorged = true
        break
      }
      default:
        if (open?.paid === 0) change('cancel', open, { isCancelled: true })
    }
    check(ledger, `${seed}: ${history.join(', ')}`, hasReorged)
  }
}

test('whatever is paid and refunded, what the merchant has is the amount due that is kept and the excess owed, and nothing twice', () => {
  let paidSteps = 0
  // Of the last step: what moved no money leaves what is owed as it was.
  let before = { money: '', owed: baseUnits('0') }
  for (let seed = 1; seed <= livesMax; seed++) {
    let wasPaid = false
    live(seed, ({ payment }, history, hasReorged) => {
      const { received, late, refundedByMerchant, refundDueByMerchant } = payment
      const has = excess(add(received, late), refundedByMerchant)
      const { all, paid } = refundsOfDue(payment)
      expect(refundableOf(payment) <= has, history).toBe(true)
      expect(paid <= all, history).toBe(true)
      if (outcomeOf(payment) !== 'paid') {
        expect(wasPaid && !hasReorged, history).toBe(false)
        return
      }
      wasPaid = true
      paidSteps += 1
      expect(all <= settledOf(payment), history).toBe(true)
      expect(dueKeptOf(payment) <= excess(has, refundDueByMerchant), history).toBe(true)
      // More than was received is refunded, or to be refunded.
      if (add(refundedByMerchant, refundDueByMerchant) > add(received, late)) return
      // Until a refund is paid, its part of the excess is still owed, and its part of the amount due still there.
      expect(add(refundableOf(payment), excess(settledOf(payment), paid)), history).toBe(has)
      const money = [seed, received, late, refundedByMerchant, payment.lateTaken].join()
      if (money === before.money) expect(refundableOf(payment), history).toBe(before.owed)
      before = { money, owed: refundableOf(payment) }
      if (refundDueByMerchant === 0n) expect(add(refundableOf(payment), dueKeptOf(payment)), history).toBe(has)
    })
  }
  expect(paidSteps).toBeGreaterThan(livesMax)
})

test('once a reorg has taken the excess that the merchant refunded, no more of the amount due is kept than the merchant has', () => {
  const ledger = createMemoryLedger(newPayment({ isDirect: true }))
  const refund = (paid: string, open: string) => {
    ledger.payment = withMerchantRefunds(ledger.payment, { paid: baseUnits(paid), open: baseUnits(open) })
  }
  const [due, over] = [transferOf('25000000'), transferOf('5000000')]
  for (const transfer of [due, over]) ledger.apply({ type: 'transfer.confirmed', transfer, atMs: 1 })
  refund('3000000', '2000000')
  expect(dueKeptOf(ledger.payment)).toBe(25_000_000n)
  ledger.apply({ type: 'transfer.reverted', transfer: over, atMs: 2 })
  expect([ledger.payment.status, dueKeptOf(ledger.payment)]).toEqual(['swept', 20_000_000n])
})

test('what went back before a payment within the tolerance was paid is no part of the share of merchant and platform', () => {
  const ledger = createMemoryLedger(newPayment({ isDirect: true, due: baseUnits('25'), least: baseUnits('24') }))
  const refund = (paid: string, open: string) => {
    ledger.payment = withMerchantRefunds(ledger.payment, { paid: baseUnits(paid), open: baseUnits(open) })
  }
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 1 })
  const transfer = transferOf('34', { blockTimeMs: windowEndsAtMs + 1 })
  ledger.apply({ type: 'transfer.confirmed', transfer, atMs: 1 })
  refund('0', '10')
  ledger.apply({ type: 'late.accepted', atMs: 2 })
  refund('10', '0')
  const { payment } = ledger
  expect([payment.status, settledOf(payment), dueKeptOf(payment), refundableOf(payment)]).toEqual([
    'swept',
    24n,
    24n,
    0n,
  ])
})
