import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { bridgeAnswerMaxMs, bridgeWaitMaxMs, newBridge } from './bridge.ts'
import { type Bridge, type BridgeStatus, type BridgeTerms, type DepositPayment, outcomeOf } from './payment.ts'

const terms: BridgeTerms = {
  ...{ requestId: '0xrequest', relayDepositAddress: '0xrelay', originChainId: 8453, originName: 'Base' },
  ...{ originExplorerUrl: null, originCurrency: 'USDC', originToken: '0x8335' },
  ...{ originDecimals: 6, amountToSend: '25100000' },
}
const underWay = ['depositing', 'pending', 'submitted', 'delayed', 'success'] as const
const over = ['waiting', 'refund', 'failure'] as const
const nothing = { originTxId: null, destinationTxId: null, refundTxId: null, reason: null }

function open(status: BridgeStatus, changes: Partial<DepositPayment> = {}) {
  const bridge: Bridge = { ...newBridge(terms), status }
  const ledger = createMemoryLedger(newPayment({ bridge, ...changes }))
  return {
    ledger,
    outcome: () => outcomeOf(ledger.payment),
    reports: (next: BridgeStatus, destinationTxId: string | null = null) =>
      ledger.apply({ type: 'bridge.moved', report: { status: next, ...nothing, destinationTxId }, atMs: 1 }),
    endWindow: (afterMs = 1) =>
      ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + afterMs, atMs: windowEndsAtMs + afterMs }),
    transfer(type: 'transfer.seen' | 'transfer.confirmed' | 'transfer.reverted', afterMs: number, amount = '25000000') {
      const transfer = transferOf(amount, { blockNumber: 905, blockTimeMs: windowEndsAtMs + afterMs })
      return ledger.apply({ type, transfer, atMs: windowEndsAtMs + afterMs })
    },
  }
}

describe('the window of a cross-chain payment', () => {
  test.each(underWay)('stays open while the bridge reports %s, and what it delivers then pays', (status) => {
    const { ledger, endWindow, transfer, outcome } = open(status)
    endWindow()
    expect(outcome()).toBe('pending')
    transfer('transfer.confirmed', 5_000)
    expect([outcome(), ledger.effects]).toEqual(['paid', ['payment.detected', 'queue-sweep', 'payment.completed']])
  })

  test.each(over)('ends in time where the bridge reports %s', (status) => {
    const { endWindow, outcome, transfer, ledger } = open(status)
    endWindow()
    expect(outcome()).toBe('failed')
    transfer('transfer.confirmed', 5_000)
    expect([outcome(), ledger.effects]).toEqual(['failed', ['payment.expired', 'payment.late']])
  })

  test('stays open after a success that names no transaction, while no money is there', () => {
    const { endWindow, reports, outcome } = open('pending')
    reports('success')
    endWindow()
    expect(outcome()).toBe('pending')
    endWindow(bridgeWaitMaxMs + 1)
    expect(outcome()).toBe('failed')
  })

  test('ends when the bridge has sent the money back', () => {
    const { endWindow, reports, outcome } = open('pending')
    endWindow()
    reports('refund')
    expect(outcome()).toBe('pending')
    endWindow(2)
    expect(outcome()).toBe('failed')
  })

  test.each(underWay)('ends after a day of a bridge that reports %s for ever: what comes then is late', (status) => {
    const { endWindow, outcome, transfer } = open(status)
    endWindow(bridgeWaitMaxMs)
    expect(outcome()).toBe('pending')
    endWindow(bridgeWaitMaxMs + 1)
    expect(outcome()).toBe('failed')
    transfer('transfer.confirmed', bridgeWaitMaxMs + 2)
    expect(outcome()).toBe('failed')
  })

  test('that has ended is not opened again by the word of the relay', () => {
    const { endWindow, reports, outcome, transfer } = open('waiting')
    endWindow()
    for (const status of underWay) reports(status)
    transfer('transfer.confirmed', 5_000)
    expect(outcome()).toBe('failed')
  })

  test('ends when the bridge has delivered too little, because nobody can send the rest', () => {
    const { endWindow, outcome, transfer, reports } = open('pending')
    const { payment } = transfer('transfer.confirmed', -1_000, '10000000')
    reports('success', payment.lastTxId)
    endWindow()
    expect(outcome()).toBe('failed')
  })

  test.each(['before', 'between', 'after'] as const)(
    'ends when the bridge has delivered too little, whatever others send %s what shows it',
    (when) => {
      const { endWindow, outcome, transfer, reports, ledger } = open('pending')
      const txId = transfer('transfer.seen', -1_000, '10000000').payment.lastTxId
      const send = () => {
        const dust = transferOf('1', { blockNumber: 906, blockTimeMs: windowEndsAtMs - 500 })
        ledger.apply({ type: 'transfer.confirmed', transfer: dust, atMs: 1 })
      }
      if (when === 'before') {
        transfer('transfer.confirmed', -1_000, '10000000')
        send()
      }
      reports('success', txId)
      if (when === 'between') send()
      transfer('transfer.confirmed', -1_000, '10000000')
      if (when === 'after') send()
      expect(ledger.payment).toMatchObject({ lastTxId: txId, lastBlock: 905, received: 10_000_001n })
      endWindow()
      expect(outcome()).toBe('failed')
    },
  )

  test('stays open when a reorg takes the delivery that others have sent after', () => {
    const { endWindow, outcome, transfer, reports, ledger } = open('pending')
    const txId = transfer('transfer.seen', -1_000, '10000000').payment.lastTxId
    reports('success', txId)
    const dust = transferOf('1', { blockNumber: 906, blockTimeMs: windowEndsAtMs - 500 })
    ledger.apply({ type: 'transfer.confirmed', transfer: dust, atMs: 1 })
    transfer('transfer.reverted', -1_000, '10000000')
    expect(ledger.payment).toMatchObject({ lastTxId: dust.txId, lastBlock: 906 })
    endWindow()
    expect(outcome()).toBe('pending')
  })

  test('stays open when others send to the address while what the relay has delivered is not on the chain', () => {
    const { endWindow, outcome, transfer, ledger } = open('success')
    transfer('transfer.confirmed', 5_000, '1')
    endWindow(6_000)
    expect(outcome()).toBe('pending')
    transfer('transfer.confirmed', bridgeAnswerMaxMs + 1)
    expect([outcome(), ledger.payment.late]).toEqual(['paid', 0n])
  })

  test('takes each transfer of the transaction by which the relay delivers', () => {
    const { outcome, ledger, reports } = open('pending')
    reports('success', '0xdelivery')
    for (const logIndex of [0, 1]) {
      const place = {
        txId: '0xdelivery',
        logIndex,
        blockNumber: 905,
        blockTimeMs: windowEndsAtMs + bridgeAnswerMaxMs + 1,
      }
      ledger.apply({ type: 'transfer.confirmed', transfer: transferOf('12500000', place), atMs: 1 })
    }
    expect(outcome()).toBe('paid')
  })

  test('takes a delivery that comes before the relay was asked again, however the relay answers', () => {
    const { endWindow, outcome, transfer, ledger } = open('waiting')
    transfer('transfer.seen', 5_000)
    endWindow(6_000)
    expect(outcome()).toBe('pending')
    transfer('transfer.confirmed', 5_000)
    expect([outcome(), ledger.effects]).toEqual(['paid', ['payment.detected', 'queue-sweep', 'payment.completed']])
  })

  test('does not take what comes an hour late while nothing is known of the bridge', () => {
    const { outcome, transfer } = open('waiting')
    transfer('transfer.confirmed', bridgeAnswerMaxMs + 1)
    expect(outcome()).toBe('pending')
    expect(open('waiting').transfer('transfer.confirmed', bridgeAnswerMaxMs).payment.status).toBe('sweeping')
  })

  test('that is over takes nothing as in time by its confirmations', () => {
    const { endWindow, outcome, transfer, ledger } = open('waiting')
    endWindow()
    transfer('transfer.seen', 5_000)
    transfer('transfer.confirmed', 5_000)
    expect([outcome(), ledger.payment]).toMatchObject(['failed', { received: 0n, late: 25_000_000n }])
  })

  test('that is over takes nothing back as in time that a reorg has moved behind it', () => {
    const { endWindow, outcome, transfer, ledger } = open('waiting')
    transfer('transfer.seen', -1_000)
    transfer('transfer.reverted', -1_000)
    endWindow()
    transfer('transfer.confirmed', 5_000)
    expect([outcome(), ledger.payment]).toMatchObject(['failed', { received: 0n, late: 25_000_000n }])
  })

  test('has taken a transfer for good that came while the bridge had the money, whatever the bridge reports next', () => {
    const { outcome, transfer, reports } = open('pending')
    transfer('transfer.seen', bridgeAnswerMaxMs + 1)
    reports('refund')
    transfer('transfer.confirmed', bridgeAnswerMaxMs + 1)
    expect(outcome()).toBe('paid')
  })

  test('stays open for a delivery that a reorg takes back, and takes it again from another block', () => {
    const { endWindow, outcome, transfer, ledger } = open('success')
    transfer('transfer.seen', 5_000)
    transfer('transfer.reverted', 5_000)
    endWindow(6_000)
    expect(outcome()).toBe('pending')
    const again = transferOf('25000000', { blockNumber: 910, blockTimeMs: windowEndsAtMs + 10_000 })
    ledger.apply({ type: 'transfer.confirmed', transfer: again, atMs: windowEndsAtMs + 20_000 })
    expect(outcome()).toBe('paid')
  })
})

test('no other payment’s window waits for anything', () => {
  const ledger = createMemoryLedger(newPayment())
  ledger.apply({
    type: 'transfer.confirmed',
    transfer: transferOf('25000000', { blockTimeMs: windowEndsAtMs + 1 }),
    atMs: 1,
  })
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 1 })
  expect(outcomeOf(ledger.payment)).toBe('failed')
})
