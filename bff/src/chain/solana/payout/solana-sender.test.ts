import {
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnCheckedInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token'
import { Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { createSolanaAdapter } from '../rpc/solana-adapter.ts'
import { createSolanaRpc } from '../rpc/solana-rpc.ts'
import { createSolanaSender, type SolanaSender } from './solana-sender.ts'

/** The owner of a deposit's token account. */
const deposit = Keypair.generate()
const [wallet, other] = [newWallet(), newWallet()]

let solana: SolanaFixture
let node: LyingNode
let second: LyingNode
let sender: SolanaSender
let from: { account: string; mint: string; isHighValue: boolean }
/** A refund of 5 to the wallet, in a final block. */
let refund: string

beforeAll(async () => {
  solana = await openSolana()
  node = await openLyingNode(solana.rpcUrl)
  second = await openLyingNode(solana.rpcUrl)
  const network = {
    ...{ shortName: 'solana', rpcUrls: [node.url, second.url], tokens: [], highValue: null },
    genesisHash: await solana.connection.getGenesisHash(),
  } as never as SolanaNetwork
  const rpc = createSolanaRpc(network, { nowMs: Date.now, log })
  sender = createSolanaSender(createSolanaAdapter(network, rpc, log), rpc)
  from = { account: accountOf(deposit.publicKey.toBase58()), mint: usdc(), isHighValue: false }
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    ...{ mint: usdc(), to: deposit.publicKey.toBase58(), amount: 1_000_000_000n },
  })
  const opened = [wallet, other].flatMap((to) => [openOf(to), openOf(to, usdt())])
  await solana.send(opened, solana.customer)
  refund = await land(transfer(deposit, wallet, 5_000_000n))
})
afterEach(() => {
  node.mend()
  second.mend()
})
afterAll(async () => {
  await node.close()
  await second.close()
  await solana.stop()
})

function newWallet(): string {
  return Keypair.generate().publicKey.toBase58()
}
const usdc = () => solana.tokens.USDC.address
const usdt = () => solana.tokens.USDT.address
const accountOf = (owner: string, mint = usdc()) => tokenAccountOf(mint, owner)

function openOf(owner: string, mint = usdc()): TransactionInstruction {
  const [account, wallet, token] = [accountOf(owner, mint), owner, mint].map((text) => new PublicKey(text))
  return createAssociatedTokenAccountIdempotentInstruction(
    solana.customer.publicKey,
    account as PublicKey,
    wallet as PublicKey,
    token as PublicKey,
  )
}

function transfer(payer: Keypair, to: string, amount: bigint, mint = usdc()): TransactionInstruction {
  const [source, target] = [accountOf(payer.publicKey.toBase58(), mint), accountOf(to, mint)]
  const token = new PublicKey(mint)
  return createTransferCheckedInstruction(
    new PublicKey(source),
    token,
    new PublicKey(target),
    payer.publicKey,
    amount,
    6,
  )
}

const burn = (amount: bigint): TransactionInstruction =>
  createBurnCheckedInstruction(new PublicKey(from.account), new PublicKey(usdc()), deposit.publicKey, amount, 6)

/** Sends one transaction, and finalizes it. */
async function land(...instructions: TransactionInstruction[]): Promise<string> {
  const needed = new Set(
    instructions.flatMap(({ keys }) => keys.filter((key) => key.isSigner).map(({ pubkey }) => pubkey.toBase58())),
  )
  const signers = needed.has(deposit.publicKey.toBase58()) ? [deposit] : []
  const txId = await solana.send(instructions, solana.customer, ...signers)
  await solana.advance(8)
  return txId
}

test('a refund is the transaction that moved money from the deposit’s account to one other account', async () => {
  const found = { txId: refund, to: wallet, amount: 5_000_000n }
  expect(await sender.findRefund([refund], from)).toEqual(found)
  const paidIn = await land(transfer(solana.customer, deposit.publicKey.toBase58(), 7_000_000n))
  expect(await sender.findRefund([paidIn], from)).toBeUndefined()
  expect(await sender.findRefund([paidIn, refund], from)).toEqual(found)
})

test('a node that does not know the blockhash yet says nothing about a simulated transaction', async () => {
  const transaction = new Transaction({ feePayer: solana.customer.publicKey, ...(await sender.recentBlockhash()) })
  const unsigned = transaction
    .add(openOf(newWallet()))
    .serialize({ requireAllSignatures: false, verifySignatures: false })
    .toString('base64')
  expect(await sender.simulate(unsigned)).toBeUndefined()
  node.lie('simulateTransaction', (own) => ({ ...(own as object), value: { err: 'BlockhashNotFound', logs: [] } }))
  await expect(sender.simulate(unsigned)).rejects.toThrow('does not know the blockhash')
})

test('a transaction in which two accounts gain is not a refund', async () => {
  for (const [to, also] of [
    [wallet, other],
    [other, wallet],
  ] as const) {
    const txId = await land(transfer(deposit, to, 5_000_000n), transfer(solana.customer, also, 3_000_000n))
    expect(await sender.findRefund([txId], from)).toBeUndefined()
  }
})

test('a transaction whose recipient gains another amount than the deposit’s account loses is not a refund', async () => {
  const less = await land(transfer(deposit, wallet, 5_000_000n), burn(1_000_000n))
  const more = await land(transfer(deposit, wallet, 5_000_000n), transfer(solana.customer, wallet, 1_000_000n))
  expect(await sender.findRefund([less, more], from)).toBeUndefined()
})

test('a transaction whose recipient a node does not name is not a refund', async () => {
  const transaction = {
    isSuccess: true,
    changes: [
      { account: from.account, mint: usdc(), ownerBefore: wallet, ownerAfter: wallet, before: 5_000_000n, after: 0n },
      { account: 'theirs', mint: usdc(), ownerBefore: null, ownerAfter: null, before: 0n, after: 5_000_000n },
    ],
  }
  const chain = { network: 'solana', transaction: async () => transaction } as never
  expect(await createSolanaSender(chain, {} as never).findRefund(['txId'], from)).toBeUndefined()
})

test('gains in another token are no refund, and hide none', async () => {
  const burnt = await land(burn(5_000_000n), transfer(solana.customer, wallet, 5_000_000n, usdt()))
  expect(await sender.findRefund([burnt], from)).toBeUndefined()
  const txId = await land(transfer(deposit, wallet, 5_000_000n), transfer(solana.customer, other, 5_000_000n, usdt()))
  expect(await sender.findRefund([txId], from)).toEqual({ txId, to: wallet, amount: 5_000_000n })
})

test('a payout is the transaction that took money from the deposit’s account and added an amount within the bounds', async () => {
  const find = (txIds: string[], least: bigint, most: bigint) =>
    sender.findPayout(txIds, from, { account: accountOf(wallet), least, most })
  const paid = await land(transfer(solana.customer, wallet, 5_000_000n))
  expect(await find([paid], 5_000_000n, 5_000_000n)).toBeUndefined()
  expect(await find([paid, refund], 5_000_000n, 5_000_000n)).toEqual({ txId: refund, gain: 5_000_000n })
  expect(await find([refund], 4_999_999n, 5_000_001n)).toEqual({ txId: refund, gain: 5_000_000n })
  expect(await find([refund], 0n, 4_999_999n)).toBeUndefined()
  expect(await find([refund], 5_000_001n, 6_000_000n)).toBeUndefined()
})

test('while one transaction cannot be read, no older one is taken for the payout', async () => {
  const known = await land(transfer(solana.customer, wallet, 1_000_000n))
  node.lie('getTransaction', (truth, [txId]) => (txId === known ? null : truth))
  const to = { account: accountOf(wallet), least: 5_000_000n, most: 5_000_000n }
  const fault = `transaction ${known} could not be read`
  await expect(sender.findRefund([known, refund], from)).rejects.toThrow(fault)
  await expect(sender.findPayout([known, refund], from, to)).rejects.toThrow(fault)
})

test('a payout of high value is found only if two nodes have the same transaction', async () => {
  const high = { ...from, isHighValue: true }
  const to = { account: accountOf(wallet), least: 5_000_000n, most: 5_000_000n }
  expect(await sender.findPayout([refund], high, to)).toMatchObject({ txId: refund })
  expect(await sender.findRefund([refund], high)).toMatchObject({ txId: refund })
  second.lie('getTransaction', () => null)
  const fault = `too few nodes confirm transaction ${refund}`
  await expect(sender.findPayout([refund], high, to)).rejects.toThrow(fault)
  await expect(sender.findRefund([refund], high)).rejects.toThrow(fault)
  expect(await sender.findPayout([refund], from, to)).toMatchObject({ txId: refund })
})

test('the height that comes with statuses is that of the newest final block', async () => {
  await solana.advance(3)
  const { height, statuses } = await sender.statuses([refund])
  expect(height).toBe(await solana.connection.getBlockHeight('finalized'))
  expect(height).toBeLessThan(await solana.connection.getBlockHeight('processed'))
  expect(statuses).toMatchObject([{ isFailed: false, isFinal: true }])
})

test('a payout behind more than 200 transactions is not searched for, and does not count as missing', async () => {
  const paid = await land(transfer(solana.customer, wallet, 1_000_000n))
  const many = (count: number) => [...Array.from({ length: count }, () => paid), refund]
  expect(await sender.findRefund(many(199), from)).toMatchObject({ txId: refund })
  await expect(sender.findRefund(many(200), from)).rejects.toThrow(`transaction ${refund} could not be read`)
})

test('the price of a compute unit is the upper quartile of recent prices, and at most one lamport', async () => {
  const price = async (...fees: number[]) => {
    node.lie('getRecentPrioritizationFees', () => fees.map((prioritizationFee) => ({ slot: 1, prioritizationFee })))
    return await sender.unitPrice([from.account])
  }
  expect(await price(40, 10, 30, 20)).toBe(40)
  expect(await price(50, 40, 10, 30, 20)).toBe(40)
  expect(await price(999_999)).toBe(999_999)
  expect(await price(5_000_000_000)).toBe(1_000_000)
  expect(await price()).toBe(0)
})

test('of a failed simulation only a part of what the node reports is kept', async () => {
  const logs = ['first', 'second', 'third', 'x'.repeat(10_000)]
  node.lie('simulateTransaction', () => ({ value: { err: { InstructionError: [0, 'Custom'] }, logs } }))
  const reason = await sender.simulate('')
  expect(reason).toMatch(/^\{"InstructionError":\[0,"Custom"\]\} second \| third \| x+$/)
  expect(reason).toHaveLength(400)
})
