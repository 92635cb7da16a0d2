import { withDeadline } from '../deadline.ts'

/** A chain that the bridge takes money from. */
export type Source = { chainId: number; name: string; currencies: string[] }

const timeoutMs = 15_000

/** Where a customer can pay from; empty where the service has no bridge, or does not answer. Never rejects. */
export async function readSources(apiBase: string): Promise<Source[]> {
  try {
    const url = `${apiBase}/api/v1/payments/cross-chain/sources`
    const { sources } = await withDeadline(timeoutMs, async (signal) => {
      const response = await fetch(url, { credentials: 'omit', signal })
      return (await response.json()) as { sources?: unknown }
    })
    return (Array.isArray(sources) ? sources : []).filter(isSource)
  } catch {
    return []
  }
}

function isSource(value: unknown): value is Source {
  const { chainId, name, currencies } = (value ?? {}) as Record<string, unknown>
  const isList =
    Array.isArray(currencies) && currencies.length > 0 && currencies.every((one) => typeof one === 'string')
  return Number.isSafeInteger(chainId) && typeof name === 'string' && isList
}
