import { type BaseUnits, baseUnits, formatAmount } from '../core/money.ts'
import type { DepositPayment, Payment } from './payment.ts'

/** What the relay said last of the way from the customer's chain to the payment's address: progress, never proof. */
export type BridgeStatus =
  /** Nothing has come to the relay's deposit address. */
  | 'waiting'
  /** The customer's money is there, with too few confirmations yet. */
  | 'depositing'
  /** It is the relay's to send on, and then sent. */
  | 'pending'
  | 'submitted'
  | 'delayed'
  /** Sent to the payment's address. The payment is paid when its own network shows it. */
  | 'success'
  /** Given back to whoever sent it. */
  | 'refund'
  /** Neither sent on nor given back, yet. */
  | 'failure'

/** What the relay was ordered to do. Never changes. */
export type BridgeTerms = {
  /** The relay's name for the order. */
  requestId: string
  /** Where the customer sends money to, on the origin chain. */
  relayDepositAddress: string
  originChainId: number
  originName: string
  originExplorerUrl: string | null
  /** Symbol, address and decimals of the token that the customer sends. */
  originCurrency: string
  originToken: string
  originDecimals: number
  /** Base units of that token, as text. */
  amountToSend: string
}

/** What the relay says of it now. Transaction ids are on the chain that their name says; a refund is on the origin chain. */
export type BridgeNews = {
  status: BridgeStatus
  originTxId: string | null
  destinationTxId: string | null
  refundTxId: string | null
  /** The relay's own word for why it failed or gave the money back. */
  reason: string | null
}

export type Bridge = { terms: BridgeTerms } & BridgeNews

/** What is known before the customer has sent anything. */
export const newBridge = (terms: BridgeTerms): Bridge => ({
  terms,
  status: 'waiting',
  originTxId: null,
  destinationTxId: null,
  refundTxId: null,
  reason: null,
})

/** Only where the payment is made from another chain. */
export const bridgeOf = (payment: Payment): Bridge | undefined =>
  payment.mode === 'deposit' ? payment.bridge : undefined

/** The relay has the customer's money and has not said that it gave it back: it may arrive at any moment. */
export function isBridgeUnderWay(payment: Payment): boolean {
  const status = bridgeOf(payment)?.status
  return status !== undefined && !['waiting', 'refund', 'failure'].includes(status)
}

/**
 * A relay that answers from an old copy takes back no delivery and no refund; after a refund the address may be paid again.
 * @returns undefined when the news is none.
 */
export function moveBridge(payment: Payment, news: BridgeNews): Payment | undefined {
  const bridge = bridgeOf(payment)
  if (payment.mode !== 'deposit' || bridge === undefined) return undefined
  if (bridge.status === 'success' && news.status !== 'success') return undefined
  if (bridge.status === 'refund' && (news.status === 'waiting' || news.status === 'failure')) return undefined
  const next: Bridge = {
    terms: bridge.terms,
    status: news.status,
    originTxId: news.originTxId ?? bridge.originTxId,
    destinationTxId: news.destinationTxId ?? bridge.destinationTxId,
    refundTxId: news.refundTxId ?? bridge.refundTxId,
    reason: news.reason ?? bridge.reason,
  }
  const names = ['status', 'originTxId', 'destinationTxId', 'refundTxId', 'reason'] as const
  return names.some((name) => next[name] !== bridge[name]) ? { ...payment, bridge: next } : undefined
}

/** For the customer who waits. */
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

/** What the customer sends where, and how far it is. `amountToSend` is in the origin token's smallest unit. */
export function bridgeView(payment: DepositPayment, bridge: Bridge) {
  const { terms } = bridge
  return {
    relayDepositAddress: terms.relayDepositAddress,
    amountToSend: terms.amountToSend,
    amountToSendFormatted: formatAmount(baseUnits(terms.amountToSend) as BaseUnits, terms.originDecimals),
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
