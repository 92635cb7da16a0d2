import type { Chain } from '../evm/evm-order.ts'
import type { Wallet } from '../evm/injected-wallets.ts'

/** AppKit is a large chunk: loaded only for a customer who picks WalletConnect. */
export async function openWalletConnect(projectId: string, chain: Chain): Promise<Wallet> {
  const { connectByWalletConnect } = await import('./walletconnect.ts')
  const provider = await connectByWalletConnect(projectId, chain)
  return { id: 'walletconnect', name: 'WalletConnect', icon: '', provider }
}
