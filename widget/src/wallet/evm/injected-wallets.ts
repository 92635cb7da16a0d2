/** A wallet's request interface (EIP-1193). Some wallets have no events. */
export type Provider = {
  request(request: { method: string; params?: unknown[] | object }): Promise<unknown>
}

/** An announced wallet (EIP-6963). Its name is unverified and only displayed. */
export type Wallet = {
  id: string
  name: string
  icon: string
  provider: Provider
  /** A wallet on another device brings no node: reads go to this one. */
  readFrom?: (rpcUrl: string) => void
}

type Announcement = { info?: { uuid?: unknown; name?: unknown; icon?: unknown; rdns?: unknown }; provider?: Provider }

/** Listens for the life of the page, as EIP-6963 requires: a wallet may announce itself late. */
export class WalletFinder {
  private readonly found = new Map<string, Wallet>()
  private readonly onFound: () => void

  constructor(onFound: () => void) {
    this.onFound = onFound
    window.addEventListener('eip6963:announceProvider', (event) => this.add((event as CustomEvent).detail))
  }

  ask(): void {
    window.dispatchEvent(new Event('eip6963:requestProvider'))
  }

  /** Announced wallets; else the `window.ethereum` of an old wallet or a wallet's own browser. */
  get wallets(): Wallet[] {
    const { ethereum } = window as unknown as { ethereum?: Provider }
    if (this.found.size > 0 || typeof ethereum?.request !== 'function') return [...this.found.values()]
    return [{ id: 'window.ethereum', name: '', icon: '', provider: ethereum }]
  }

  private add({ info, provider }: Announcement): void {
    if (typeof provider?.request !== 'function') return
    // The reverse domain name is stable across reloads; the uuid is not.
    const id = String(info?.rdns || info?.uuid)
    const icon = String(info?.icon)
    this.found.set(id, { id, name: String(info?.name ?? id), icon: /^data:image\//.test(icon) ? icon : '', provider })
    this.onFound()
  }
}
