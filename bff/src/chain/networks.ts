/** A token that is accepted on a network. */
export type Token = { symbol: string; name: string; address: string; decimals: number }

/** A configured chain. `shortName` is its public key. */
export type Network = {
  shortName: string
  name: string
  family: 'evm'
  chainId: number
  isTestnet: boolean
  /** Tried in order. */
  rpcUrls: readonly string[]
  /** Blocks from a transfer's block to the head, both counted, before it is paid. */
  confirmations: number
  /** Blocks after which a header is never looked at again; a deeper reorg stops the watcher. */
  finalityBlocks: number
  /** Pause between looks at the head. */
  pollMs: number
  explorerUrl: string | null
  /** Of deposit addresses. */
  factory: string
  platformWallet: string
  tokens: readonly Token[]
}

/** Networks by lower-case short name. */
export type Networks = ReadonlyMap<string, Network>

/** Short names are case-insensitive on the wire. */
export function findNetwork(networks: Networks, shortName: string): Network | undefined {
  return networks.get(shortName.toLowerCase())
}
