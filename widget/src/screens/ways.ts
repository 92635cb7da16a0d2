import type { Unchecked } from '../../../bff/src/api-types.ts'
import { withDeadline } from '../deadline.ts'
import type { ChooseIntent } from '../terms.ts'

/** A token on a network that can be paid now. `seconds` and `fee` are rough, and null or empty where nobody knows. */
export type PayableWay = {
  currency: string
  network: string
  networkName: string
  confirmations: number
  seconds: number | null
  fee: string
}

type Listed = {
  symbol: string
  Network: Unchecked<{
    name: string
    shortName: string
    confirmations: number
    confirmSeconds: number
    feeLevel: string
  }>
}

const answerTimeoutMs = 15_000

/** More than any service offers; what is beyond could not be shown. */
const waysMax = 60

/**
 * What of the open terms can be paid now, cheap before dear, then quick before slow.
 * @returns null when the service could not be asked.
 */
export async function readWays({ apiBase, publicKey, terms }: ChooseIntent): Promise<PayableWay[] | null> {
  try {
    const url = `${apiBase}/api/v1/networks/payable/stablecoins`
    const { stablecoins } = await withDeadline(answerTimeoutMs, async (signal) => {
      const response = await fetch(url, { credentials: 'omit', headers: { 'X-Public-Key': publicKey }, signal })
      return (await response.json()) as { stablecoins?: unknown }
    })
    if (!Array.isArray(stablecoins)) return null
    const isAsked = (asked: string, one: string) => !asked || asked.toLowerCase() === one.toLowerCase()
    return (stablecoins as Unchecked<Listed>[])
      .slice(0, waysMax)
      .map(parseWay)
      .filter((way) => way.currency && way.network)
      .filter((way) => isAsked(terms.currency, way.currency) && isAsked(terms.network, way.network))
      .sort((one, other) => Number(one.fee === 'high') - Number(other.fee === 'high') || rank(one) - rank(other))
  } catch {
    return null
  }
}

/** Ways of unknown speed come after those that are known. */
const rank = ({ seconds }: PayableWay): number => seconds ?? Number.MAX_SAFE_INTEGER

function parseWay({ symbol, Network }: Unchecked<Listed>): PayableWay {
  const network = (Network ?? {}) as Listed['Network']
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const count = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null)
  return {
    currency: text(symbol),
    network: text(network.shortName),
    networkName: text(network.name) || text(network.shortName),
    confirmations: count(network.confirmations) ?? 0,
    seconds: count(network.confirmSeconds),
    fee: text(network.feeLevel),
  }
}
