import { readFileSync } from 'node:fs'

type Hex = `0x${string}`

export type StorefrontNetwork = {
  shortName: string
  name: string
  chainId: number
  rpcUrl: string
  tokens: Readonly<Record<string, { address: Hex; decimals: number }>>
}

/** The local Solana, and the customer's key on it: 64 bytes in base58. */
export type SolanaShop = {
  network: {
    shortName: string
    name: string
    rpcUrl: string
    tokens: Readonly<Record<string, { address: string; decimals: number }>>
  }
  customerSecretKey: string
}

/** What the storefront's process is told by the demo. */
export type StorefrontConfig = {
  port: number
  /** Origin of the service, as the customer's browser reaches it. */
  bff: string
  /** Own origin, for the callback URL. */
  origin: string
  publicKey: string
  /** For the server only: with them it looks a payment up before it ships. */
  apiKey: string
  apiSecret: string
  webhookSecret: string
  /** Where orders and webhooks are remembered across a restart; `null`: in memory only. */
  journalPath: string | null
  /** The element's script, as built. */
  scriptPath: string
  networks: readonly [StorefrontNetwork, ...StorefrontNetwork[]]
  customerPrivateKey: Hex
  /** Absent: the shop offers no Solana. */
  solana?: SolanaShop
}

/** What a customer of the shop can choose from, in this order. */
export const offeredNetworks = ({ networks, solana }: StorefrontConfig): { shortName: string; name: string }[] => [
  ...networks,
  ...(solana ? [solana.network] : []),
]

/** The file was written by the demo of the same version a moment ago: its shape is trusted. */
export const loadStorefrontConfig = (path: string): StorefrontConfig =>
  JSON.parse(readFileSync(path, 'utf8')) as StorefrontConfig
