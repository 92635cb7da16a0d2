import { readFileSync } from 'node:fs'

type Hex = `0x${string}`

export type StorefrontNetwork = {
  shortName: string
  name: string
  chainId: number
  rpcUrl: string
  tokens: Readonly<Record<string, { address: Hex; decimals: number }>>
  /** A note for developers beside the name. */
  note?: string
  /** The test wallet's accounts on the network. Default: all. */
  wallet?: 'none' | 'customer'
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

/** Configuration of the storefront's process. */
export type StorefrontConfig = {
  port: number
  /** Origin of the service for the customer's browser. */
  bff: string
  /** Own origin, for the callback URL. */
  origin: string
  publicKey: string
  /** Server-side only: used to read a payment before shipping. */
  apiKey: string
  apiSecret: string
  webhookSecret: string
  /** Where orders and webhooks are stored across restarts; `null`: in memory only. */
  journalPath: string | null
  /** The built script of the element. */
  scriptPath: string
  networks: readonly [StorefrontNetwork, ...StorefrontNetwork[]]
  customerPrivateKey: Hex
  /** Absent: the shop offers no Solana. */
  solana?: SolanaShop
  /** The bridge emulator's origin. Absent: its faults cannot be chosen. */
  relay?: string
  /** Other pages of the demo, in the developer's drawer. */
  links?: { dashboard: string; paymentLink: string }
}

/** The customer's choices, in this order. */
export const offeredNetworks = ({
  networks,
  solana,
}: StorefrontConfig): (Pick<SolanaShop['network'], 'shortName' | 'name' | 'tokens'> & { note?: string })[] => [
  ...networks,
  ...(solana ? [solana.network] : []),
]

/** The demo of the same version has just written the file: its format is trusted. */
export const loadStorefrontConfig = (path: string): StorefrontConfig =>
  JSON.parse(readFileSync(path, 'utf8')) as StorefrontConfig
