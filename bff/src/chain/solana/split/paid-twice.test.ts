import { Keypair } from '@solana/web3.js'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { plainTransfers } from '@stablecoin-checkout/rig/solana-transfers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tokenAccountOf } from '../associated-token-account.ts'

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

/** Two transactions for one payment, as two tabs or two wallets request them, signed and not sent yet. */
async function twoTransactions(id: string) {
  const first = await stage.handOut(id)
  await stage.solana.advance(2)
  const second = await stage.handOut(id)
  for (const one of [first, second]) one.sign(stage.solana.customer)
  return [first, second].map((one) => one.serialize())
}

const send = (bytes: Buffer | undefined, skipPreflight = false) =>
  stage.solana.connection.sendRawTransaction(bytes ?? Buffer.of(), {
    skipPreflight,
    preflightCommitment: 'processed',
  })

test('the second payment of a wallet that paid twice is counted, and owed to the customer', async () => {
  const payment = await stage.create()
  const [first, second] = await twoTransactions(payment.id)
  await send(first)
  await stage.solana.advance(40)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed', received: 25_000_000n })
  await send(second)
  await stage.solana.advance(40)
  await stage.find()
  await stage.find()
  expect(await stage.balances()).toEqual({ merchant: 49_250_000n, platform: 750_000n })
  expect(await stage.stored(payment.id)).toMatchObject({
    status: 'completed',
    seen: 50_000_000n,
    received: 50_000_000n,
  })
  expect(await stage.events(payment.id)).toContain('payment.overpaid')
})

test('two payments of one order in the same seconds are both confirmed', async () => {
  const payment = await stage.create()
  const [first, second] = await twoTransactions(payment.id)
  await send(first)
  await send(second)
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 50_000_000n, received: 0n })
  await stage.solana.advance(40)
  await stage.find()
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({
    status: 'completed',
    seen: 50_000_000n,
    received: 50_000_000n,
  })
})

test('a fork on which its transaction fails undoes a detected payment', async () => {
  const payment = await stage.create()
  await stage.solana.advance(2)
  const transaction = await stage.handOut(payment.id)
  transaction.sign(stage.solana.customer)
  await send(transaction.serialize())
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ seen: 25_000_000n })
  await stage.solana.control('fork', 2)
  // On this fork the wallet has sent its tokens elsewhere first.
  const { customer } = stage.solana
  const mint = stage.mint().toBase58()
  const account = tokenAccountOf(mint, customer.publicKey.toBase58())
  const [held] = await stage.adapter.tokenAccounts([account], undefined, new AbortController().signal)
  const elsewhere = plainTransfers(customer.publicKey, mint, [
    [Keypair.generate().publicKey.toBase58(), held?.amount ?? 0n],
  ])
  await stage.solana.send(elsewhere, customer)
  await send(transaction.serialize(), true)
  await stage.solana.advance(40)
  await stage.find()
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
})

function failed(truth: unknown) {
  const { meta, ...rest } = truth as { meta: object }
  return { ...rest, meta: { ...meta, err: { InstructionError: [0, 'Custom'] } } }
}

test.each([
  ['calls its transaction failed', failed],
  ['has forgotten its transaction', () => null],
])('a detected payment is not undone by one node that %s', async (_, lie) => {
  await stage.close()
  const nodes: LyingNode[] = []
  stage = await openSolanaStage({
    async nodes(truth) {
      nodes.push(await openLyingNode(truth))
      // Nodes of one host count as one.
      return [nodes[0]?.url ?? '', truth.replace('127.0.0.1', 'localhost')]
    },
  })
  const payment = await stage.create()
  await stage.pay(payment.id)
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ seen: 25_000_000n })
  await stage.solana.advance(40)
  nodes[0]?.lie('getTransaction', lie)
  await stage.find()
  nodes[0]?.mend()
  for (let passes = 0; passes < 3; passes++) {
    await stage.find()
    stage.later(61_000)
  }
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed', received: 25_000_000n })
  await nodes[0]?.close()
})
