/** An account that a wallet has connected to this page. `address` in base58. */
export type SolanaAccount = { address: string; chains?: readonly string[] }

type Connect = { connect(input?: { silent?: boolean }): Promise<{ accounts: readonly SolanaAccount[] }> }
type Send = {
  signAndSendTransaction(input: {
    account: SolanaAccount
    transaction: Uint8Array
    chain: string
  }): Promise<readonly { signature: Uint8Array }[]>
}

type Sign = {
  signTransaction(input: {
    account: SolanaAccount
    transaction: Uint8Array
    chain: string
  }): Promise<readonly { signedTransaction: Uint8Array }[]>
}

type Features = {
  'standard:connect'?: Connect
  'solana:signAndSendTransaction'?: Send
  'solana:signTransaction'?: Sign
}

/** A registered wallet. Its name is unverified and only displayed. */
type Registered = {
  name?: unknown
  icon?: unknown
  chains?: readonly string[]
  features?: Features
  accounts?: readonly SolanaAccount[]
}

/** A wallet that supports payments on Solana. */
export type SolanaWallet = {
  id: string
  name: string
  icon: string
  connect: Connect
  send: Send
  /** Null if the wallet signs only what it sends itself. */
  sign: Sign | null
  known: () => readonly SolanaAccount[]
}

/**
 * Listens for the life of the page: a wallet may register late.
 * @see https://github.com/wallet-standard/wallet-standard
 */
export class SolanaWalletFinder {
  private readonly found = new Map<string, SolanaWallet>()
  private readonly onFound: () => void
  private readonly api = {
    register: (...wallets: Registered[]) => {
      for (const wallet of wallets) this.add(wallet)
      return () => {}
    },
  }

  constructor(onFound: () => void) {
    this.onFound = onFound
    window.addEventListener('wallet-standard:register-wallet', (event) => {
      const { detail } = event as CustomEvent<unknown>
      if (typeof detail === 'function') detail(this.api)
    })
  }

  ask(): void {
    window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: this.api }))
  }

  get wallets(): SolanaWallet[] {
    return [...this.found.values()]
  }

  private add(wallet: Registered): void {
    const {
      'standard:connect': connect,
      'solana:signAndSendTransaction': send,
      'solana:signTransaction': sign = null,
    } = wallet.features ?? {}
    const isOnSolana = wallet.chains?.some((chain) => chain.startsWith('solana:'))
    if (!isOnSolana || !connect || !send) return
    const name = String(wallet.name)
    const icon = String(wallet.icon)
    const known = () => wallet.accounts ?? []
    this.found.set(name, { id: name, name, icon: /^data:image\//.test(icon) ? icon : '', connect, send, sign, known })
    this.onFound()
  }
}
