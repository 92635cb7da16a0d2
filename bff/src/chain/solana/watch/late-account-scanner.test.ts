import { PublicKey } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type Death, openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'

const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

async function travel(seconds: number): Promise<void> {
  await stage.solana.control('travel', seconds)
  stage.later(seconds * 1_000)
  await stage.solana.advance(6)
  await stage.work(1)
}

/** A deposit of 25.00 whose watch window is over. */
async function endedDeposit(): Promise<{ id: PaymentId; address: string; clientSecret: string }> {
  const { id, depositAddress: address, clientSecret } = await stage.createDeposit()
  await stage.work(1)
  await travel(8 * daySeconds)
  expect(await stage.stored(id)).toMatchObject({ status: 'expired' })
  return { id, address, clientSecret }
}

async function mint(to: string, amount: bigint): Promise<void> {
  await mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })
  await stage.solana.advance(6)
  await stage.work(1)
}

async function balanceOf(wallet: string): Promise<string> {
  const account = new PublicKey(tokenAccountOf(stage.mint().toBase58(), wallet))
  return (await stage.solana.connection.getTokenAccountBalance(account)).value.amount
}

/** The watcher counts final transfers. With nothing to watch, it reads the head four times a minute. */
async function finish(): Promise<void> {
  stage.later(15_000)
  await stage.work()
}

/** A round of the scan, which begins an hour after the last one, and the blocks that finalize its findings. */
async function round(scan = stage.scanLate): Promise<void> {
  await travel(hourSeconds)
  while (await scan()) await stage.solana.advance(1)
  await finish()
}

const byMerchant = () => ({ 'x-api-key': stage.merchant.apiKey, 'x-api-secret': stage.merchant.apiSecret })

const lateOnce = ['payment.created', 'payment.expired', 'payment.late']

test('money that arrives at a deposit eight days after its end is found, reported once, and accepted by the merchant', async () => {
  const { id, address } = await endedDeposit()
  await mint(address, 25_000_000n)
  // The watcher no longer reads this account.
  expect(await stage.stored(id)).toMatchObject({ seen: 0n, late: 0n })
  for (let rounds = 0; rounds < 3; rounds++) await round()
  expect(await stage.stored(id)).toMatchObject({ status: 'expired', late: 25_000_000n })
  expect(await stage.events(id)).toEqual(lateOnce)

  const init = { method: 'POST', headers: byMerchant() }
  expect((await stage.app.request(`/api/v1/payments/${id}/accept-late`, init)).status).toBe(200)
  await stage.work()
  expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
  // The sweep closed the account, and the next payer created it again.
  await mint(address, 3_000_000n)
  await round()
  expect(await stage.stored(id)).toMatchObject({ late: 28_000_000n })
})

test('late partial amounts are returned, and the same amount is found again', async () => {
  const { id, address, clientSecret } = await endedDeposit()
  const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
  await mint(wallet, 1n)
  await mint(address, 4_000_000n)
  await round()
  const refund = { address: wallet, clientSecret }
  expect((await stage.post(`/deposits/refund-request/${id}`, refund)).status).toBe(200)
  await stage.work()
  expect(await balanceOf(wallet)).toBe('4000001')
  expect(await stage.stored(id)).toMatchObject({ late: 4_000_000n, refunded: 4_000_000n })
  await mint(address, 4_000_000n)
  await round()
  expect(await stage.stored(id)).toMatchObject({ late: 8_000_000n })
})

test('money missing from the books is found, although its balance is stored as read', async () => {
  const { id, address } = await endedDeposit()
  await mint(address, 25_000_000n)
  await stage.db.write((tx) =>
    tx.run(sql`update solana_accounts set read_amount = '25000000' where payment_id = ${id}`),
  )
  await round()
  expect(await stage.stored(id)).toMatchObject({ late: 25_000_000n })
})

for (const at of ['inside', 'after'] as const) {
  test(`killed ${at === 'inside' ? 'before' : 'after'} its commit is durable, the next start finds the money once`, async () => {
    const { id, address } = await endedDeposit()
    await mint(address, 25_000_000n)
    await travel(hourSeconds)
    const death: Death = { commit: 1, at }
    const { db, isDead } = openDyingDb(stage.db, death)
    await expect(stage.openWorkers(db).scanLate()).rejects.toThrow()
    expect(isDead()).toBe(true)
    for (let rounds = 0; rounds < 2; rounds++) await round()
    expect(await stage.events(id)).toEqual(lateOnce)
    expect(await stage.stored(id)).toMatchObject({ late: 25_000_000n })
  })
}

test('two replicas scanning at the same time find the money once, and an account with dust is read in bounded steps', async () => {
  const { id, address } = await endedDeposit()
  const drops = Array.from({ length: 120 }, (_, index) => ({
    ...{ mint: stage.mint().toBase58(), to: address, amount: BigInt(index + 1) },
  }))
  const { connection, tokenOwner } = stage.solana
  await Promise.all(drops.map((drop) => mintTestTokens(connection, tokenOwner, drop)))
  await stage.solana.advance(6)
  await travel(hourSeconds)
  const replicas = [stage.openWorkers(stage.db), stage.openWorkers(stage.db)]
  expect(await Promise.all(replicas.map((replica) => replica.scanLate()))).toEqual([true, true])
  await Promise.all(replicas.map((replica) => replica.scanLate()))
  await finish()
  expect(await stage.stored(id)).toMatchObject({ late: 7_260n })
  const [{ count = 0 } = {}] = await stage.db.read((tx) =>
    tx.all<{ count: number }>(sql`select count(*) as count from transfers where payment_id = ${id}`),
  )
  expect(count).toBe(120)
})

test('with nothing to find, a round costs one call, and no more until the next', async () => {
  await endedDeposit()
  await round()
  await travel(hourSeconds)
  const asked = stage.calls()
  await stage.scanLate()
  expect(stage.calls() - asked).toBe(1)
  await stage.scanLate()
  expect(stage.calls() - asked).toBe(1)
})

test('a payment that cannot be changed does not hide others, and is found when it can be', async () => {
  const [broken, other] = [await stage.createDeposit(), await stage.createDeposit()]
  await stage.work(1)
  await travel(8 * daySeconds)
  await mint(broken.depositAddress, 25_000_000n)
  await mint(other.depositAddress, 25_000_000n)
  const setMetadata = (metadata: string | null) =>
    stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${broken.id}`))
  await setMetadata('{')
  await round()
  expect(await stage.stored(other.id)).toMatchObject({ status: 'expired', late: 25_000_000n })

  await setMetadata(null)
  expect(await stage.stored(broken.id)).toMatchObject({ late: 0n })
  await round()
  expect(await stage.stored(broken.id)).toMatchObject({ status: 'expired', late: 25_000_000n })
})
