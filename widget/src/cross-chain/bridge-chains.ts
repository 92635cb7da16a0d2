import { request } from '../api/client.ts'
import { count, record, text } from '../api/parse-answer.ts'

/** A chain that the bridge takes tokens from, or pays them out on. */
export type BridgeChain = { chainId: number; name: string; currencies: string[] }

/** The chains that customers can pay from, and those that payments can be on; null if the service does not say. */
export type BridgeChains = { origins: BridgeChain[]; destinations: BridgeChain[] | null }

/** Empty when the service has no bridge or does not answer. */
export async function readBridgeChains(apiBase: string, signal: AbortSignal): Promise<BridgeChains> {
  const reply = await request<{ sources: unknown; destinations: unknown }>(apiBase, 'payments/cross-chain/sources', {
    signal,
  })
  const { sources, destinations } = 'fault' in reply ? { sources: [], destinations: [] } : reply.body
  return { origins: parseChains(sources), destinations: destinations === undefined ? null : parseChains(destinations) }
}

const parseChains = (json: unknown): BridgeChain[] =>
  Array.isArray(json)
    ? json.map(parseChain).filter(({ chainId, name, currencies }) => chainId && name && currencies[0])
    : []

function parseChain(json: unknown): BridgeChain {
  const { chainId, name, currencies } = record<BridgeChain>(json)
  const symbols = Array.isArray(currencies) ? currencies.map(text) : []
  return { chainId: count(chainId), name: text(name), currencies: symbols.every(Boolean) ? symbols : [] }
}
