import { toBase58 } from '../solana/base58.ts'
import type { Wire } from './service.ts'
import { paymentId } from './service.ts'

export const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const solanaContractId = '4d6f6e65-7900-4000-8000-000000000001'
const accountBytes = new Uint8Array(32).fill(9)
export const account = toBase58(accountBytes)
const signatureBytes = new Uint8Array(64).fill(7)
export const signature = toBase58(signatureBytes)

/** The deposit that a page on Solana makes first, and the wallet payment that takes its place. */
export const solanaDeposit: Wire = {
  ...{ id: paymentId, network: 'solana-devnet', depositAddress: account },
  Token: { symbol: 'USDC', name: 'USD Coin', contractAddress: mint, decimals: 6 },
  Network: { name: 'Solana devnet', shortName: 'solana-devnet', chainId: null, type: 'solana' },
}
export const solanaContract: Wire = {
  ...solanaDeposit,
  id: solanaContractId,
  paymentMode: 'contract',
  depositAddress: null,
}

const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const other = toBase58(new Uint8Array(32).fill(3))
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function fromBase58(text: string): number[] {
  let value = 0n
  for (const letter of text) value = value * 58n + BigInt(alphabet.indexOf(letter))
  const hex = value.toString(16).padStart(64, '0')
  return hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
}

type Changes = {
  payer?: string
  mint?: string
  amounts?: bigint[]
  decimals?: number
  program?: string
  kind?: number
  more?: number[]
}

/** An unsigned transaction of two transfers, as the service makes it: base64. */
export function transaction(changes: Changes = {}): string {
  const { payer = account, amounts = [375_000n, 24_625_000n], decimals = 6, program = token, kind = 12 } = changes
  const keys = [payer, toBase58(new Uint8Array(32).fill(1)), changes.mint ?? mint, other, program]
  const transfers = amounts.flatMap((amount) => {
    const data = [kind, ...new Uint8Array(new BigUint64Array([amount]).buffer), decimals]
    return [4, 4, 1, 2, 3, 0, data.length, ...data]
  })
  const message = [
    1,
    0,
    2,
    keys.length,
    ...keys.flatMap(fromBase58),
    ...Array(32).fill(5),
    amounts.length,
    ...transfers,
  ]
  const bytes = [1, ...Array(64).fill(0), ...message, ...(changes.more ?? [])]
  return btoa(String.fromCharCode(...bytes))
}

/** A wallet that registers itself as wallets on Solana do. */
export class EmulatedSolanaWallet {
  readonly chains: readonly string[]
  readonly prompts: string[] = []
  readonly sent: { transaction: Uint8Array; chain: string }[] = []
  /** Thrown in place of the next answer. */
  fault: Error | null = null
  /** Answers are held back until `answer` is called. */
  private held: Promise<void> = Promise.resolve()
  private readonly accounts: { address: string }[] = []
  private readonly onReady = (event: Event) => this.register((event as CustomEvent).detail)
  /** Done when a transaction was sent. */
  onSent = () => {}

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
    const features = {
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
