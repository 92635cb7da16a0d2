import { request } from './client.ts'
import { count, record, text } from './parse-answer.ts'

/** A chain that the bridge takes money from. */
export type BridgeOrigin = { chainId: number; name: string; currencies: string[] }

/** Where a customer can pay from; empty where the service has no bridge, or does not answer. */
export async function readBridgeOrigins(apiBase: string): Promise<BridgeOrigin[]> {
  const reply = await request<{ sources: unknown }>(apiBase, 'payments/cross-chain/sources')
  if ('fault' in reply || !Array.isArray(reply.body.sources)) return []
  return reply.body.sources.map(parseOrigin).filter(({ chainId, name, currencies }) => chainId && name && currencies[0])
}

function parseOrigin(json: unknown): BridgeOrigin {
  const { chainId, name, currencies } = record<BridgeOrigin>(json)
  const symbols = Array.isArray(currencies) ? currencies.map(text) : []
  return { chainId: count(chainId), name: text(name), currencies: symbols.every(Boolean) ? symbols : [] }
}
