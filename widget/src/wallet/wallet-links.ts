import type { Payment } from '../payment.ts'

/** A wallet whose own browser can open this payment. */
export type WalletLink = { name: string; url: string }

/** Whether the device may have wallet apps, whose links open the payment inside the app. */
export function isPhone(): boolean {
  return navigator.maxTouchPoints > 1 && matchMedia('(pointer: coarse)').matches
}

/**
 * The service's own page for this payment. The shop's page would be a new visit in the wallet's browser, without the
 * session, and create another payment. The client secret is excluded: a link that no app opens goes to the wallet's
 * company.
 */
const paymentPage = (apiBase: string, { id }: Payment): URL => new URL(`${apiBase}/pay/${id}`)

/** Ethereum, Base and Polygon: https://docs.phantom.com/ethereum-monad-base-and-polygon/getting-started-with-ethereum-monad-base-and-polygon. */
const phantomChains = new Set([1, 8453, 137])

/** SLIP-44 coin numbers, by which Trust Wallet selects the network. */
const trustCoins = { ethereum: 60, solana: 501 }

export function evmWalletLinks(payment: Payment, apiBase: string): WalletLink[] {
  const page = paymentPage(apiBase, payment)
  const links = [metaMask(page), coinbase(page), trustWallet(page, trustCoins.ethereum), okx(page)]
  return phantomChains.has(payment.chainId) ? [...links, phantom(page)] : links
}

export function solanaWalletLinks(payment: Payment, apiBase: string): WalletLink[] {
  const page = paymentPage(apiBase, payment)
  return [phantom(page), solflare(page), trustWallet(page, trustCoins.solana)]
}

/** Sites where a customer gets a wallet. Links only: the element sends them nothing. */
export const evmWalletSites: WalletLink[] = [
  { name: 'MetaMask', url: 'https://metamask.io/download' },
  { name: 'Rabby', url: 'https://rabby.io' },
  { name: 'Base (Coinbase Wallet)', url: 'https://www.coinbase.com/wallet/downloads' },
]

export const solanaWalletSites: WalletLink[] = [
  { name: 'Phantom', url: 'https://phantom.com/download' },
  { name: 'Solflare', url: 'https://www.solflare.com/download' },
]

/**
 * Does not open when the URL is encoded:
 * https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/.
 */
function metaMask({ host, pathname }: URL): WalletLink {
  return { name: 'MetaMask', url: `https://link.metamask.io/dapp/${host}${pathname}` }
}

/** https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration */
function coinbase({ href }: URL): WalletLink {
  return { name: 'Base (Coinbase Wallet)', url: `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}` }
}

/** https://developer.trustwallet.com/developer/develop-for-trust/deeplinking */
function trustWallet({ href }: URL, coinId: number): WalletLink {
  const url = `https://link.trustwallet.com/open_url?coin_id=${coinId}&url=${encodeURIComponent(href)}`
  return { name: 'Trust Wallet', url }
}

/** https://docs.phantom.com/phantom-deeplinks/other-methods/browse */
function phantom({ href, origin }: URL): WalletLink {
  const url = `https://phantom.app/ul/browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`
  return { name: 'Phantom', url }
}

/** https://docs.solflare.com/solflare/technical/deeplinks/other-methods/browse */
function solflare({ href, origin }: URL): WalletLink {
  const url = `https://solflare.com/ul/v1/browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`
  return { name: 'Solflare', url }
}

/** https://web3.okx.com/build/docs/waas/app-universal-link */
function okx({ href }: URL): WalletLink {
  const deepLink = `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(href)}`
  return { name: 'OKX Wallet', url: `https://web3.okx.com/download?deeplink=${encodeURIComponent(deepLink)}` }
}
