import { createPublicClient, custom, numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { devnetChain } from './deploy.ts'
import { receiptOf } from './receipt.ts'

const hash = pad('0x5e')
const address = pad('0x1', { size: 20 })
const pending = { hash, from: address, to: address, nonce: '0x0', value: '0x0', type: '0x2', blockNumber: null }
const receipt = { transactionHash: hash, status: '0x1', blockNumber: '0x8', type: '0x2', logs: [] }

/** A busy node that mines the transaction's block, its last one, while the client waits for the response to another call. */
function slowNode() {
  let head = 7
  let receiptCalls = 0
  let headCalls = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const respond = async (method: string) => {
    if (method === 'eth_blockNumber') {
      if (head === 8) headCalls += 1
      // A repeated request gets the new head.
      if (headCalls === 2) release()
      return numberToHex(head)
    }
    if (method === 'eth_getTransactionReceipt') {
      receiptCalls += 1
      if (head === 8) return receipt
      // The first call comes before the wait; the second still sees the previous block.
      if (receiptCalls === 2) head = 8
      return null
    }
    if (method === 'eth_getTransactionByHash') return pending
    if (method === 'eth_getBlockByNumber') {
      await released
      return { number: '0x7', transactions: [] }
    }
    throw new Error(`${method} is not expected`)
  }
  return custom({ request: ({ method }) => respond(method) })
}

test('a receipt is found although its block arrives while the client waits for another response', async () => {
  const chain = devnetChain('http://127.0.0.1:1', 31_337)
  const client = createPublicClient({ chain, transport: slowNode(), pollingInterval: 5 })
  expect(await receiptOf(client, hash)).toMatchObject({
    status: 'success',
  })
})
