import { baseUnits, zero } from '@stablecoin-checkout/bff/testing/core'
import {
  type ContractPayment,
  type DepositPayment,
  type MerchantId,
  type Payment,
  type PaymentEvent,
  type PaymentId,
  type Step,
  type StoredTransfer,
  type Transfer,
  transition,
} from '@stablecoin-checkout/bff/testing/payment'

/** A window that ends at second 900 of the chain's clock. */
export const windowEndsAtMs = 900_000

/** 25 USDC, nothing paid yet. For tests. */
export function newPayment(changes: Partial<DepositPayment> = {}): DepositPayment {
  return {
    ...common(),
    mode: 'deposit',
    sweep: 'none',
    sweepWaits: false,
    sweepTxId: null,
    sweptAtMs: null,
    sweptAmount: null,
    refund: 'none',
    refundAddress: null,
    refunded: zero,
    refunding: zero,
    lateReturned: false,
    refundTxId: null,
    unmatched: [],
    depositAddress: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    depositTerms: '{}',
    isDirect: false,
    ...changes,
  }
}

/** 25 USDC, to be paid by a splitter call. */
export function newContractPayment(changes: Partial<ContractPayment> = {}): ContractPayment {
  return {
    ...common(),
    mode: 'contract',
    splitter: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
    termsHash: `0x${'07'.repeat(32)}`,
    splitTerms: '{}',
    plainSender: null,
    ...changes,
  }
}

function common() {
  return {
    id: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' as PaymentId,
    merchantId: 'b8a4b7c0-7f4e-4a53-9a58-0f6f0f5d2b10' as MerchantId,
    merchantName: 'Corner Coffee',
    takesSignatures: true,
    isTest: false,
    madeWith: 'public' as const,
    network: 'devnet',
    currency: 'USDC',
    tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    tokenDecimals: 6,
    due: baseUnits('25000000'),
    least: baseUnits('25000000'),
    dollarRate: '1',
    confirmations: null,
    seen: baseUnits('0'),
    received: baseUnits('0'),
    late: baseUnits('0'),
    lastBlock: null,
    lastTxId: null,
    windowEnded: false,
    acceptedUntilMs: null,
    lateEnded: false,
    lateTaken: false,
    refundedByMerchant: baseUnits('0'),
    refundDueByMerchant: baseUnits('0'),
    refundedOfDue: baseUnits('0'),
    confirmedOfDue: baseUnits('0'),
    closedAs: null,
    closeReason: null,
    status: 'pending' as const,
    version: 1,
    sequence: 1,
    createdAtMs: 0,
    expiresAtMs: windowEndsAtMs,
    windowEndsAtMs,
    detectedAtMs: null,
    confirmedAtMs: null,
    orderId: null,
    customerEmail: null,
    callbackUrl: null,
    returnUrl: null,
    linkId: null,
    price: null,
    metadata: null,
    agentId: null,
    agentOwner: null,
  }
}

export function transferOf(amount: string, changes: Partial<Transfer> = {}): Transfer {
  const blockNumber = changes.blockNumber ?? 10
  return {
    network: 'devnet',
    txId: `0x${amount.padStart(64, '0')}`,
    logIndex: 0,
    payer: '0x00000000000000000000000000000000000000aa',
    amount: baseUnits(amount),
    blockHash: `0xb${blockNumber}`,
    blockTimeMs: blockNumber * 1000,
    ...changes,
    blockNumber,
  }
}

/** A payment with its stored transfers, as the ledger keeps them, without a database. */
export function createMemoryLedger(payment: Payment) {
  const transfers = new Map<string, StoredTransfer>()
  const effects: string[] = []
  const ledger = {
    payment,
    transfers,
    effects,
    apply(event: PaymentEvent): Step {
      const key = 'transfer' in event ? `${event.transfer.txId}:${event.transfer.logIndex}` : ''
      const others = [...transfers].filter(([other, { state }]) => other !== key && state !== 'reverted')
      const [newestOther] = others.map(([, other]) => other).sort((a, b) => b.blockNumber - a.blockNumber)
      const delivery = event.type === 'bridge.moved' ? event.report.destinationTxId : null
      const known = delivery === null ? transfers.get(key) : others.find(([, { txId }]) => txId === delivery)?.[1]
      const step = transition(ledger.payment, event, known, newestOther)
      if (step.transfer) transfers.set(key, step.transfer)
      ledger.payment = step.payment
      for (const effect of step.effects) effects.push(effect.type === 'emit' ? effect.event : effect.type)
      return step
    },
  }
  return ledger
}
