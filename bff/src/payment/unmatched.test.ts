import { createMemoryLedger, newContractPayment, newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import type { UnmatchedTransfer } from './payment.ts'
import { coinAddress } from './unmatched.ts'

const usdt = { network: 'devnet', token: '0xusdt', currency: 'USDT', decimals: 6 }
const elsewhere = { ...usdt, network: 'devnet-b' }

function open() {
  const ledger = createMemoryLedger(newPayment({ sequence: 0 }))
  const transfers = (): readonly UnmatchedTransfer[] =>
    ledger.payment.mode === 'deposit' ? ledger.payment.unmatched : []
  return {
    ledger,
    transfers,
    balance: () => transfers().map(({ balance }) => Number(balance)),
    seen: (balance: number, block: number, where = usdt) =>
      ledger.apply({
        type: 'unmatched.measured',
        ...where,
        balance: baseUnits(String(balance)),
        block,
        txId: null,
        atMs: 0,
      }),
    refunded: (amount: number, block: number, where = usdt) => {
      const { network, token } = where
      const sent = { amount: baseUnits(String(amount)), txId: '0xback', block }
      return ledger.apply({ type: 'unmatched.returned', network, token, ...sent, atMs: 0 })
    },
    request: (address: string, network?: string) =>
      ledger.apply({ type: 'refund.requested', address, atMs: 0, ...(network === undefined ? {} : { network }) }),
    fail: (as: 'failing' | 'failed' | 'too_small') =>
      ledger.apply({ type: 'unmatched.return_failed', network: usdt.network, token: usdt.token, as, atMs: 0 }),
  }
}

test('an unmatched transfer is notified and queued when somebody says where to, on its own network only there', () => {
  const { seen, request, transfers, ledger } = open()
  seen(5, 10)
  seen(7, 11, elsewhere)
  expect(ledger.effects).toEqual(['deposit.unmatched_received', 'deposit.unmatched_received'])
  request('0xhere')
  expect(transfers().map(({ refund }) => refund)).toEqual(['queued', 'none'])
  request('0xthere', 'devnet-b')
  expect(transfers().map(({ refund, address }) => [refund, address])).toEqual([
    ['queued', null],
    ['queued', '0xthere'],
  ])
  seen(1, 12, { ...elsewhere, token: coinAddress, currency: 'ETH', decimals: 18 })
  expect(transfers()[2]).toMatchObject({ refund: 'queued', address: '0xthere' })
  expect(ledger.payment).toMatchObject({ status: 'pending', received: 0n, seen: 0n, refundAddress: '0xhere' })
})

test('an address that is named for unmatched transfers on the payment’s own network is theirs alone', () => {
  const { seen, request, transfers, ledger } = open()
  seen(5, 10)
  request('0xhere', usdt.network)
  expect(ledger.payment).toMatchObject({ refundAddress: null })
  expect(transfers()[0]).toMatchObject({ refund: 'queued', address: '0xhere' })
  request('0xpayer')
  seen(1, 12, { ...usdt, token: coinAddress, currency: 'ETH', decimals: 18 })
  expect(transfers().map(({ address }) => address)).toEqual(['0xhere', '0xhere'])
  expect(ledger.payment).toMatchObject({ refundAddress: '0xpayer' })
})

test('what an older block says does not take back what a younger one has said, nor a refund', () => {
  const { seen, refunded, balance, transfers } = open()
  seen(5, 10)
  seen(9, 9)
  expect(balance()).toEqual([5])
  refunded(5, 14)
  seen(5, 13)
  expect(balance()).toEqual([0])
  // More came, and a look found it, before the refund was final.
  seen(3, 20)
  refunded(1, 18)
  expect([balance(), transfers()[0]?.refunded]).toEqual([[3], 6n])
})

test('a thousand drops are notified ten times, and every one is counted', () => {
  const { seen, ledger, balance } = open()
  for (let drop = 1; drop <= 1_000; drop++) seen(drop, drop)
  expect(ledger.effects).toHaveLength(10)
  expect(balance()).toEqual([1_000])
})

test('what a reorg takes away is queued no more, failures are shown, and another address is tried at once', () => {
  const { seen, request, fail, transfers, ledger } = open()
  seen(5, 10)
  request('0xhere')
  fail('failing')
  fail('failed')
  expect(transfers()[0]?.refund).toBe('failed')
  request('0xother')
  expect(transfers()[0]?.refund).toBe('queued')
  fail('too_small')
  seen(0, 12)
  expect([transfers()[0]?.refund, ledger.effects.at(-1)]).toEqual(['none', 'cancel-return'])
})

test('nothing is kept of a payment that has no address, and nothing of nothing', () => {
  const ledger = createMemoryLedger(newContractPayment())
  const event: PaymentEvent = {
    type: 'unmatched.measured',
    ...usdt,
    balance: baseUnits('5'),
    block: 1,
    txId: null,
    atMs: 0,
  }
  expect(ledger.apply(event).payment).toBe(ledger.payment)
  const { seen, transfers } = open()
  seen(0, 1)
  expect(transfers()).toEqual([])
})

test('whatever unmatched transfers do in whatever order, the payment is the same without them', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('seen' as const), balance: fc.nat(9), block: fc.nat(9), there: fc.boolean() }),
    fc.record({ do: fc.constant('refunded' as const), balance: fc.nat(9), block: fc.nat(9), there: fc.boolean() }),
    fc.record({ do: fc.constantFrom('pay' as const, 'expire' as const, 'sweep' as const), amount: fc.nat(30_000_000) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      const [beside, alone] = [open(), open()]
      let returned = 0
      for (const [index, one] of steps.entries()) {
        if (one.do === 'seen') beside.seen(one.balance, one.block, one.there ? elsewhere : usdt)
        else if (one.do === 'refunded') {
          const { transfers, refunded } = beside
          const where = one.there ? elsewhere : usdt
          if (transfers().some(({ network }) => network === where.network)) returned += one.balance
          refunded(one.balance, one.block, where)
        } else {
          const transfer = transferOf(String(one.amount), { txId: `0x${index}` })
          const event: PaymentEvent = {
            pay: { type: 'transfer.confirmed' as const, transfer, atMs: 0 },
            expire: { type: 'window.ended' as const, blockTimeMs: 900_001, atMs: 0 },
            sweep: { type: 'sweep.failed' as const, isGivenUp: false, atMs: 0 },
          }[one.do]
          for (const { ledger } of [beside, alone]) ledger.apply(event)
        }
      }
      const { unmatched, version, ...rest } = beside.ledger.payment as typeof beside.ledger.payment & {
        unmatched: UnmatchedTransfer[]
      }
      expect(alone.ledger.payment).toMatchObject({ ...rest, version: expect.any(Number) })
      expect(version).toBeGreaterThanOrEqual(alone.ledger.payment.version)
      expect(unmatched.reduce((sum, { refunded }) => sum + Number(refunded), 0)).toBe(returned)
      expect(unmatched.every(({ balance }) => balance >= 0n)).toBe(true)
    }),
  )
})
