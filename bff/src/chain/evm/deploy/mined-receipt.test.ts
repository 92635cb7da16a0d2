import { TransactionReceiptNotFoundError } from 'viem'
import { expect, test } from 'vitest'
import { minedReceipt } from './mined-receipt.ts'

const hash = `0x${'1'.repeat(64)}` as const
const soon = { pollMs: 1, timeoutMs: 60_000 }

/** A node that shows no further block, and the receipt from the given read on. */
const showsFrom = (read: number) => {
  let reads = 0
  return {
    async getTransactionReceipt() {
      reads += 1
      if (reads < read) throw new TransactionReceiptNotFoundError({ hash })
      return { reads }
    },
  }
}

test('a receipt that a node shows after its block is returned, without a further block', async () => {
  expect(await minedReceipt(showsFrom(4), hash, soon)).toEqual({ reads: 4 })
})

test('a transaction that is not mined in time is named, and another fault of the node is its own', async () => {
  const never = minedReceipt(showsFrom(Number.POSITIVE_INFINITY), hash, { pollMs: 1, timeoutMs: 20 })
  await expect(never).rejects.toThrow(`The transaction ${hash} is not mined after 0.02 s. Check it on the chain.`)
  const broken = { getTransactionReceipt: () => Promise.reject(new Error('down')) }
  await expect(minedReceipt(broken, hash, soon)).rejects.toThrow('down')
})
