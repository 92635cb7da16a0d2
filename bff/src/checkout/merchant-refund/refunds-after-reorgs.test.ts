import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
  const { address } = stage.merchantAccount
  await rpc('anvil_setBalance', address, '0x8ac7230489e80000')
  await call('mint', [address, 1_000_000_000n], stage.tokenOwner)
})
afterAll(() => stage.close())

const rpc = (method: string, ...params: unknown[]): Promise<unknown> => stage.chain.request({ method, params } as never)

const call = (functionName: 'mint' | 'transfer', args: [Hex, bigint], account = stage.merchantAccount) =>
  stage.send(
    {
      to: stage.network.tokens[0]?.address as Hex,
      data: encodeFunctionData({ abi: testUsdc.abi, functionName, args }),
    },
    account,
  )

const transfer = (to: Hex, amount: bigint, account = stage.merchantAccount) => call('transfer', [to, amount], account)

type Refund = { id: string; status: string }

async function ask(path: string, body?: object): Promise<Refund> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return ((await response.json()) as { refund: Refund }).refund
}

/** Confirms everything sent, and lets the watcher read it. */
async function settle() {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
}

/** A refund of 1.00, of a payment that is final. */
async function requested() {
  const payment = await stage.create()
  await stage.pay(payment)
  await settle()
  const { address } = privateKeyToAccount(generatePrivateKey())
  const { id } = await ask(`/payments/${payment.id}/refunds`, { address, amount: '1.00' })
  return { id, address, paymentId: payment.id }
}

const read = (id: string) => ask(`/refunds/${id}`)

/** The types of the webhook events about the payment's refunds. */
async function eventsOf(paymentId: string): Promise<string[]> {
  const rows = await stage.db.read((tx) =>
    tx.all<{ type: string }>(
      sql`select type from events where payment_id = ${paymentId} and type like 'refund.%' order by number`,
    ),
  )
  return rows.map(({ type }) => type)
}

/** A payment whose metadata cannot be parsed cannot be changed. */
const setMetadata = (paymentId: string, metadata: string | null) =>
  stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${paymentId}`))

/** Replaces the newest blocks by others with these transactions only. */
async function moveOnly(depth: number, hashes: readonly string[]): Promise<void> {
  const raw = await Promise.all(hashes.map((hash) => rpc('eth_getRawTransactionByHash', hash)))
  await rpc(
    'anvil_reorg',
    depth,
    raw.map((one) => [one, 1]),
  )
}

test('of a refund that was paid twice, a reorg may take the first transfer and move the second: it has not failed', async () => {
  const refund = await requested()
  await transfer(refund.address, 1_000_000n)
  const { transactionHash } = await transfer(refund.address, 1_000_000n, stage.customer)
  await settle()
  await ask(`/refunds/${refund.id}/verify`, { transactionHash })
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '2.00' })
  const before = await eventsOf(refund.paymentId)
  await moveOnly(confirmations + 2, [transactionHash])
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '1.00' })
  expect(await eventsOf(refund.paymentId)).toEqual(before)
})

test('a refund whose transaction pays less in the block that a reorg moved it to has failed', async () => {
  const refund = await requested()
  const { transactionHash } = await transfer(refund.address, 1_000_000n)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid' })
  await moveOnly(confirmations + 1, [transactionHash])
  await stage.chain.mine({ blocks: confirmations })
  const transfers: typeof stage.evm.transfers = async (range, signal) =>
    (await stage.evm.transfers(range, signal)).map((one) => ({ ...one, amount: 400_000n as typeof one.amount }))
  const watcher = stage.otherWatcher({}, { adapter: { ...stage.evm, transfers } })
  for (let passes = 0; passes < 3; passes++) await watcher.pass(new AbortController().signal)
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.40', remaining: '0.60' })
  expect(await eventsOf(refund.paymentId)).toEqual(['refund.requested', 'refund.paid', 'refund.failed'])
})

test('a refund whose move to another block a dying watcher has stored in part has failed when no block has it any more', async () => {
  let deaths = 0
  // The first one is rolled back.
  for (let commit = 2; commit <= 5; commit++) {
    const broken = await stage.create()
    const refund = await requested()
    const paying = await stage.pay(broken)
    const { transactionHash } = await transfer(refund.address, 1_000_000n)
    await settle()
    expect(await read(refund.id)).toMatchObject({ status: 'paid' })
    // A payment that cannot be changed gets a commit of its own, as do all others of the pass.
    await setMetadata(broken.id, '{')
    await moveOnly(confirmations + 2, [transactionHash, paying.transactionHash])
    await stage.chain.mine({ blocks: confirmations })
    const { db, isDead } = openDyingDb(stage.db, { commit, at: 'after' })
    const dying = stage.otherWatcher({}, { db })
    for (let passes = 0; passes < 3 && !isDead(); passes++)
      await dying.pass(new AbortController().signal).catch((error: unknown) => {
        if (!isDead()) throw error
      })
    await moveOnly(2 * confirmations + 2, [])
    await setMetadata(broken.id, null)
    await settle()
    const { status } = await read(refund.id)
    const types = await eventsOf(refund.paymentId)
    expect([commit, status, types.at(-1)]).toEqual([commit, 'to_pay', 'refund.failed'])
    if (isDead()) deaths += 1
  }
  expect(deaths).toBeGreaterThanOrEqual(2)
})

test('a refund that could not be changed while a reorg moved it to another block has not failed either', async () => {
  const refund = await requested()
  const { transactionHash } = await transfer(refund.address, 1_000_000n)
  await settle()
  await setMetadata(refund.paymentId, '{')
  await moveOnly(confirmations + 1, [transactionHash])
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  await setMetadata(refund.paymentId, null)
  await settle()
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '1.00', excess: '0.00' })
  expect(await eventsOf(refund.paymentId)).toEqual(['refund.requested', 'refund.paid'])
})
