import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, TransactionReceiptNotFoundError } from 'viem'
import { OperatorError } from '../../../core/errors.ts'

type Reader<Receipt> = { getTransactionReceipt(asked: { hash: Hex }): Promise<Receipt> }

/**
 * Waits for a transaction's receipt. viem's `waitForTransactionReceipt` reads it once for each new block: a node that shows a block's
 * number before its receipts, as anvil can, makes it wait for ever where no further block comes.
 * @throws {OperatorError} if the transaction is not mined in time. What became of it is then unknown.
 */
export async function minedReceipt<Receipt>(
  client: Reader<Receipt>,
  hash: Hex,
  { pollMs, timeoutMs }: { pollMs: number; timeoutMs: number },
): Promise<Receipt> {
  const endsAtMs = performance.now() + timeoutMs
  while (true) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    }
    if (performance.now() > endsAtMs) {
      throw new OperatorError(
        `The transaction ${hash} is not mined after ${timeoutMs / 1000} s. Check it on the chain.`,
      )
    }
    await sleep(pollMs)
  }
}
