import { untilMined } from '@stablecoin-checkout/rig/anvil-client'
import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
} from '@stablecoin-checkout/rig/contract-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { type Hex, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import { encodeApproval, encodeSplit } from '../split/split-call.ts'
import { readSplitLog, splitTopic } from '../split/split-log.ts'
import { parseSplitTerms, type SplitTerms } from '../split/split-terms.ts'
import { verifySplit } from './verify-payment.ts'

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

async function termsOf({ id }: Created): Promise<SplitTerms> {
  const payment = await stage.load(id)
  if (payment.mode !== 'contract') throw new Error('not a contract payment')
  return parseSplitTerms(payment.splitTerms)
}

/** Pays custom terms. */
async function payTerms(terms: SplitTerms): Promise<Hex> {
  await stage.send({ to: terms.token, data: encodeApproval(terms.splitter, terms.amount) })
  const { transactionHash, status } = await stage.send({ to: terms.splitter, data: encodeSplit(terms) })
  expect(status).toBe('success')
  return transactionHash
}

const usdc = () => stage.network.tokens[0]?.address as Hex

/** Confirms everything sent, lets the watcher read it, and submits the transaction for the payment. */
async function submit({ id }: Created, transactionHash: string) {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  const { status, body } = await stage.process(id, transactionHash)
  return { status, code: body['code'], message: body['message'], attempts: body['verificationAttempts'] }
}

const isUnpaid = async ({ id }: Created) =>
  expect(await stage.load(id)).toMatchObject({ status: 'pending', seen: 0n, received: 0n, late: 0n })

test('a transaction for another payment pays nothing, whoever made it', async () => {
  const [mine, theirs] = [await stage.create(), await stage.create()]
  const { transactionHash } = await stage.pay(theirs)
  expect(await submit(mine, transactionHash)).toMatchObject({ status: 400, code: 'ALREADY_USED' })
  await isUnpaid(mine)
  expect(await stage.load(theirs.id)).toMatchObject({ status: 'completed' })
})

test('the event of an unknown payment, to another merchant, has other terms', async () => {
  const mine = await stage.create()
  const txId = await payTerms({ ...(await termsOf(mine)), paymentId: 'theirs', merchant: stage.customer.address })
  expect(await submit(mine, txId)).toMatchObject({ status: 400, code: 'OTHER_TERMS' })
  await isUnpaid(mine)
})

test('the payment’s id and amount under any other term pay nothing, and do not block the payment', async () => {
  const mine = await stage.create()
  const terms = await termsOf(mine)
  const changes = [
    { merchant: stage.customer.address },
    { platform: stage.customer.address },
    { feeBps: 10_000 },
    { amount: terms.amount - 1n },
    { amount: 1n },
  ]
  for (const change of changes) {
    const txId = await payTerms({ ...terms, ...change })
    expect(await submit(mine, txId)).toMatchObject({ status: 400, code: 'OTHER_TERMS' })
  }
  await isUnpaid(mine)
  const { transactionHash } = await stage.pay(mine)
  expect(await submit(mine, transactionHash)).toMatchObject({ status: 200 })
})

test('a clone of the splitter, with our own code, is another contract', async () => {
  const mine = await stage.create()
  const clone: Hex = '0xc100000000000000000000000000000000000001'
  const bytecode = await stage.chain.getCode({ address: stage.network.splitter as Hex })
  await stage.chain.setCode({ address: clone, bytecode: bytecode ?? '0x' })
  const txId = await payTerms({ ...(await termsOf(mine)), splitter: clone })
  expect(await submit(mine, txId)).toMatchObject({ status: 400, code: 'OTHER_CONTRACT' })
  await isUnpaid(mine)
})

test('an event copied word for word by another contract is not the splitter’s', async () => {
  const [mine, sample] = [await stage.create(), await stage.create()]
  const payment = await stage.load(mine.id)
  const { logs } = await stage.pay(sample)
  const log = logs.find(({ address }) => address.toLowerCase() === stage.network.splitter.toLowerCase())
  if (!log || payment.mode !== 'contract') throw new Error('no event')
  // LOG4 of the first four words of the call, and the rest of it.
  const forger: Hex = '0xf000000000000000000000000000000000000001'
  await stage.chain.setCode({ address: forger, bytecode: '0x608036038060805f376060356040356020355f35845fa400' })
  const [topic, payer, , token] = log.topics
  const words = [topic, payer, payment.termsHash as Hex, token].map((word) => (word ?? '0x').slice(2)).join('')
  const receipt = await stage.send({ to: forger, data: `0x${words}${log.data.slice(2)}` })
  expect(receipt.logs[0]?.topics[2]).toBe(payment.termsHash)
  expect(await submit(mine, receipt.transactionHash)).toMatchObject({ status: 400, code: 'OTHER_CONTRACT' })
  await isUnpaid(mine)
})

test('a clone of the token is another token', async () => {
  const mine = await stage.create()
  const { contractAddress: clone } = await receiptOf(
    stage.chain,
    await stage.chain.deployContract({ ...testUsdc, account: stage.customer }),
  )
  if (!clone) throw new Error('no clone')
  await stage.chain.writeContract({
    ...{ account: stage.customer, address: clone, abi: testUsdc.abi, functionName: 'mint' },
    args: [stage.customer.address, 1_000_000_000n],
  } as never)
  await untilMined(stage.chain)
  const txId = await payTerms({ ...(await termsOf(mine)), token: clone })
  expect(await submit(mine, txId)).toMatchObject({ status: 400, code: 'OTHER_TOKEN' })
  await isUnpaid(mine)
})

test('a plain transfer to the merchant does not pay', async () => {
  const mine = await stage.create()
  const data = `0xa9059cbb${pad(mine.merchantWallet).slice(2)}${25_000_000n.toString(16).padStart(64, '0')}` as Hex
  const { transactionHash, status } = await stage.send({ to: usdc(), data })
  expect(status).toBe('success')
  expect(await submit(mine, transactionHash)).toMatchObject({ status: 400, code: 'OTHER_CONTRACT' })
  await isUnpaid(mine)
})

test('a transaction older than the payment pays nothing', async () => {
  const mine = await stage.create()
  const { transactionHash } = await stage.pay(mine)
  // Nobody can know a payment's id before it exists; here the payment is made younger than its transaction.
  const created = Date.now() + 3_600_000
  await stage.db.write((tx) => tx.run(sql`update payments set created_at_ms = ${created} where id = ${mine.id}`))
  await stage.chain.mine({ blocks: 1 })
  const { status, body } = await stage.process(mine.id, transactionHash)
  expect([status, body['code']]).toEqual([400, 'OLDER_THAN_PAYMENT'])
  await isUnpaid(mine)
})

test('a reverted transaction is reported as such', async () => {
  const mine = await stage.create()
  const { contractAddress, data } = (await stage.create({ amount: '99000000' })).contractCall
  const { transactionHash, status } = await stage.send({ to: contractAddress, data })
  expect(status).toBe('reverted')
  expect(await submit(mine, transactionHash)).toMatchObject({ status: 400, code: 'TRANSACTION_REVERTED' })
})

test('a transaction of the other chain, or an unknown one, is not found', async () => {
  const other = await openContractStage({ chainId: 31_338 })
  try {
    const mine = await stage.create()
    const theirs = await other.create()
    const { transactionHash, status } = await other.pay(theirs)
    expect(status).toBe('success')
    for (const [hash, attempts] of [
      [transactionHash, 1],
      [`0x${'12'.repeat(32)}`, 2],
    ] as const) {
      const answer = await submit(mine, hash)
      expect(answer).toMatchObject({ status: 400, code: 'TRANSACTION_NOT_FOUND', attempts })
      expect(answer.message).toMatch(/^payment not found on-chain/)
    }
  } finally {
    await other.close()
  }
})

test('an event whose fields do not match its hash does not count', async () => {
  const mine = await stage.create()
  const { logs } = await stage.pay(mine)
  const log = logs.find(({ topics }) => topics[0] === splitTopic)
  if (!log) throw new Error('no event')
  const { chainId } = stage.network
  expect(readSplitLog(chainId, log)).toMatchObject({ received: 25_000_000n, details: { paymentId: mine.id } })
  // The amount occurs twice: as received, and in the terms.
  const amount = 25_000_000n.toString(16).padStart(64, '0')
  const at = log.data.lastIndexOf(amount)
  const data = `${log.data.slice(0, at)}${'0'.repeat(63)}1${log.data.slice(at + 64)}` as Hex
  expect(readSplitLog(chainId, { ...log, data })).toBeUndefined()
  expect(readSplitLog(chainId + 1, log)).toBeUndefined()
  expect(readSplitLog(chainId, { ...log, address: usdc() })).toBeUndefined()
  expect(readSplitLog(chainId, { ...log, data: '0x' })).toBeUndefined()
})

test('a chain other than the payment’s is not asked', async () => {
  const payment = await stage.load((await stage.create()).id)
  if (payment.mode !== 'contract') throw new Error('not a contract payment')
  const chain = { ...stage.evm, network: 'elsewhere', receipt: () => Promise.reject(new Error('asked')) }
  const claim = { payment, network: stage.network, chain, txId: '0x', isUsed: async () => false }
  await expect(verifySplit(claim, new AbortController().signal)).rejects.toMatchObject({ code: 'WRONG_NETWORK' })
})

test('too few confirmations do not pay, and the response contains their number', async () => {
  const mine = await stage.create()
  const { transactionHash } = await stage.pay(mine)
  await stage.watch()
  const { status, body } = await stage.process(mine.id, transactionHash)
  expect([status, body]).toMatchObject([
    400,
    { success: false, code: 'NOT_CONFIRMED', isAlreadyCompleted: false, verificationAttempts: 1 },
  ])
  expect(body['message']).toBe('payment not yet confirmed: 1 of 3 confirmations')
})

test('a transaction removed by a reorg is no longer found, without traces', async () => {
  const mine = await stage.create()
  const { transactionHash } = await stage.pay(mine)
  await stage.watch()
  expect((await stage.load(mine.id)).seen).toBe(25_000_000n)
  await stage.reorg(2)
  await stage.chain.mine({ blocks: 1 })
  await stage.watch()
  expect(await submit(mine, transactionHash)).toMatchObject({ status: 400, code: 'TRANSACTION_NOT_FOUND' })
  await isUnpaid(mine)
})

test('a block that the node no longer calls canonical does not count', async () => {
  const forked = await openContractStage({
    adapter: {
      // A node behind the same URL that is on another fork: it still returns the receipt.
      block: async (number) => ({ number, hash: `0x${'f0'.repeat(32)}`, parentHash: '0x', timeMs: Date.now() }),
    },
  })
  try {
    const mine = await forked.create()
    const { transactionHash, blockNumber } = await forked.pay(mine)
    await forked.db.write((tx) =>
      tx.run(sql`
        insert into headers (network, number, hash, time_ms) values ('devnet', ${Number(blockNumber) + 9}, '0x09', 0)`),
    )
    const { status, body } = await forked.process(mine.id, transactionHash)
    expect([status, body['code'], body['message']]).toEqual([
      400,
      'NOT_CANONICAL',
      'payment not yet confirmed: the block of the transaction was replaced',
    ])
    expect(await forked.load(mine.id)).toMatchObject({ status: 'pending', seen: 0n })
  } finally {
    await forked.close()
  }
})

test('one transaction, submitted fifty times concurrently for each of two payments, pays its own payment once', async () => {
  const [mine, theirs] = [await stage.create(), await stage.create()]
  const { transactionHash } = await stage.pay(mine)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => stage.process((index % 2 ? mine : theirs).id, transactionHash)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((_, index) => index % 2 === 1)).toEqual(Array.from({ length: 50 }, () => 200))
  expect(statuses.filter((_, index) => index % 2 === 0)).toEqual(Array.from({ length: 50 }, () => 400))
  await isUnpaid(theirs)
  expect(await stage.load(mine.id)).toMatchObject({ status: 'completed', received: 25_000_000n })
  const rows = await stage.db.read((tx) => tx.all(sql`select 1 from transfers where tx_id = ${transactionHash}`))
  expect(rows).toHaveLength(1)
})
