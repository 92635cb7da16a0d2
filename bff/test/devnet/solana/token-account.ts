import { PublicKey } from '@solana/web3.js'
import type { AccountState } from './accounts.ts'

/** The classic Token program, the only one whose accounts are parsed here. */
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** A token account. `amount` in base units. */
export type TokenAccount = { mint: string; owner: string; amount: bigint; isFrozen: boolean }

const accountBytes = 165
const mintBytes = 82
const frozen = 2

const text = (bytes: Uint8Array): string => new PublicKey(bytes).toBase58()
const view = ({ data }: AccountState): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength)

/** @returns null if the data is not a token account. */
export function readTokenAccount(state: AccountState | null): TokenAccount | null {
  if (state?.owner !== tokenProgram || state.data.length !== accountBytes) return null
  const bytes = view(state)
  const stage = bytes.readUInt8(108)
  if (stage === 0) return null
  return {
    mint: text(bytes.subarray(0, 32)),
    owner: text(bytes.subarray(32, 64)),
    amount: bytes.readBigUInt64LE(64),
    isFrozen: stage === frozen,
  }
}

/** A mint. `supply` in base units. */
export type Mint = { decimals: number; supply: bigint; mintAuthority: string | null; freezeAuthority: string | null }

/** @returns null if the data is not a mint. */
export function readMint(state: AccountState | null): Mint | null {
  if (state?.owner !== tokenProgram || state.data.length !== mintBytes) return null
  const bytes = view(state)
  const authority = (at: number) => (bytes.readUInt32LE(at) === 1 ? text(bytes.subarray(at + 4, at + 36)) : null)
  return {
    mintAuthority: authority(0),
    supply: bytes.readBigUInt64LE(36),
    decimals: bytes.readUInt8(44),
    freezeAuthority: authority(46),
  }
}

/** An amount in the JSON-RPC API's format. */
export function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  const uiAmountString = decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
