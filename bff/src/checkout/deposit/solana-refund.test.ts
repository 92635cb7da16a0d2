import { PublicKey } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tokenAccountOf } from '../../chain/solana/associated-token-account.ts'
import { sql } from '../../db/db.ts'

/** The window, and a second so that it is over. */
const windowSeconds = 901

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

const mint = (to: string, amount: bigint) =>
  mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })

async function newWallet(): Promise<string> {
  const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
  await mint(wallet, 1n)
  await stage.solana.advance(2)
  return wallet
}

async function balanceOf(wallet: string): Promise<string> {
  const account = new PublicKey(tokenAccountOf(stage.mint().toBase58(), wallet))
  return (await stage.solana.connection.getTokenAccountBalance(account)).value.amount
}

async function endWindow(): Promise<void> {
  await stage.solana.control('travel', windowSeconds)
  stage.later(windowSeconds * 1_000)
  await stage.work(1)
}

/** Blocks that make everything final, and the watcher alone: its loop and that of the payouts are independent. */
async function watchUntilFinal(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await stage.watch()
    await stage.solana.advance(6)
  }
  await stage.watch()
}

const statusOf = async (id: string) => (await stage.ask(`/payments/${id}/status`)).body.payment

test('while a refund is under way its money does not count: what comes late does not make the payment paid', async () => {
  await stage.db.write((tx) => tx.run(sql`update merchants set late_payments = 'accept'`))
  const wallet = await newWallet()
  const { id, depositAddress, clientSecret } = await stage.createDeposit()
  await stage.work(1)
  await mint(depositAddress, 15_000_000n)
  await stage.work()
  await endWindow()
  expect(await stage.stored(id)).toMatchObject({ status: 'expired', received: 15_000_000n })
  await stage.post(`/deposits/refund-request/${id}`, { address: wallet, clientSecret })
  await stage.payout()
  expect(await stage.stored(id)).toMatchObject({ refunding: 15_000_000n, refunded: 0n })

  await mint(depositAddress, 10_000_000n)
  await watchUntilFinal()
  expect(await statusOf(id)).toMatchObject({ outcome: 'failed' })
  await stage.work()
  expect(await stage.events(id)).not.toContain('payment.completed')
  expect(await balanceOf(wallet)).toBe('25000001')
  expect(await stage.stored(id)).toMatchObject({ status: 'expired', refunded: 25_000_000n, refunding: 0n })
  expect(await stage.balances()).toEqual({ merchant: 0n, platform: 0n })
})

test('the merchant cannot take money that is on its way back', async () => {
  const wallet = await newWallet()
  const { id, depositAddress } = await stage.createDeposit()
  await endWindow()
  await mint(depositAddress, 25_000_000n)
  await stage.work()
  const { apiKey, apiSecret } = stage.merchant
  const headers = { 'Content-Type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret }
  const ask = async (path: string, body: object | null) => {
    const init = { method: 'POST', headers, body: body && JSON.stringify(body) }
    const response = await stage.app.request(`/api/v1${path}`, init)
    return { status: response.status, body: await response.json() }
  }
  expect((await ask(`/deposits/refund-request/${id}`, { address: wallet })).status).toBe(200)
  await stage.payout()
  expect(await ask(`/payments/${id}/accept-late`, null)).toMatchObject({
    status: 409,
    body: { code: 'REFUND_UNDER_WAY' },
  })
  await stage.work()
  expect(await balanceOf(wallet)).toBe('25000001')
  expect((await ask(`/payments/${id}/accept-late`, null)).body).toMatchObject({ code: 'LATE_AMOUNT_SHORT' })
})
