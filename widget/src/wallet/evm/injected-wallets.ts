/** What a wallet answers requests by (EIP-1193). Some wallets leave the events out. */
export type Provider = {
  request(request: { method: string; params?: unknown[] | object }): Promise<unknown>
}

/** A wallet as it announced itself (EIP-6963). It says its name itself: nothing is decided by it. */
export type Wallet = {
  id: string
  name: string
  icon: string
  provider: Provider
  /** Of a wallet on another device, which brings no node of its own: what only reads is asked of this one. */
  readFrom?: (rpcUrl: string) => void
}

type Announcement = { info?: { uuid?: unknown; name?: unknown; icon?: unknown; rdns?: unknown }; provider?: Provider }

/** Listens for as long as the page lives, as EIP-6963 demands: a wallet may announce itself late. */
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

  /** What was announced; else what an old wallet or a wallet's own browser has put on the page. */
  get wallets(): Wallet[] {
    const { ethereum } = window as unknown as { ethereum?: Provider }
    if (this.found.size > 0 || typeof ethereum?.request !== 'function') return [...this.found.values()]
    return [{ id: 'window.ethereum', name: '', icon: '', provider: ethereum }]
  }

  private add({ info, provider }: Announcement): void {
    if (typeof provider?.request !== 'function') return
    // The reverse domain name stays the same over a reload; the uuid is new each time.
    const id = String(info?.rdns || info?.uuid)
    const icon = String(info?.icon)
    this.found.set(id, { id, name: String(info?.name ?? id), icon: /^data:image\//.test(icon) ? icon : '', provider })
    this.onFound()
  }
}
