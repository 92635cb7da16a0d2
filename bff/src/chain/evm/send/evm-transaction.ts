import { type Hex, parseTransaction, recoverTransactionAddress } from 'viem'

/** An unsigned EIP-1559 transaction without value. Fees in wei per gas. */
export type EvmTransaction = {
  chainId: number
  nonce: number
  to: Hex
  data: Hex
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export type Fees = Pick<EvmTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/**
 * Parses a stored transaction, to sign it again with other fees.
 * @throws {Error} on corrupt bytes.
 */
export function parseRawTransaction(raw: Hex): EvmTransaction {
  const { chainId, nonce = 0, to, data = '0x', gas = 0n, ...fees } = parseTransaction(raw as `0x02${string}`)
  const { maxFeePerGas, maxPriorityFeePerGas = 0n } = fees
  if (!to || maxFeePerGas === undefined) throw new Error('A stored transaction was not made by this service')
  return { chainId, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas }
}

/**
 * Parses a stored transaction that the account may sign again. A tampered one must not get the account's signature, which can
 * refund deposits.
 * @throws {Error} when the account has not signed it for this chain and nonce.
 */
export async function parseOwnTransaction(
  raw: Hex,
  { account, chainId, nonce }: { account: Hex; chainId: number; nonce: number },
): Promise<EvmTransaction> {
  const transaction = parseRawTransaction(raw)
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }).catch(() => '')
  const isOwn = signer.toLowerCase() === account.toLowerCase()
  if (isOwn && transaction.chainId === chainId && transaction.nonce === nonce) return transaction
  throw new Error(`A stored transaction was not signed by ${account} for chain ${chainId} and nonce ${nonce}`)
}

/** A transaction's maximum cost, in wei. */
export const costMax = ({ gas, maxFeePerGas }: Pick<EvmTransaction, 'gas' | 'maxFeePerGas'>): bigint =>
  gas * maxFeePerGas

/**
 * Fees that replace a pending transaction, or the market's if higher. Nodes require 10 % more in both fields; 12.5 % satisfies
 * stricter ones too.
 */
export function replacementFees(old: Fees, market: Fees): Fees {
  const maxPriorityFeePerGas = larger(raise(old.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  const maxFeePerGas = larger(raise(old.maxFeePerGas), market.maxFeePerGas)
  return { maxPriorityFeePerGas, maxFeePerGas: larger(maxFeePerGas, maxPriorityFeePerGas) }
}

/** 12.5 % more, rounded up, and always higher. */
const raise = (fee: bigint): bigint => (fee * 1_125n) / 1_000n + 1n

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
