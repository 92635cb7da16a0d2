import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { createEvmChain } from './evm-chain.ts'

const token: Hex = `0x${'c1'.repeat(20)}`
const [payer, one, other]: Hex[] = ['0xa1', '0xb1', '0xb2'].map((start) => `${start}${'00'.repeat(19)}` as Hex)
const rules = {
  factory: `0x${'f0'.repeat(20)}` as Hex,
  tokens: new Set([token]),
  blocked: new Set<string>(),
  hasBlooms: true,
}

test("a reorg that merges two blocks moves the later one's log indexes, and omitted transactions are gone", async () => {
  const chain = createEvmChain(rules, 0)
  chain.mint(token, payer as Hex, 100n)
  chain.send(payer as Hex, [chain.transfer(token, one as Hex, 1n)])
  await chain.mine(1, 1)
  const both = chain.send(payer as Hex, [
    chain.transfer(token, one as Hex, 2n),
    chain.transfer(token, other as Hex, 3n),
  ])
  await chain.mine(1, 1)
  const logIndexes = () => chain.find(both)?.receipt.logs.map(({ logIndex }) => logIndex)
  expect(logIndexes()).toEqual([0, 1])

  await chain.reorg(2, 5, 0, { kept: 0xffff, place: 'first', isReversed: false })
  expect(logIndexes()).toEqual([1, 2])
  await chain.reorg(2, 5, 0, { kept: 0b01, place: 'first', isReversed: false })
  expect(chain.find(both)).toBeUndefined()
  expect(chain.tip().number).toBe(2)
})

test('no reorg is deeper below the highest block than allowed', async () => {
  const chain = createEvmChain(rules, 0)
  await chain.mine(10, 1)
  const before = chain.blocks.map(({ hash }) => hash)
  await chain.reorg(9, 5, -1, { kept: 0, place: 'first', isReversed: false })
  await chain.reorg(9, 5, 0, { kept: 0, place: 'first', isReversed: false })
  expect(chain.blocks.slice(0, 6).map(({ hash }) => hash)).toEqual(before.slice(0, 6))
})
