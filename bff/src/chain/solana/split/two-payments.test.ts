import { createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tokenAccountOf } from '../associated-token-account.ts'

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

/** One wallet transaction with a wallet payment's transfers and one to a deposit's account. */
async function payBoth(id: string, depositAddress: string): Promise<string> {
  const { customer, connection } = stage.solana
  const [mint, owner] = [stage.mint(), new PublicKey(depositAddress)]
  const accountOf = (wallet: PublicKey) => new PublicKey(tokenAccountOf(mint.toBase58(), wallet.toBase58()))
  const [from, to] = [accountOf(customer.publicKey), accountOf(owner)]
  const transaction = await stage.handOut(id)
  transaction.add(
    createAssociatedTokenAccountIdempotentInstruction(customer.publicKey, to, owner, mint),
    createTransferCheckedInstruction(from, mint, to, customer.publicKey, 25_000_000n, 6),
  )
  transaction.sign(customer)
  return await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' })
}

test.each(['deposit', 'wallet payment'])(
  'a transaction that pays a deposit and a wallet payment pays both, each with its own money (the %s is detected first)',
  async (first) => {
    const wallet = await stage.create()
    const deposit = await stage.createDeposit()
    await stage.watch()
    const txId = await payBoth(wallet.id, deposit.depositAddress)
    await stage.solana.advance(40)
    const watchers = [() => stage.watch(), () => stage.find()]
    for (const watch of first === 'deposit' ? watchers : watchers.toReversed()) await watch()
    await stage.watch()
    await stage.find()
    expect(await stage.stored(wallet.id)).toMatchObject({ status: 'completed', received: 25_000_000n, lastTxId: txId })
    expect(await stage.stored(deposit.id)).toMatchObject({ status: 'sweeping', received: 25_000_000n, lastTxId: txId })
    await stage.work()
    expect(await stage.balances()).toEqual({ merchant: 49_250_000n, platform: 750_000n })
  },
)
