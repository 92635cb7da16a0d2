import { createAppKit } from '@reown/appkit/core'
import type { Chain } from '../evm/evm-order.ts'
import type { Wallet } from '../evm/injected-wallets.ts'
import { isRead, readFromNode } from './read-from-node.ts'

/** Methods that a payment uses; a wallet that supports fewer is asked for fewer. */
const methods = [
  'eth_sendTransaction',
  'eth_signTypedData_v4',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

type Kit = ReturnType<typeof createAppKit>

/** AppKit adds its elements and stores to the page only once. */
const kits = new Map<string, Kit>()

/**
 * Connects a wallet on another device, or an app on this one, through WalletConnect.
 * @param projectId - The merchant's Reown project, which must allow the shop's origin.
 * @throws like a wallet: code 4001 when the customer closes the window.
 */
export async function connectByWalletConnect(
  projectId: string,
  chain: Chain,
): Promise<Required<Pick<Wallet, 'provider' | 'readFrom'>>> {
  const kit = kits.get(projectId) ?? createKit(projectId, chain)
  kits.set(projectId, kit)
  const provider = await kit.getUniversalProvider()
  if (!provider) throw new Error('WalletConnect could not be started.')
  const id = `eip155:${chain.id}`
  // A session from an earlier visit may use another chain or wallet.
  if (!provider.session?.namespaces['eip155']?.accounts.some((account) => account.startsWith(`${id}:`)))
    await connectNow(kit, provider, chain, id)
  provider.setDefaultChain(id)
  // Without a node of the payment, AppKit uses Reown's, which does not know a merchant's own chain.
  let [node = ''] = chain.rpcUrls
  return {
    provider: {
      request: ({ method, params }) =>
        node && isRead(method) ? readFromNode(node, method, params) : provider.request({ method, params }, id),
    },
    readFrom: (rpcUrl) => {
      node = rpcUrl
    },
  }
}

type UniversalProvider = NonNullable<Awaited<ReturnType<Kit['getUniversalProvider']>>>

async function connectNow(kit: Kit, provider: UniversalProvider, chain: Chain, id: string): Promise<void> {
  const showCode = (uri: string) => void kit.open({ uri, view: 'ConnectingWalletConnectBasic' })
  provider.on('display_uri', showCode)
  let isShown = false
  let ignore = () => {}
  const closed = new Promise<never>((_resolve, reject) => {
    ignore = kit.subscribeState(({ open }) => {
      if (isShown && !open) reject(Object.assign(new Error('The window was closed.'), { code: 4001 }))
      isShown = open
    })
  })
  try {
    const [url] = chain.rpcUrls
    const rpcMap = url ? { [chain.id]: url } : {}
    const eip155 = { methods, chains: [id], events: ['accountsChanged', 'chainChanged'], rpcMap }
    await Promise.race([provider.connect({ optionalNamespaces: { eip155 } }), closed])
  } finally {
    ignore()
    provider.removeListener('display_uri', showCode)
    await kit.close()
  }
}

function createKit(projectId: string, { id, name, rpcUrls, coin, explorerUrl }: Chain): Kit {
  const network = {
    id,
    name,
    nativeCurrency: coin,
    rpcUrls: { default: { http: rpcUrls } },
    ...(explorerUrl && { blockExplorers: { default: { name, url: explorerUrl } } }),
  }
  return createAppKit({
    projectId,
    networks: [network],
    metadata: { name: document.title || location.host, description: '', url: location.origin, icons: [] },
    manualWCControl: true,
    // The payment page sends no analytics, and the customer brings a wallet: no e-mail or social login.
    features: { analytics: false, email: false, socials: [] },
  })
}
