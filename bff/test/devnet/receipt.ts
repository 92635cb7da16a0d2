import { minedReceipt } from '@stablecoin-checkout/bff/testing/evm'
import type { Hex } from 'viem'

/** A busy machine mines late. */
const defaultTimeoutMs = 60_000

/** The receipt of a transaction on a local chain, as soon as it is mined. */
export const receiptOf = <Receipt>(
  client: { getTransactionReceipt(asked: { hash: Hex }): Promise<Receipt> },
  hash: Hex,
  timeoutMs = defaultTimeoutMs,
): Promise<Receipt> => minedReceipt(client, hash, { pollMs: 10, timeoutMs })
