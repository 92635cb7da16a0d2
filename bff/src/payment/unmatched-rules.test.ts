import { createMemoryLedger, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import type { DepositPayment } from './payment.ts'
import { coinAddress, isAddressKnown } from './unmatched.ts'

const usdt = { network: 'devnet', token: '0xusdt' }
const coin = { network: 'devnet', token: coinAddress }
const elsewhere = { network: 'devnet-b', token: '0xusdt' }
const units = (amount: number) => baseUnits(String(amount))

function open() {
  const ledger = createMemoryLedger(newPayment({ sequence: 0 }))
  const payment = () => ledger.payment as DepositPayment
  const apply = (event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) => {
    const { version } = payment()
    ledger.apply({ atMs: 0, ...event } as PaymentEvent)
    return payment().version > version
  }
  return {
    ...{ ledger, payment },
    transfer: (where = usdt) =>
      payment().unmatched.find((one) => one.network === where.network && one.token === where.token),
    seen: (balance: number, block: number, where = usdt, txId: string | null = null) =>
      apply({
        type: 'unmatched.measured',
        ...where,
        currency: 'USDT',
        decimals: 6,
        balance: units(balance),
        block,
        txId,
      }),
    refunded: (amount: number, block: number, where = usdt) =>
      apply({ type: 'unmatched.returned', ...where, amount: units(amount), txId: '0xback', block }),
    request: (address: string, network?: string) =>
      apply({ type: 'refund.requested', address, ...(network === undefined ? {} : { network }) }),
    fail: (as: 'failing' | 'failed' | 'too_small', where = usdt) =>
      apply({ type: 'unmatched.return_failed', ...where, as }),
  }
}

test('the coin is the address of forty zeros', () => {
  expect(coinAddress).toMatch(/^0x0{40}$/)
})

describe('what lies at the address', () => {
  test('is what the newest block says, and another word on the same block takes its place', () => {
    const { seen, transfer } = open()
    seen(5, 10)
    expect(seen(7, 10)).toBe(true)
    expect(transfer()).toMatchObject({ balance: 7n, block: 10 })
    expect(seen(7, 11)).toBe(false)
    expect(seen(9, 9)).toBe(false)
    expect(seen(6, 12)).toBe(true)
    expect(transfer()).toMatchObject({ balance: 6n, block: 12 })
  })

  test('is not zero when a return becomes final after a new transfer of the same amount', () => {
    const { seen, refunded, request, transfer, ledger } = open()
    request('0xpayer')
    seen(5, 10, usdt, '0x1')
    // The return was mined in block 20, and the new transfer in block 21.
    seen(5, 25, usdt, '0x2')
    refunded(5, 20)
    expect(transfer()).toMatchObject({ balance: 5n, refunded: 5n, block: 25, txId: '0x2', refund: 'queued' })
    expect(ledger.effects.at(-1)).toBe('queue-return')
  })

  test('is notified when it grows, and not when it shrinks', () => {
    const { seen, ledger } = open()
    seen(5, 10)
    seen(3, 11)
    expect(ledger.effects).toEqual(['deposit.unmatched_received'])
    seen(4, 12)
    expect(ledger.effects).toEqual(['deposit.unmatched_received', 'deposit.unmatched_received'])
  })

  test('keeps the transaction that was last named', () => {
    const { seen, transfer } = open()
    seen(5, 10, usdt, '0x1')
    seen(6, 11)
    expect(transfer()).toMatchObject({ txId: '0x1' })
    seen(7, 12, usdt, '0x2')
    expect(transfer()).toMatchObject({ txId: '0x2' })
  })

  test('is not left by what does not touch it', () => {
    const { seen, request, payment, ledger } = open()
    seen(5, 10)
    request('0xhere')
    const { unmatched } = payment()
    ledger.apply({ type: 'window.ended', blockTimeMs: 900_001, atMs: 0 })
    expect(payment().unmatched).toBe(unmatched)
  })
})

describe('what went back', () => {
  test('is emitted, counted and taken off what lies there', () => {
    const { seen, refunded, transfer, ledger, request } = open()
    seen(5, 10)
    request('0xhere')
    expect(ledger.effects.at(-1)).toBe('queue-return')
    refunded(3, 11)
    expect(transfer()).toMatchObject({ balance: 2n, refunded: 3n, refundTxId: '0xback', block: 11, refund: 'queued' })
    expect(ledger.effects.slice(-2)).toEqual(['deposit.unmatched_refunded', 'queue-return'])
  })

  test('is not taken off again what was seen in the same block', () => {
    const { seen, refunded, transfer } = open()
    seen(5, 10)
    refunded(3, 10)
    expect(transfer()).toMatchObject({ balance: 5n, refunded: 3n, block: 10 })
  })

  test('emits nothing where nothing did, and is nothing where no unmatched transfer is', () => {
    const { seen, refunded, ledger } = open()
    expect(refunded(3, 10)).toBe(false)
    seen(5, 10)
    refunded(0, 11)
    expect(ledger.effects).toEqual(['deposit.unmatched_received'])
  })
})

describe('a failure to send it back', () => {
  test('is kept while it is to go back, and changes nothing when it was heard before', () => {
    const { seen, request, fail, transfer } = open()
    seen(5, 10)
    expect(fail('failing')).toBe(false)
    request('0xhere')
    expect(fail('failing')).toBe(true)
    expect(fail('failing')).toBe(false)
    expect(fail('failed')).toBe(true)
    expect(transfer()).toMatchObject({ refund: 'failed' })
  })

  test('of no transfer that is known changes nothing', () => {
    const { seen, request, fail } = open()
    expect(fail('failing')).toBe(false)
    seen(5, 10)
    request('0xhere')
    expect(fail('failing', coin)).toBe(false)
  })
})

describe('where it goes', () => {
  test('is tried at once again when the payment’s address changes, on its network and where nobody named another', () => {
    const { seen, request, fail, transfer } = open()
    for (const where of [usdt, coin, elsewhere]) seen(5, 10, where)
    request('0xthere', 'devnet-b')
    request('0xhere')
    for (const where of [usdt, coin, elsewhere]) fail('failed', where)
    request('0xother')
    expect([usdt, coin, elsewhere].map((where) => transfer(where)?.refund)).toEqual(['queued', 'queued', 'failed'])
    request('0xnamed', 'devnet')
    for (const where of [usdt, coin]) fail('failed', where)
    request('0xpayer')
    expect([usdt, coin].map((where) => transfer(where)?.refund)).toEqual(['failed', 'failed'])
  })

  test('is tried at once again when another address is named for its network', () => {
    const { seen, request, fail, transfer, ledger } = open()
    seen(5, 10, elsewhere)
    request('0xthere', 'devnet-b')
    fail('failed', elsewhere)
    request('0xother', 'devnet-b')
    expect(transfer(elsewhere)).toMatchObject({ refund: 'queued', address: '0xother' })
    expect(ledger.effects.at(-1)).toBe('queue-return')
  })

  test('is asked for once: an address that is known already changes nothing', () => {
    const { seen, request, payment } = open()
    expect(request('0xhere')).toBe(true)
    expect(request('0xhere')).toBe(false)
    for (const where of [usdt, coin, elsewhere]) seen(5, 10, where)
    expect(request('0xthere', 'devnet-b')).toBe(true)
    expect(request('0xthere', 'devnet-b')).toBe(false)
    expect(request('0xelse', 'devnet-b')).toBe(true)
    const asked = { type: 'refund.requested', atMs: 0 } as const
    expect(isAddressKnown(payment(), { ...asked, address: '0xelse', network: 'devnet-b' })).toBe(true)
    expect(isAddressKnown(payment(), { ...asked, address: '0xelse', network: 'devnet' })).toBe(false)
    expect(isAddressKnown(payment(), { ...asked, address: '0xhere' })).toBe(true)
  })

  test('is known only when it is that of all that lies on the network', () => {
    const unmatched = ['0xa', '0xb'].map((address, index) => ({
      ...{ network: 'devnet', token: `0x${index}`, currency: 'USDT', decimals: 6, balance: units(1), block: 1 },
      ...{
        refunded: units(0),
        txId: null,
        notifications: 1,
        refund: 'queued' as const,
        refundReason: null,
        refundTxId: null,
        address,
      },
    }))
    const asked = { type: 'refund.requested', address: '0xa', network: 'devnet', atMs: 0 } as const
    expect(isAddressKnown(newPayment({ unmatched }), asked)).toBe(false)
    expect(isAddressKnown(newPayment({ unmatched: unmatched.slice(0, 1) }), asked)).toBe(true)
  })
})

test('the reason of a failure is kept, and notified when it changes', () => {
  const { seen, request, transfer, ledger } = open()
  seen(5, 10)
  request('0xhere')
  const fail = (reason?: string) => {
    const before = ledger.payment
    const event = { type: 'unmatched.return_failed' as const, ...usdt, as: 'failing' as const, atMs: 0 }
    ledger.apply((reason === undefined ? event : { ...event, reason }) as PaymentEvent)
    return ledger.payment !== before
  }
  expect([fail('a'), fail('a'), fail('b'), fail(), fail()]).toEqual([true, false, true, true, false])
  expect(transfer()).toMatchObject({ refundReason: null })
  fail('c')
  expect(transfer()).toMatchObject({ refund: 'failing', refundReason: 'c' })
  request('0xother')
  expect(transfer()).toMatchObject({ refund: 'queued', refundReason: null })
})
