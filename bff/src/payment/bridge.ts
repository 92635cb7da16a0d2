import { baseUnits, formatAmount } from '../core/money.ts'
import { newestOf, type StoredTransfer } from './event.ts'
import type { Bridge, BridgeReport, BridgeStatus, BridgeTerms, DepositPayment, Payment } from './payment.ts'

/** A bridge before the customer has sent anything. */
export const newBridge = (terms: BridgeTerms): Bridge => ({
  terms,
  status: 'waiting',
  originTxId: null,
  destinationTxId: null,
  refundTxId: null,
  reason: null,
})

/** The bridge of a cross-chain payment; undefined for other payments. */
export const bridgeOf = (payment: Payment): Bridge | undefined =>
  payment.mode === 'deposit' ? payment.bridge : undefined

/** The relay has the customer's money and has not reported a refund: the money may arrive at any moment. */
export function isBridgeUnderWay(payment: Payment): boolean {
  const status = bridgeOf(payment)?.status
  return status !== undefined && !['waiting', 'refund', 'failure'].includes(status)
}

/**
 * How long after its window a payment stays open while the relay has the customer's money. Relays deliver
 * within minutes and return undeliverable money within hours; a merchant cannot reserve goods indefinitely.
 */
export const bridgeWaitMaxMs = 24 * 60 * 60 * 1000

/** How long after its window a payment stays open while the relay, which may be down, has not said whether the customer paid. */
export const bridgeAnswerMaxMs = 60 * 60 * 1000

/** Delivery as reported by the relay, with its transaction. */
function isDelivery(payment: Payment, txId: string | null): boolean {
  const bridge = bridgeOf(payment)
  return bridge?.status === 'success' && txId !== null && bridge.destinationTxId === txId
}

/**
 * The relay holds the customer's money and the chain does not show the delivery yet; transfers from others do
 * not count as delivery. The relay's report never reopens a window.
 */
const isAwaited = (payment: Payment): boolean => isBridgeUnderWay(payment) && !isDelivery(payment, payment.lastTxId)

/** The last transfer of a payment after one of its transfers has moved: the newest, but the relay's delivery stays the last, whatever others send. */
export function lastAfter(
  payment: Payment,
  moved: StoredTransfer,
  newestOther: StoredTransfer | undefined,
): Pick<Payment, 'lastBlock' | 'lastTxId'> {
  if (isDelivery(payment, payment.lastTxId) && payment.lastTxId !== moved.txId) return payment
  const isDelivered = isDelivery(payment, moved.txId) && moved.state !== 'reverted'
  return lastOf(isDelivered ? moved : newestOf(moved, newestOther))
}

const lastOf = (transfer: StoredTransfer | undefined): Pick<Payment, 'lastBlock' | 'lastTxId'> => ({
  lastBlock: transfer?.blockNumber ?? null,
  lastTxId: transfer?.txId ?? null,
})

/** When the payment's window ends on its chain's clock, by what the relay has said so far. */
export const windowEndOf = (payment: Payment): number =>
  payment.windowEndsAtMs + (isAwaited(payment) ? bridgeWaitMaxMs : 0)

/** The latest time at which the payment's window can end, whatever the relay says. */
export const lastWindowEndOf = (payment: Payment): number =>
  payment.windowEndsAtMs + (bridgeOf(payment) === undefined ? 0 : bridgeWaitMaxMs)

/**
 * The latest block time at which a transfer of the transaction is in time. The window of a cross-chain payment ends only after the relay
 * was asked.
 */
export function inTimeUntilMs(payment: Payment, { txId }: { txId: string }, wasInTime: boolean): number {
  if (bridgeOf(payment) === undefined || (payment.windowEnded && !wasInTime)) return payment.windowEndsAtMs
  const isWaitedFor = isAwaited(payment) || isDelivery(payment, txId) || wasInTime
  return payment.windowEndsAtMs + (isWaitedFor ? bridgeWaitMaxMs : bridgeAnswerMaxMs)
}

/**
 * An outdated report never undoes a delivery or refund. After a refund the address may be paid again.
 * @param delivered - A canonical transfer to the payment in the transaction by which the relay says it delivered.
 * @returns undefined when nothing has changed.
 */
export function moveBridge(payment: Payment, progress: BridgeReport, delivered?: StoredTransfer): Payment | undefined {
  const bridge = bridgeOf(payment)
  if (payment.mode !== 'deposit' || bridge === undefined) return undefined
  if (bridge.status === 'success' && progress.status !== 'success') return undefined
  if (bridge.status === 'refund' && (progress.status === 'waiting' || progress.status === 'failure')) return undefined
  const next: Bridge = {
    terms: bridge.terms,
    status: progress.status,
    originTxId: progress.originTxId ?? bridge.originTxId,
    destinationTxId: progress.destinationTxId ?? bridge.destinationTxId,
    refundTxId: progress.refundTxId ?? bridge.refundTxId,
    reason: progress.reason ?? bridge.reason,
  }
  const names = ['status', 'originTxId', 'destinationTxId', 'refundTxId', 'reason'] as const
  if (names.every((name) => next[name] === bridge[name])) return undefined
  const last = next.status === 'success' && delivered?.txId === next.destinationTxId ? lastOf(delivered) : {}
  return { ...payment, ...last, bridge: next }
}

/** Shown to the waiting customer. */
const messages: Readonly<Record<BridgeStatus, string>> = {
  waiting: 'Waiting for your transfer.',
  depositing: 'Your transfer was seen and is being confirmed.',
  pending: 'Your transfer has arrived at the bridge and is being sent on.',
  submitted: 'The bridge has sent the money on; it arrives in a moment.',
  delayed: 'The bridge is taking longer than usual. Your money is safe; nothing needs to be done.',
  success: 'The bridge has delivered the money.',
  refund: 'The bridge could not deliver the money and has sent it back to where it came from.',
  failure: 'The bridge could not deliver the money. It is being sent back to where it came from.',
}

export type BridgeView = ReturnType<typeof bridgeView>

/** What the customer sends, to which address, and the progress. `amountToSend` is in the origin token's smallest unit. */
export function bridgeView(payment: DepositPayment, bridge: Bridge) {
  const { terms } = bridge
  return {
    relayDepositAddress: terms.relayDepositAddress,
    amountToSend: terms.amountToSend,
    amountToSendFormatted: formatAmount(baseUnits(terms.amountToSend), terms.originDecimals),
    originChainId: terms.originChainId,
    originCurrency: terms.originCurrency,
    destination: {
      network: payment.network,
      currency: payment.currency,
      amount: formatAmount(payment.due, payment.tokenDecimals),
      address: payment.depositAddress,
    },
    bridgeMessage: messages[bridge.status],
    bridgeReason: bridge.reason,
    originTxHash: bridge.originTxId,
    destinationTxHash: bridge.destinationTxId,
    bridgeRefundTxHash: bridge.refundTxId,
    Origin: {
      name: terms.originName,
      chainId: terms.originChainId,
      explorerUrl: terms.originExplorerUrl,
      tokenAddress: terms.originToken,
      decimals: terms.originDecimals,
    },
  }
}

/** EIP-681 request for exactly what the relay expects; the chain's own coin has no contract to call. */
export function bridgeUri({ terms }: Bridge): string {
  const { originToken, originChainId, relayDepositAddress, amountToSend } = terms
  if (/^0x0{40}$/.test(originToken)) return `ethereum:${relayDepositAddress}@${originChainId}?value=${amountToSend}`
  return `ethereum:${originToken}@${originChainId}/transfer?address=${relayDepositAddress}&uint256=${amountToSend}`
}
