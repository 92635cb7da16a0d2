import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  type PublicClient,
  parseAbi,
  RpcRequestError,
  zeroHash,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { IdentifiedAuthorization } from '../../../payment/authorization.ts'
import { findExternalSettlement, isAcceptedByContract } from './external-settlement.ts'

const head = 100_000n
const payer = `0x${'a1'.repeat(20)}`
const recipient = `0x${'b2'.repeat(20)}`
const token = `0x${'c3'.repeat(20)}` as Hex
const nonce = `0x${'d4'.repeat(32)}`
const hash = `0x${'e5'.repeat(32)}` as Hex
const own = { kind: 'authorization', token, payer, recipient, nonce, value: 25n } as IdentifiedAuthorization

const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const args = { authorizer: payer as Hex, nonce: nonce as Hex, from: payer as Hex, to: recipient as Hex }
const receipt = {
  status: 'success',
  logs: [
    { address: token, topics: encodeEventTopics({ abi, eventName: 'AuthorizationUsed', args }), data: '0x' },
    {
      address: token,
      topics: encodeEventTopics({ abi, eventName: 'Transfer', args }),
      data: encodeAbiParameters([{ type: 'uint256' }], [25n]),
    },
  ].map((log) => ({ ...log, blockHash: zeroHash, transactionHash: hash, data: log.data as Hex })),
}

type Chain = {
  /** The block in which the nonce was used. */
  usedAt: bigint
  /** The node's maximum block range. */
  allowed?: bigint
  /** The payer's transfers to the recipient in one Permit2 block. */
  transfers?: number
  /** The node omits the event. */
  isShort?: boolean
  /** The block of the transfer, if not the block in which the nonce was used. */
  paidAt?: bigint
  /** The oldest block whose state the node keeps. */
  stateFrom?: bigint
}

/** A node of a chain with a block each second, the newest at `head` seconds. */
function nodeOf({ usedAt, allowed = 10_000n, transfers = 1, isShort = false, ...rest }: Chain) {
  const { paidAt = usedAt, stateFrom = 0n } = rest
  const ranges: [bigint, bigint][] = []
  const node = {
    getBlockNumber: async () => head,
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => ({ timestamp: blockNumber }),
    async readContract({ functionName, blockNumber = head }: { functionName: string; blockNumber?: bigint }) {
      if (blockNumber < stateFrom) throw new Error('missing trie node')
      const isUsed = blockNumber >= usedAt
      return functionName === 'nonceBitmap' ? (isUsed ? 2n : 0n) : isUsed
    },
    getTransactionReceipt: async () => ({ ...receipt, blockNumber: paidAt }),
    async getLogs({ fromBlock, toBlock, event }: { fromBlock: bigint; toBlock: bigint; event: { name: string } }) {
      if (toBlock - fromBlock >= allowed) throw new Error('the range is too long')
      if (event.name === 'AuthorizationCanceled') return []
      ranges.push([fromBlock, toBlock])
      const isThere = !isShort && fromBlock <= paidAt && paidAt <= toBlock
      return isThere ? Array.from({ length: transfers }, () => ({ transactionHash: hash })) : []
    },
  }
  return { client: node as unknown as PublicClient, ranges }
}

/** @param createdAt - The block at whose time the payment was created. */
const find = ({ client }: ReturnType<typeof nodeOf>, createdAt: bigint, authorization = own) =>
  findExternalSettlement({ client, confirmations: 3 }, authorization, {
    txIds: [],
    createdAtMs: Number(createdAt) * 1000,
  })

test.each([head, head - 1_999n, head - 2_000n, head - 3_999n, head - 4_000n, head - 19_999n])(
  'an external settlement in block %d is found, whatever range contains it',
  async (usedAt) => {
    const node = nodeOf({ usedAt })
    expect(await find(node, 1_000n)).toEqual({ state: 'settled', txId: hash })
    const [newest] = node.ranges
    expect(newest).toEqual([head - 1_999n, head])
  },
)

test('the ranges cover every block exactly once', async () => {
  const node = nodeOf({ usedAt: head - 20_000n })
  await find(node, 1_000n)
  expect(node.ranges).toHaveLength(10)
  for (const [index, [, toBlock]] of node.ranges.entries()) {
    expect(toBlock).toBe(index === 0 ? head : (node.ranges[index - 1]?.[0] ?? 0n) - 1n)
  }
})

test('beyond the search depth the answer is unknown, unless the payment is younger', async () => {
  const usedAt = head - 20_000n
  expect(await find(nodeOf({ usedAt }), 1_000n)).toEqual({ state: 'unknown' })
  // Created 1,000 s ago: nobody could pay it before, and its authorization was used before.
  const young = nodeOf({ usedAt })
  expect(await find(young, head - 1_000n)).toEqual({ state: 'used' })
  expect(young.ranges).toHaveLength(1)
})

test('with short ranges, all blocks since the creation are read anyway', async () => {
  const node = nodeOf({ usedAt: head - 1_200n, allowed: 500n })
  expect(await find(node, head - 1_300n)).toEqual({ state: 'settled', txId: hash })
  expect(node.ranges.map(([fromBlock, toBlock]) => toBlock - fromBlock + 1n)).toEqual([500n, 500n, 500n])
})

test('a node that omits the event never leads to “nothing was paid”', async () => {
  const node = nodeOf({ usedAt: head - 100n, isShort: true })
  expect(await find(node, head - 1_000n)).toEqual({ state: 'unknown' })
})

describe('by Permit2, which has no event for a nonce', () => {
  const permit2 = { ...own, kind: 'permit2', nonce: '1' } as IdentifiedAuthorization
  const usedAt = head - 100n

  test('with more transfers of the payer than are read, the answer is unknown', async () => {
    const dearer = { ...permit2, value: 26n }
    expect(await find(nodeOf({ usedAt, transfers: 20 }), head - 1_000n, dearer)).toEqual({ state: 'used' })
    expect(await find(nodeOf({ usedAt, transfers: 21 }), head - 1_000n, dearer)).toEqual({ state: 'unknown' })
  })

  test('a transfer of the same amount to the same address counts only in the block in which the nonce was used', async () => {
    expect(await find(nodeOf({ usedAt }), head - 1_000n, permit2)).toEqual({ state: 'settled', txId: hash })
    const later = nodeOf({ usedAt, paidAt: head - 50n })
    expect(await find(later, head - 1_000n, permit2)).toEqual({ state: 'used' })
    const known = { txIds: [hash], createdAtMs: Number(head - 1_000n) * 1000 }
    expect(await findExternalSettlement({ client: later.client, confirmations: 3 }, permit2, known)).toEqual({
      state: 'used',
    })
  })

  test('if no node has the state of that block, the answer is unknown', async () => {
    const node = nodeOf({ usedAt, stateFrom: head - 60n })
    expect(await find(node, head - 1_000n, permit2)).toEqual({ state: 'unknown' })
  })
})

test('a contract refuses a signature by a revert; any other refusal of the node says nothing about it', async () => {
  const signed = { ...own, digest: zeroHash, signature: '0x01' } as IdentifiedAuthorization
  const answer = (code: number, message: string) => {
    const url = 'http://node.example'
    const call = () => Promise.reject(new RpcRequestError({ body: {}, error: { code, message }, url }))
    return isAcceptedByContract({ call } as unknown as PublicClient, signed)
  }
  expect(await answer(3, 'execution reverted')).toBe(false)
  expect(await answer(-32000, 'invalid opcode: INVALID')).toBe(false)
  for (const message of ['Invalid API key', 'invalid block range', 'limit exceeded'])
    await expect(answer(-32600, message)).rejects.toThrow(message)
})
