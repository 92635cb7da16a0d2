import { matching, text, webUrl } from '../api/parse-answer.ts'
import type { Answer } from '../payment.ts'

/** What the customer sends, and from which chain. */
export type Choice = { chainId: number; currency: string }

/** The service's bridge status. */
export type Bridge = {
  status: string
  /** Where and what to send on the other chain. `amount` in whole tokens. */
  address: string
  amount: string
  currency: string
  chainId: number
  network: string
  /** Explorer of the other chain; empty when unknown. */
  explorerUrl: string
  refundHash: string
}

/** @returns null for a payment that is not cross-chain, or whose route is incomplete. */
export function parseBridge({ wire }: Answer): Bridge | null {
  const origin = (wire.Origin ?? {}) as Record<string, unknown>
  const bridge = {
    status: text(wire.bridgeStatus),
    address: matching(wire.relayDepositAddress, /^0x[\da-f]{40}$/i),
    amount: matching(wire.amountToSendFormatted, /^(?=.*[1-9])\d{1,60}(\.\d{1,36})?$/),
    currency: text(wire.originCurrency),
    chainId: Number(wire.originChainId),
    network: text(origin['name']) || `chain ${String(wire.originChainId)}`,
    explorerUrl: webUrl(origin['explorerUrl']).replace(/\/+$/, ''),
    refundHash: matching(wire.bridgeRefundTxHash, /^0x[\da-f]{64}$/i),
  }
  const { address, amount, currency, chainId } = bridge
  return address && amount && currency && Number.isSafeInteger(chainId) ? bridge : null
}
