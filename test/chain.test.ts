import { createPublicClient, custom, type Hex } from 'viem'
import { expect, inject, test } from 'vitest'
import { openChain, succeeded } from './harness/chain.ts'

test('after a long story the next one can read the blocks below the newest', async () => {
  const chain = openChain(inject('devnet'))
  const takeBack = await chain.remember()
  await chain.mine(40, 'devnet-b')
  await takeBack()
  const { reader, facts } = chain.node('devnet-b')
  const head = await reader.getBlockNumber()
  await expect(reader.getBalance({ address: facts.tokens.USDC.address, blockNumber: head - 3n })).resolves.toBeTypeOf(
    'bigint',
  )
})

test('a receipt that comes after the newest block is known is found, although no block follows', async () => {
  const receipts = [null, null]
  const node = custom({
    async request({ method }: { method: string }) {
      if (method === 'eth_blockNumber') return '0x7'
      return receipts.length > 0 ? receipts.pop() : { blockNumber: '0x7', status: '0x1' }
    },
  })
  const reader = createPublicClient({ transport: node, pollingInterval: 5 })
  await expect(succeeded(reader, `0x${'0'.repeat(64)}` satisfies Hex)).resolves.toBeUndefined()
})
