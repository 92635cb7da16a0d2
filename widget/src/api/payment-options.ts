import type { Unchecked } from '../../../bff/src/api-types.ts'
import type { ChooseIntent } from '../terms.ts'
import { request } from './client.ts'
import { count, record, text, webUrl } from './parse-answer.ts'

/** A token on a network that is available now. `seconds` and `fee` are estimates, null or empty when unknown. */
export type PaymentOption = {
  currency: string
  logo: string
  network: string
  networkName: string
  networkLogo: string
  confirmations: number
  seconds: number | null
  fee: string
}

type Stablecoin = {
  symbol: string
  logo: string
  Network: {
    name: string
    shortName: string
    logo: string
    confirmations: number
    confirmSeconds: number
    feeLevel: string
  }
}

/** More than any service offers; the screen cannot show more. */
const optionsMax = 60

/**
 * The available options for the open terms, cheapest first, then fastest.
 * @returns null when the request fails.
 */
export async function readPaymentOptions({ apiBase, publicKey, terms }: ChooseIntent): Promise<PaymentOption[] | null> {
  const reply = publicKey.startsWith('pl_')
    ? await request<{ stablecoins: unknown }>(apiBase, `links/public/${publicKey}/stablecoins`)
    : await request<{ stablecoins: unknown }>(apiBase, 'networks/payable/stablecoins', { publicKey })
  if ('fault' in reply || !Array.isArray(reply.body.stablecoins)) return null
  const isAsked = (asked: string, one: string) => !asked || asked.toLowerCase() === one.toLowerCase()
  return reply.body.stablecoins
    .slice(0, optionsMax)
    .map((json) => parseOption(record<Stablecoin>(json)))
    .filter(({ currency, network }) => currency && network)
    .filter(({ currency, network }) => isAsked(terms.currency, currency) && isAsked(terms.network, network))
    .sort((one, other) => Number(one.fee === 'high') - Number(other.fee === 'high') || rank(one) - rank(other))
}

/** Options of unknown speed come last. */
const rank = ({ seconds }: PaymentOption): number => seconds ?? Number.MAX_SAFE_INTEGER

function parseOption({ symbol, logo, Network }: Unchecked<Stablecoin>): PaymentOption {
  const network = record<Stablecoin['Network']>(Network)
  return {
    currency: text(symbol),
    logo: webUrl(logo),
    network: text(network.shortName),
    networkName: text(network.name) || text(network.shortName),
    networkLogo: webUrl(network.logo),
    confirmations: count(network.confirmations),
    seconds: count(network.confirmSeconds) || null,
    fee: text(network.feeLevel),
  }
}
