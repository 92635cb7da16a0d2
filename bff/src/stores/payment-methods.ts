import type { LinkToken } from '../checkout/link/link.ts'
import type { Network, Networks, Token } from '../core/families.ts'
import { isFreeNetwork } from '../network/free-network.ts'

/**
 * A token on a network as plug-ins name it, such as `USDC-base`: letters and digits around one dash, because plug-ins use
 * the name in CSS classes and option names.
 */
export type PaymentMethod = { id: string; network: Network; token: Token }

export const methodIdOf = (currency: string, network: string): string =>
  `${currency}-${network.replaceAll(/[^A-Za-z0-9]/g, '')}`

/** The tokens that the merchant can be paid in, by its wallets. Never free test tokens, because the shop ships for each. */
export const methodsOf = (networks: Networks, wallets: ReadonlyMap<string, string>): PaymentMethod[] =>
  [...networks.values()]
    .filter(({ shortName }) => wallets.has(shortName) && !isFreeNetwork(networks, shortName, wallets))
    .flatMap((network) =>
      network.tokens.map((token) => ({ id: methodIdOf(token.symbol, network.shortName), network, token })),
    )

/** Plug-ins send `_` for `-`, and BTCPay compares without case. */
const comparable = (id: string): string => id.replaceAll('_', '-').toLowerCase()

export const findMethod = (methods: readonly PaymentMethod[], id: string): PaymentMethod | undefined =>
  methods.find((method) => comparable(method.id) === comparable(id))

export const tokenOf = ({ network, token }: PaymentMethod): LinkToken => ({
  network: network.shortName,
  currency: token.symbol,
})
