import { addressBytes, toBase58 } from '../wallet/solana/base58.ts'
import { accountsProgram, tokenAccountOf, tokenProgram } from '../wallet/solana/token-account.ts'
import type { Wire } from './service.ts'
import { paymentId } from './service.ts'

export const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const solanaContractId = '4d6f6e65-7900-4000-8000-000000000001'
const accountBytes = new Uint8Array(32).fill(9)
export const account = toBase58(accountBytes)
const signatureBytes = new Uint8Array(64).fill(7)
export const signature = toBase58(signatureBytes)

export const merchant = toBase58(new Uint8Array(32).fill(21))
export const platform = toBase58(new Uint8Array(32).fill(22))
export const reference = toBase58(new Uint8Array(32).fill(23))
export const source = await tokenAccountOf(mint, account)
export const merchantAccount = await tokenAccountOf(mint, merchant)
export const platformAccount = await tokenAccountOf(mint, platform)

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
  ...{ merchantWallet: merchant, platformWallet: platform, splitterPaymentId: reference },
  ...{ merchantPercentage: 9850, platformPercentage: 150 },
}

const systemProgram = '11111111111111111111111111111111'

type Account = { key: string; isWritable?: boolean; isSigner?: boolean }
type Instruction = { program: string; accounts: Account[]; data: number[] }

/** What the service's transaction is made of; each part can be changed before it is put together. */
export type Parts = {
  payer: string
  instructions: Instruction[]
  /** Behind the message. */
  more: number[]
}

const writable = (key: string): Account => ({ key, isWritable: true })

export function transfer(to: string, amount: bigint, references: string[] = []): Instruction {
  const accounts = [writable(source), { key: mint }, writable(to), { key: account, isSigner: true }]
  const data = [12, ...new Uint8Array(new BigUint64Array([amount]).buffer), 6]
  return { program: tokenProgram, accounts: [...accounts, ...references.map((key) => ({ key }))], data }
}

export function creation(at: string, owner: string): Instruction {
  const payer = { key: account, isWritable: true, isSigner: true }
  const accounts = [payer, writable(at), { key: owner }, { key: mint }, { key: systemProgram }, { key: tokenProgram }]
  return { program: accountsProgram, accounts, data: [1] }
}

/** An unsigned transaction of two transfers, as the service makes it: base64. */
export function transaction(change: (parts: Parts) => void = () => {}): string {
  const transfers = [transfer(platformAccount, 375_000n), transfer(merchantAccount, 24_625_000n, [reference])]
  const parts: Parts = { payer: account, instructions: transfers, more: [] }
  change(parts)
  const bytes = [...compile(parts), ...parts.more]
  return btoa(String.fromCharCode(...bytes))
}

function compile({ payer, instructions }: Parts): number[] {
  const all = [
    { key: payer, isWritable: true, isSigner: true },
    ...instructions.flatMap(({ accounts, program }) => [...accounts, { key: program }]),
  ] as Account[]
  const rankOf = (key: string) => {
    const uses = all.filter((one) => one.key === key)
    return (uses.some((one) => one.isSigner) ? 0 : 2) + (uses.some((one) => one.isWritable) ? 0 : 1)
  }
  const keys = [...new Set(all.map(({ key }) => key))].sort((one, other) => rankOf(one) - rankOf(other))
  const signers = keys.filter((key) => rankOf(key) < 2).length
  const readOnly = (rank: number) => keys.filter((key) => rankOf(key) === rank).length
  return [
    ...[signers, ...Array(64 * signers).fill(0)],
    ...[signers, readOnly(1), readOnly(3), keys.length, ...keys.flatMap((key) => [...addressBytes(key)])],
    ...Array(32).fill(5),
    instructions.length,
    ...instructions.flatMap(({ program, accounts, data }) => [
      ...[keys.indexOf(program), accounts.length, ...accounts.map(({ key }) => keys.indexOf(key))],
      ...[data.length, ...data],
    ]),
  ]
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
