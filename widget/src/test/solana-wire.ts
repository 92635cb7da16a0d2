import {
  accountsProgram,
  addressBytes,
  toBase58,
  tokenAccountOf,
  tokenProgram,
} from '../wallet/solana/token-account.ts'
import { paymentId, type Wire } from './wire.ts'

export const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const solanaContractId = '4d6f6e65-7900-4000-8000-000000000001'
const accountBytes = new Uint8Array(32).fill(9)
export const account = toBase58(accountBytes)
export const signatureBytes = new Uint8Array(64).fill(7)
export const signature = toBase58(signatureBytes)

export const merchant = toBase58(new Uint8Array(32).fill(21))
export const platform = toBase58(new Uint8Array(32).fill(22))
export const reference = toBase58(new Uint8Array(32).fill(23))
export const source = await tokenAccountOf(mint, account)
export const merchantAccount = await tokenAccountOf(mint, merchant)
export const platformAccount = await tokenAccountOf(mint, platform)

/** The deposit that a page on Solana creates first, and the wallet payment that replaces it. */
export const solanaDeposit: Wire = {
  ...{ id: paymentId, network: 'solana-devnet', depositAddress: toBase58(new Uint8Array(32).fill(11)) },
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

/** Parts of the service's transaction; each can be changed before assembly. */
export type Parts = {
  payer: string
  instructions: Instruction[]
  /** Appended after the message. */
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

/** The service's fee payer account. */
const feePayer = toBase58(new Uint8Array(32).fill(31))
/** The deposit address's token account. */
export const depositAccount = await tokenAccountOf(mint, String(solanaDeposit['depositAddress']))

const budget = (data: number[]): Instruction => ({
  program: 'ComputeBudget111111111111111111111111111111',
  accounts: [],
  data,
})

export const memo = (text: string): Instruction => ({
  program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  accounts: [],
  data: [...new TextEncoder().encode(text)],
})

/** The first instructions of a transaction whose fee the service pays. */
const budgets = () => [
  budget([2, ...new Uint8Array(new Uint32Array([60_000]).buffer)]),
  budget([3, ...new Uint8Array(new BigUint64Array([1n]).buffer)]),
]

/** An unsigned transaction whose fee the service pays, as made by the service: base64. */
function ofService(instructions: Instruction[], change: (parts: Parts) => void): string {
  const parts: Parts = { payer: feePayer, instructions, more: [] }
  change(parts)
  return btoa(String.fromCharCode(...compile(parts), ...parts.more))
}

/** One transfer to the deposit. */
export const sponsoredTransaction = (change: (parts: Parts) => void = () => {}): string =>
  ofService([...budgets(), transfer(depositAccount, 25_000_000n), memo(paymentId)], change)

/** The two transfers of the wallet payment. */
export const sponsoredSplit = (change: (parts: Parts) => void = () => {}): string =>
  ofService([...budgets(), ...splitTransfers(), memo(solanaContractId)], change)

/** An unsigned transfer by the customer to the deposit, as made by the service: base64. */
export function depositTransaction(change: (parts: Parts) => void = () => {}): string {
  const parts: Parts = { payer: account, instructions: [transfer(depositAccount, 25_000_000n)], more: [] }
  change(parts)
  return btoa(String.fromCharCode(...compile(parts), ...parts.more))
}

const splitTransfers = () => [transfer(platformAccount, 375_000n), transfer(merchantAccount, 24_625_000n, [reference])]

/** An unsigned transaction with two transfers, as made by the service: base64. */
export function transaction(change: (parts: Parts) => void = () => {}): string {
  const parts: Parts = { payer: account, instructions: splitTransfers(), more: [] }
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
