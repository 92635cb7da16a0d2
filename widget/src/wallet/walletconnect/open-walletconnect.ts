import type { Chain } from '../evm/evm-order.ts'
import type { Wallet } from '../evm/injected-wallets.ts'

/** AppKit is a large chunk: loaded only for a customer who picks WalletConnect. */
export async function openWalletConnect(projectId: string, chain: Chain): Promise<Wallet> {
  const { connectByWalletConnect } = await import('./walletconnect.ts')
  return { id: 'walletconnect', name: 'WalletConnect', icon: '', ...(await connectByWalletConnect(projectId, chain)) }
}
