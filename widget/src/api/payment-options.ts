import type { Unchecked } from '../../../bff/src/api-types.ts'
import type { ChooseIntent } from '../terms.ts'
import { request } from './client.ts'
import { amount, count, matching, record, text, webUrl } from './parse-answer.ts'

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
  /** The amount to send, in whole tokens; empty while a price has no rate. */
  amount: string
  /** The chain id of an EVM network; otherwise 0. */
  chainId: number
  /** Empty if not an EVM address. */
  tokenAddress: string
  decimals: number
}

/** Balances of the customer's connected wallets, in whole tokens, by option. */
export type Balances = ReadonlyMap<PaymentOption, string>

type Stablecoin = {
  symbol: string
  /** The currency of which one token is one unit. */
  currency: string
  logo: string
  amount: string
  contractAddress: string
  decimals: number
  Network: {
    name: string
    shortName: string
    chainId: string
    type: string
    logo: string
    confirmations: number
    confirmSeconds: number
    feeLevel: string
  }
}

/** More than any service offers; the screen cannot show more. */
const optionsMax = 60

/**
 * The available options for the open terms, cheapest first, then fastest. The response contains each option's amount, so that a price needs
 * no request for rates.
 * @returns null when the request fails.
 */
export async function readPaymentOptions({ apiBase, publicKey, terms }: ChooseIntent): Promise<PaymentOption[] | null> {
  const { price, priceCurrency = '' } = terms
  const query = price ? `?${new URLSearchParams({ price, priceCurrency })}` : ''
  const isLink = publicKey.startsWith('pl_')
  const reply = isLink
    ? await request<{ stablecoins: unknown }>(apiBase, `links/public/${publicKey}/stablecoins`)
    : await request<{ stablecoins: unknown }>(apiBase, `networks/payable/stablecoins${query}`, { publicKey })
  if ('fault' in reply || !Array.isArray(reply.body.stablecoins)) return null
  const isAsked = (asked: string, one: string) => !asked || asked.toLowerCase() === one.toLowerCase()
  return reply.body.stablecoins
    .slice(0, optionsMax)
    .filter((json) => isLink || price || terms.currency || isDollar(record<Stablecoin>(json)))
    .map((json) => parseOption(record<Stablecoin>(json), terms.amount ?? ''))
    .filter(({ currency, network }) => currency && network)
    .filter(({ currency, network }) => isAsked(terms.currency, currency) && isAsked(terms.network, network))
    .sort((one, other) => Number(one.fee === 'high') - Number(other.fee === 'high') || rank(one) - rank(other))
}

/** An amount without a token is in dollars. Older services have no other tokens, and name no currency. */
const isDollar = ({ currency = 'USD' }: Unchecked<Stablecoin>): boolean => currency === 'USD'

/** Options of unknown speed come last. */
const rank = ({ seconds }: PaymentOption): number => seconds ?? Number.MAX_SAFE_INTEGER

function parseOption(json: Unchecked<Stablecoin>, asked: string): PaymentOption {
  const network = record<Stablecoin['Network']>(json.Network)
  return {
    currency: text(json.symbol),
    logo: webUrl(json.logo),
    network: text(network.shortName),
    networkName: text(network.name) || text(network.shortName),
    networkLogo: webUrl(network.logo),
    confirmations: count(network.confirmations),
    seconds: count(network.confirmSeconds) || null,
    fee: text(network.feeLevel),
    amount: amount(json.amount) || asked,
    chainId: network.type === 'evm' ? Number(matching(network.chainId, /^\d{1,15}$/)) : 0,
    tokenAddress: matching(json.contractAddress, /^0x[\da-f]{40}$/i),
    decimals: count(json.decimals),
  }
}
