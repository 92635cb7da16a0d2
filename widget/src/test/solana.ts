import { account, signatureBytes } from './solana-wire.ts'

/** A wallet that registers by the Wallet Standard. */
export class EmulatedSolanaWallet {
  readonly chains: readonly string[]
  readonly prompts: string[] = []
  readonly sent: { transaction: Uint8Array; chain: string }[] = []
  /** Thrown instead of the next response. */
  fault: Error | null = null
  /** Responses wait until `answer` is called. */
  private held: Promise<void> = Promise.resolve()
  private readonly accounts: { address: string }[] = []
  private readonly onReady = (event: Event) => this.register((event as CustomEvent).detail)
  /** Called after a transaction was sent. */
  onSent = () => {}
  /** Signs without sending, which only some wallets support; set before the page detects wallets. */
  canSign = false

  constructor(chains: readonly string[] = ['solana:mainnet', 'solana:devnet']) {
    this.chains = chains
    window.addEventListener('wallet-standard:app-ready', this.onReady)
    window.dispatchEvent(
      new CustomEvent('wallet-standard:register-wallet', {
        detail: (api: Parameters<typeof this.register>[0]) => this.register(api),
      }),
    )
  }

  remove(): void {
    window.removeEventListener('wallet-standard:app-ready', this.onReady)
  }

  holdBack(): () => void {
    let answer = () => {}
    this.held = new Promise((resolve) => {
      answer = resolve
    })
    return () => answer()
  }

  private register({ register }: { register: (wallet: object) => void }): void {
    const { chains, accounts } = this
    const signing = { 'solana:signTransaction': { signTransaction: (input: never) => this.sign(input) } }
    const features = {
      ...(this.canSign && signing),
      'standard:connect': { connect: () => this.connect() },
      'solana:signAndSendTransaction': { signAndSendTransaction: (input: never) => this.send(input) },
    }
    register({ version: '1.0.0', name: 'Tide Wallet', icon: 'data:image/svg+xml,', chains, accounts, features })
  }

  private async connect() {
    this.prompts.push('connect')
    this.failIfTold()
    this.accounts.push({ address: account })
    return { accounts: this.accounts }
  }

  private async sign({ transaction }: { transaction: Uint8Array }) {
    this.prompts.push('sign')
    await this.held
    this.failIfTold()
    return [{ signedTransaction: transaction }]
  }

  private async send(input: { transaction: Uint8Array; chain: string }) {
    this.prompts.push('send')
    await this.held
    this.failIfTold()
    this.sent.push(input)
    this.onSent()
    return [{ signature: signatureBytes }]
  }

  private failIfTold(): void {
    const { fault } = this
    this.fault = null
    if (fault) throw fault
  }
}
