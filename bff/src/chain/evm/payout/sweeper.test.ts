import { due, openStage, platformShare, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'

const never = new AbortController().signal
let stage: Stage
let before: { merchant: bigint; platform: bigint }

beforeEach(async () => {
  stage = await openStage()
  before = { merchant: await stage.balanceOf(stage.merchant), platform: await stage.balanceOf(stage.platform) }
})
afterEach(() => stage.close())

/** The amounts received by merchant and platform during the test. */
async function paidOut() {
  const [merchant, platform] = [await stage.balanceOf(stage.merchant), await stage.balanceOf(stage.platform)]
  return { merchant: merchant - before.merchant, platform: platform - before.platform }
}

/** Enough blocks and passes for a transaction to be sent, final and counted. */
async function passAll(sweeper: ReturnType<Stage['sweeper']>): Promise<void> {
  for (let pass = 0; pass < 8; pass++) {
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
    stage.clock.nowMs += 1_000
  }
}

const oneDeposit = { merchant: due - platformShare, platform: platformShare }

test('a paid deposit reaches merchant and platform exactly, and the payment names the transaction', async () => {
  const id = await stage.pay()
  await stage.passUntil(stage.sweeper(), 'swept', [id])

  expect(await paidOut()).toEqual(oneDeposit)
  const [sent] = await stage.outgoing()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: sent?.tx_id })
  expect(await stage.sweeper().pass(never)).toBe(0)
})

test('a sweep counts only with the network’s confirmations', async () => {
  const id = await stage.pay()
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  await stage.chain.mine({ blocks: 1 })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ status: 'sweeping' })

  await stage.chain.mine({ blocks: 1 })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
})

test('the excess stays at the deposit address', async () => {
  const id = await stage.pay({ amount: due + 7n })
  await stage.passUntil(stage.sweeper(), 'swept', [id])

  expect(await paidOut()).toEqual(oneDeposit)
  expect(await stage.balanceOf((await stage.load(id)).depositAddress as `0x${string}`)).toBe(7n)
})

test('fifty deposits are settled by one transaction', async () => {
  const ids = []
  for (let deposit = 0; deposit < 50; deposit++) ids.push(await stage.pay())
  await stage.passUntil(stage.sweeper(), 'swept', ids)

  const sent = await stage.outgoing()
  expect(sent).toHaveLength(1)
  expect(await paidOut()).toEqual({ merchant: 50n * (due - platformShare), platform: 50n * platformShare })
})

test('a deposit settled externally is swept by that transaction, and nothing is sent', async () => {
  const id = await stage.pay()
  const { transactionHash } = await stage.settleAsStranger(id)
  await stage.passUntil(stage.sweeper(), 'swept', [id])

  expect(await stage.load(id)).toMatchObject({ sweepTxId: transactionHash })
  expect(await stage.outgoing()).toHaveLength(0)
  expect(await paidOut()).toEqual(oneDeposit)
})

test('an external settlement while our transaction waits costs us only its gas', async () => {
  const id = await stage.pay()
  const other = await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  // Simulated order: the external transaction is mined first, then ours comes back.
  const [ours] = await stage.outgoing()
  if (!ours) throw new Error('nothing was sent')
  await stage.chain.dropTransaction({ hash: ours.tx_id })
  await stage.chain.setAutomine(true)
  const { transactionHash } = await stage.settleAsStranger(id)
  stage.clock.nowMs += 20_000
  await stage.passUntil(sweeper, 'swept', [id, other])

  expect(await stage.load(id)).toMatchObject({ sweepTxId: transactionHash })
  expect(await stage.load(other)).toMatchObject({ sweepTxId: ours.tx_id })
  expect(await stage.settlements(id)).toBe(1)
})

test('a merchant with a blocked wallet does not delay the others, is reported, and is paid once unblocked', async () => {
  const blocked = '0x00000000000000000000000000000000000000b1'
  await stage.blacklist(blocked)
  const bad = await stage.pay({ merchant: blocked })
  const good = [await stage.pay(), await stage.pay(), await stage.pay()]
  const sweeper = stage.sweeper()
  await stage.passUntil(sweeper, 'swept', good)
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await stage.load(bad)).toMatchObject({ status: 'sweeping', sweep: 'failing' })
  expect(stage.warnings).toContainEqual({
    message: 'Settling a deposit failed; retrying',
    fields: expect.objectContaining({ paymentId: bad, reason: 'Blacklistable: account is blacklisted' }),
  })

  for (let failure = 1; failure < 6; failure++) {
    expect(await stage.load(bad)).toMatchObject({ status: 'sweeping' })
    stage.clock.nowMs += 480_000
    await sweeper.pass(never)
  }
  expect(await stage.load(bad)).toMatchObject({ status: 'sweep_failed' })
  expect(await stage.outgoing()).toHaveLength(1)

  await stage.unblacklist(blocked)
  stage.clock.nowMs += 3_600_000
  await stage.passUntil(sweeper, 'swept', [bad])
  expect(await stage.balanceOf(blocked)).toBe(due - platformShare)
})

test('an empty gas balance is reported with its address, loses nothing, and the sweep continues after a refill', async () => {
  const { address } = stage.signer
  const id = await stage.pay()
  await stage.chain.setBalance({ address, value: 1n })
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  await sweeper.pass(never)
  const empty = stage.warnings.filter(({ fields }) => 'needed' in fields)
  expect(empty).toEqual([{ message: expect.stringContaining('gas'), fields: expect.objectContaining({ address }) }])
  expect(await stage.load(id)).toMatchObject({ status: 'sweeping', sweep: 'queued' })
  expect(await stage.outgoing()).toHaveLength(0)

  await stage.chain.setBalance({ address, value: 10n ** 18n })
  stage.clock.nowMs += 15_000
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await paidOut()).toEqual(oneDeposit)
})

test('a gas balance too low for all deposits pays for as many as it can', async () => {
  const ids = [await stage.pay(), await stage.pay(), await stage.pay()]
  const fees = await stage.sender.fees(await stage.sender.head())
  await stage.chain.setBalance({ address: stage.signer.address, value: 550_000n * fees.maxFeePerGas })
  await stage.sweeper().pass(never)

  const states = await Promise.all(ids.map((id) => stage.settlements(id)))
  expect(states.filter((count) => count === 1)).toHaveLength(2)
})

test('a platform with a blocked wallet does not delay the merchant’s money, and the log says so', async () => {
  const id = await stage.pay()
  await stage.blacklist(stage.platform)
  await stage.passUntil(stage.sweeper(), 'swept', [id])

  expect(await paidOut()).toEqual({ merchant: due - platformShare, platform: 0n })
  expect(stage.warnings).toContainEqual({
    message: expect.stringContaining('rejected its share'),
    fields: expect.objectContaining({ paymentId: id }),
  })
})

test('a parked share is paid to the platform by one transaction when its wallet can receive again', async () => {
  const id = await stage.pay()
  await stage.blacklist(stage.platform)
  const sweeper = stage.sweeper()
  await stage.passUntil(sweeper, 'swept', [id])
  for (let hour = 0; hour < 3; hour++) {
    await sweeper.pass(never)
    stage.clock.nowMs += 3_600_000
  }
  expect(await stage.parked()).toMatchObject([
    { network: 'devnet', count: 1, failing: 1, reason: 'Blacklistable: account is blacklisted' },
  ])
  expect(await stage.outgoing()).toHaveLength(1)

  await stage.unblacklist(stage.platform)
  stage.clock.nowMs += 3_600_000
  await passAll(sweeper)
  expect(await paidOut()).toEqual(oneDeposit)
  expect(await stage.parked()).toEqual([])
  expect(await stage.outgoing()).toHaveLength(2)
})

test('a share parked by an external settlement is paid too, and one paid externally is not paid again', async () => {
  const id = await stage.pay()
  await stage.blacklist(stage.platform)
  await stage.settleAsStranger(id)
  const sweeper = stage.sweeper()
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await stage.parked()).toMatchObject([{ count: 1 }])

  await stage.unblacklist(stage.platform)
  await stage.payParkedAsStranger(id)
  stage.clock.nowMs += 3_600_000
  await passAll(sweeper)
  expect(await stage.parked()).toEqual([])
  expect(await paidOut()).toEqual(oneDeposit)
  expect(await stage.outgoing()).toEqual([])
})

test('a parked share whose payment a reorg undoes is paid again', async () => {
  const id = await stage.pay()
  await stage.blacklist(stage.platform)
  const sweeper = stage.sweeper()
  await stage.passUntil(sweeper, 'swept', [id])
  await stage.unblacklist(stage.platform)
  stage.clock.nowMs += 3_600_000
  await sweeper.pass(never)
  await stage.reorg(1)
  stage.clock.nowMs += 20_000
  await passAll(sweeper)
  expect(await paidOut()).toEqual(oneDeposit)
  expect(await stage.parked()).toEqual([])
})

test('a deposit that ran out of gas in its batch is retried with more', async () => {
  const id = await stage.pay()
  const sweeper = stage.sweeper({ settleGas: async () => 1n })
  await stage.passUntil(sweeper, 'sweeping', [id])
  for (let pass = 0; pass < 4; pass++) {
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
  }
  expect(await stage.load(id)).toMatchObject({ sweep: 'failing' })
  stage.clock.nowMs += 30_000
  await stage.passUntil(sweeper, 'swept', [id])
  expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed'])
  expect(await paidOut()).toEqual(oneDeposit)
})

test('a settlement that the node cannot find does not delay the others, and is finally reported', async () => {
  const lost = await stage.pay()
  await stage.settleAsStranger(lost)
  const good = await stage.pay()
  const findSettlement = () => Promise.reject(new Error('logs are not kept that long'))
  await expect(stage.sweeper({ findSettlement }).pass(never)).rejects.toThrow('logs are not kept that long')
  expect(await stage.settlements(good)).toBe(1)
  expect(await stage.load(lost)).toMatchObject({ sweep: 'queued' })

  const empty = stage.sweeper({ findSettlement: async (_, { to }) => ({ next: to + 1 }) })
  for (let failure = 0; failure < 6; failure++) {
    stage.clock.nowMs += 480_000
    await empty.pass(never)
  }
  expect(await stage.load(lost)).toMatchObject({ status: 'sweep_failed' })
})

test('a node’s fault is not the deposit’s failure', async () => {
  const id = await stage.pay()
  const down = () => Promise.reject(new Error('the node is down'))
  for (const broken of [{ head: down }, { refusals: down }, { fees: down }, { nonce: down }]) {
    await expect(stage.sweeper(broken).pass(never)).rejects.toThrow('the node is down')
  }
  expect(await stage.load(id)).toMatchObject({ sweep: 'queued' })
  await stage.passUntil(stage.sweeper(), 'swept', [id])
})

test('the loop settles new deposits, continues after faults, and ends at the signal', async () => {
  let faults = 2
  const head = () => (faults-- > 0 ? Promise.reject(new Error('the node is down')) : stage.sender.head())
  const stopping = new AbortController()
  const running = stage.sweeper({ head }).run(stopping.signal)
  const id = await stage.pay()
  await expect
    .poll(async () => {
      await stage.chain.mine({ blocks: 1 })
      return (await stage.load(id)).status
    })
    .toBe('swept')
  stopping.abort()
  await running
})
