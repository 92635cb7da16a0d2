import type { Chain } from './order.ts'
import type { Wallet } from './provider.ts'

/** A file of its own, and a large one: loaded only for a customer who picks WalletConnect. The build writes its address here. */
const load = () => import('./walletconnect.ts')

export async function openWalletConnect(projectId: string, chain: Chain): Promise<Wallet> {
  const { connectByWalletConnect } = await load()
  return {
    id: 'walletconnect',
    name: 'WalletConnect',
    icon: '',
    provider: await connectByWalletConnect(projectId, chain),
  }
}
