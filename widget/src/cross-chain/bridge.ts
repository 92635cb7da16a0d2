import { request } from '../api/client.ts'
import { count, matching, record, text, webUrl } from '../api/parse-answer.ts'
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

/** An origin chain that the bridge supports. */
export type BridgeOrigin = { chainId: number; name: string; currencies: string[] }

/** Available origin chains; empty when the service has no bridge or does not answer. */
export async function readBridgeOrigins(apiBase: string, signal: AbortSignal): Promise<BridgeOrigin[]> {
  const reply = await request<{ sources: unknown }>(apiBase, 'payments/cross-chain/sources', { signal })
  if ('fault' in reply || !Array.isArray(reply.body.sources)) return []
  return reply.body.sources.map(parseOrigin).filter(({ chainId, name, currencies }) => chainId && name && currencies[0])
}

function parseOrigin(json: unknown): BridgeOrigin {
  const { chainId, name, currencies } = record<BridgeOrigin>(json)
  const symbols = Array.isArray(currencies) ? currencies.map(text) : []
  return { chainId: count(chainId), name: text(name), currencies: symbols.every(Boolean) ? symbols : [] }
}
