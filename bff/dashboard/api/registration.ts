import { request } from './client.ts'

/** A network as a wallet adds it. */
export type RegistrationChain = {
  chainId: number
  name: string
  rpcUrls: string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  explorerUrl: string | null
}

/** Whether the chain credits a wallet for its virtual addresses. `other`: another wallet has the id. */
export type Registration = {
  address: string
  masterId: string
  state: 'registered' | 'missing' | 'other'
  chain: RegistrationChain | null
}

/**
 * @returns null if the network's wallets need no registration, or no wallet is set yet.
 * @param account - A wallet and its salt; null for the wallet that is set.
 * @throws {Fault}
 */
export async function readRegistration(network: string, account: string | null): Promise<Registration | null> {
  const query = account === null ? '' : `?account=${encodeURIComponent(account)}`
  return (await request<{ registration: Registration | null }>(`dashboard/wallets/${network}/registration${query}`))
    .registration
}
