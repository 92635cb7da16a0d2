/** A wallet whose own browser can open this page. */
export type WalletLink = { name: string; url: string }

/** Where wallets are apps: their links open this page inside them, where they can be asked. */
export function isPhone(): boolean {
  return navigator.maxTouchPoints > 1 && matchMedia('(pointer: coarse)').matches
}

/** Both open the page by the same kind of link. */
export function solanaLinks({ href, origin }: Location | URL): WalletLink[] {
  const page = encodeURIComponent(href.split('#', 1)[0] ?? href)
  const ref = encodeURIComponent(origin)
  return [
    { name: 'Phantom', url: `https://phantom.app/ul/browse/${page}?ref=${ref}` },
    { name: 'Solflare', url: `https://solflare.com/ul/v1/browse/${page}?ref=${ref}` },
  ]
}

/** Each wallet wants the page's address in its own way; MetaMask's opens nothing when it is encoded. */
export function walletLinks({ href, host, pathname, search, origin }: Location | URL): WalletLink[] {
  const page = encodeURIComponent(href.split('#', 1)[0] ?? href)
  return [
    { name: 'MetaMask', url: `https://link.metamask.io/dapp/${host}${pathname}${search}` },
    { name: 'Base (Coinbase Wallet)', url: `https://go.cb-w.com/dapp?cb_url=${page}` },
    { name: 'Trust Wallet', url: `https://link.trustwallet.com/open_url?coin_id=60&url=${page}` },
    { name: 'Phantom', url: `https://phantom.app/ul/browse/${page}?ref=${encodeURIComponent(origin)}` },
    {
      name: 'OKX Wallet',
      url: `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${page}`)}`,
    },
  ]
}
