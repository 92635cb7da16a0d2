import { createMemoryLedger, newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { bridgeUri, bridgeView, isBridgeUnderWay, newBridge } from './bridge.ts'
import type { BridgeReport, BridgeStatus, BridgeTerms } from './payment.ts'
import { type DepositPayment, outcomeOf } from './payment.ts'

const terms: BridgeTerms = {
  ...{ requestId: '0xrequest', relayDepositAddress: '0xrelay', originChainId: 8453, originName: 'Base' },
  ...{ originExplorerUrl: 'https://basescan.org', originCurrency: 'USDC', originToken: '0x8335' },
  ...{ originDecimals: 6, amountToSend: '25100000' },
}
const statuses: BridgeStatus[] = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'delayed',
  'success',
  'refund',
  'failure',
]
const nothing = { originTxId: null, destinationTxId: null, refundTxId: null, reason: null }

function open(status: BridgeStatus = 'waiting', known: Partial<BridgeReport> = {}) {
  const ledger = createMemoryLedger(newPayment({ bridge: { ...newBridge(terms), status, ...known } }))
  const say = (report: Partial<BridgeReport>) =>
    ledger.apply({ type: 'bridge.moved', report: { status, ...nothing, ...report }, atMs: 1 })
  return { ledger, say, bridge: () => (ledger.payment as DepositPayment).bridge }
}

test('a new bridge waits for the customer’s money, and nothing is known of it', () => {
  expect(newBridge(terms)).toEqual({ terms, status: 'waiting', ...nothing })
})

describe('what the relay says', () => {
  test('is kept and effects, and what it does not say any more is not forgotten', () => {
    const { ledger, say, bridge } = open()
    expect(bridge()).toEqual({ terms, status: 'waiting', ...nothing })
    say({ status: 'depositing', originTxId: '0x1' })
    say({ status: 'success', destinationTxId: '0x2' })
    expect(bridge()).toEqual({ terms, status: 'success', ...nothing, originTxId: '0x1', destinationTxId: '0x2' })
    expect(ledger.effects).toEqual(['bridge.moved', 'bridge.moved'])
    expect(ledger.payment.version).toBe(3)
  })

  test('pays nothing', () => {
    const { ledger, say } = open()
    say({ status: 'success', destinationTxId: '0x2' })
    expect(outcomeOf(ledger.payment)).toBe('pending')
  })

  test.each(['originTxId', 'destinationTxId', 'refundTxId', 'reason'] as const)(
    'emits when only the %s is new, and nothing when nothing is',
    (name) => {
      const { ledger, say, bridge } = open('pending')
      say({ [name]: 'a' })
      expect(bridge()).toMatchObject({ [name]: 'a' })
      say({ [name]: 'a' })
      say({})
      expect(ledger.effects).toEqual(['bridge.moved'])
      say({ [name]: 'b' })
      expect(bridge()).toMatchObject({ [name]: 'b' })
    },
  )

  test('takes back no delivery, whatever it is', () => {
    for (const status of statuses) {
      const { say, bridge } = open('success')
      say({ status, reason: 'because' })
      expect(bridge()).toMatchObject({ status: 'success', reason: status === 'success' ? 'because' : null })
    }
  })

  test('takes back no refund by an old copy, but the address may be paid again', () => {
    for (const status of statuses) {
      const { say, bridge } = open('refund')
      say({ status })
      expect(bridge()?.status).toBe(['waiting', 'failure'].includes(status) ? 'refund' : status)
    }
  })

  test('may go back from anything else', () => {
    for (const status of statuses) {
      const { say, bridge } = open('pending')
      say({ status })
      expect(bridge()?.status).toBe(status)
    }
  })

  test('changes no payment that has no bridge', () => {
    for (const payment of [newPayment(), newContractPayment()]) {
      const ledger = createMemoryLedger(payment)
      ledger.apply({ type: 'bridge.moved', report: { status: 'success', ...nothing }, atMs: 1 })
      expect(ledger.payment).toBe(payment)
      expect(isBridgeUnderWay(payment)).toBe(false)
    }
  })
})

test('a payment cannot be ended by hand while the relay has the customer’s money', () => {
  const underWay = statuses.filter((status) => {
    const { ledger } = open(status)
    ledger.apply({ type: 'payment.closed', as: 'cancelled', atMs: 1 })
    expect(isBridgeUnderWay(newPayment({ bridge: { ...newBridge(terms), status } }))).toBe(
      ledger.payment.status === 'pending',
    )
    return ledger.payment.status === 'pending'
  })
  expect(underWay).toEqual(['depositing', 'pending', 'submitted', 'delayed', 'success'])
})

test('the customer sees what to send where, how far it is, and both chains’ transactions', () => {
  const payment = newPayment({ bridge: newBridge(terms) })
  const report = {
    status: 'refund' as const,
    originTxId: '0x1',
    destinationTxId: '0x2',
    refundTxId: '0x3',
    reason: 'no route',
  }
  expect(bridgeView(payment, { terms, ...report })).toEqual({
    ...{ relayDepositAddress: '0xrelay', amountToSend: '25100000', amountToSendFormatted: '25.10' },
    ...{ originChainId: 8453, originCurrency: 'USDC' },
    destination: { network: 'devnet', currency: 'USDC', amount: '25.00', address: payment.depositAddress },
    bridgeMessage: 'The bridge could not deliver the money and has sent it back to where it came from.',
    ...{ bridgeReason: 'no route', originTxHash: '0x1', destinationTxHash: '0x2', bridgeRefundTxHash: '0x3' },
    Origin: {
      ...{ name: 'Base', chainId: 8453, explorerUrl: 'https://basescan.org', tokenAddress: '0x8335', decimals: 6 },
    },
  })
})

test('what to send is in the decimals of the customer’s own token', () => {
  const bridge = newBridge({ ...terms, originDecimals: 18, amountToSend: '25100000000000000001' })
  expect(bridgeView(newPayment(), bridge).amountToSendFormatted).toBe('25.100000000000000001')
})

test('every status has a sentence of its own for the customer', () => {
  const payment = newPayment()
  const messages = statuses.map((status) => bridgeView(payment, { ...newBridge(terms), status }).bridgeMessage)
  expect(messages).toEqual([
    'Waiting for your transfer.',
    'Your transfer was seen and is being confirmed.',
    'Your transfer has arrived at the bridge and is being sent on.',
    'The bridge has sent the money on; it arrives in a moment.',
    'The bridge is taking longer than usual. Your money is safe; nothing needs to be done.',
    'The bridge has delivered the money.',
    'The bridge could not deliver the money and has sent it back to where it came from.',
    'The bridge could not deliver the money. It is being sent back to where it came from.',
  ])
})

test('the link for a wallet asks for exactly the token and amount, or for the chain’s own coin', () => {
  expect(bridgeUri(newBridge(terms))).toBe('ethereum:0x8335@8453/transfer?address=0xrelay&uint256=25100000')
  const coin = `0x${'0'.repeat(40)}`
  expect(bridgeUri(newBridge({ ...terms, originToken: coin }))).toBe('ethereum:0xrelay@8453?value=25100000')
  for (const originToken of [`${coin}0`, `0x${'0'.repeat(39)}1`, `1${coin}`]) {
    expect(bridgeUri(newBridge({ ...terms, originToken }))).toContain('/transfer?')
  }
})
