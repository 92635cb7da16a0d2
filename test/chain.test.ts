import { expect, inject, test } from 'vitest'
import { openChain } from './harness/chain.ts'

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
