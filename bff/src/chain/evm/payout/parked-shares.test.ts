import { type ContractStage, confirmations, openContractStage, shares } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import { countParkedShares, saveParkedShare } from '../../../payout/parked-share-store.ts'
import { encodePayParked } from '../deposit/parked-call.ts'

const never = new AbortController().signal
let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

const token = () => (stage.network.tokens[0]?.address ?? '') as Hex
const asTokenOwner = (functionName: 'blacklist' | 'unBlacklist') =>
  stage.send(
    {
      to: token(),
      data: encodeFunctionData({ abi: testUsdc.abi, functionName, args: [stage.wallets.platform] }),
    },
    stage.tokenOwner,
  )
const held = () => stage.balanceOf(stage.wallets.platform)

/** One payment whose platform could not be paid. */
async function parkShare(): Promise<void> {
  await asTokenOwner('blacklist')
  expect((await stage.pay(await stage.create())).status).toBe('success')
  await stage.chain.mine({ blocks: confirmations })
}

async function payAll(changed: Parameters<ContractStage['signatures']['newSweeper']>[0]): Promise<void> {
  await asTokenOwner('unBlacklist')
  await stage.db.write((tx) => tx.run(sql`update parked_shares set due_at_ms = 0`))
  const sweeper = stage.signatures.newSweeper(changed)
  await expect
    .poll(async () => {
      await sweeper.pass(never)
      await stage.chain.mine({ blocks: 1 })
      return await stage.db.read(countParkedShares)
    })
    .toEqual([])
}

test.each([
  ['an old wallet of the platform', () => ({ platformWallet: `0x${'ab'.repeat(20)}` })],
  ['a token that was removed', () => ({ tokens: stage.network.tokens.slice(1) })],
  ['an old splitter', () => ({ splitter: `0x${'cd'.repeat(20)}`, tokens: [] })],
])('a share parked under %s is found, and paid there', async (_, change) => {
  const before = await held()
  await parkShare()
  const changed = change()
  await stage.signatures.newSweeper(changed).pass(never)
  expect(await stage.db.read(countParkedShares)).toMatchObject([{ network: 'devnet', count: 1, failing: 1 }])
  await payAll(changed)
  expect((await held()) - before).toBe(shares.platform)
})

test('a share is found and paid with 240 required confirmations and nodes that are not archives', async () => {
  const before = await held()
  await parkShare()
  const { sender } = stage.signatures
  const parked: typeof sender.parked = async (places, block) => {
    const head = Number(await stage.chain.getBlockNumber())
    // A block was mined after the head was read.
    if (block !== undefined && block < head - 126) throw new Error('missing trie node')
    // The test chain is not an archive either; nothing has changed since the block.
    return await sender.parked(places)
  }
  const newSweeper = () => stage.signatures.newSweeper({ confirmations: 240 }, { ...sender, parked })
  await stage.chain.mine({ blocks: 240 })
  await newSweeper().pass(never)
  expect(await stage.db.read(countParkedShares)).toMatchObject([{ network: 'devnet', count: 1, failing: 1 }])
  await asTokenOwner('unBlacklist')
  const passDue = async () => {
    await stage.db.write((tx) => tx.run(sql`update parked_shares set due_at_ms = 0`))
    await newSweeper().pass(never)
  }
  await passDue()
  await stage.chain.mine({ blocks: 240 })
  await passDue()
  expect([(await held()) - before, await stage.db.read(countParkedShares)]).toEqual([shares.platform, []])
})

test.each([
  ['a configured token', () => stage.network.tokens],
  ['a token that was removed', () => stage.network.tokens.slice(1)],
])('no gas is spent on a share of %s that is worth less', async (_, tokens) => {
  await parkShare()
  const sweepGas = { maxBps: 100, coinPrice: '100000000', maxWaitHours: 24 }
  const sweeper = stage.signatures.newSweeper({ tokens: tokens(), sweepGas })
  await asTokenOwner('unBlacklist')
  await sweeper.pass(never)
  const sent = await stage.db.read((tx) => tx.all(sql`select 1 from parked_shares where transaction_id is not null`))
  expect([sent, await stage.db.read(countParkedShares)]).toMatchObject([[], [{ count: 1 }]])
  await payAll({})
})

test('an unreadable splitter does not delay shares at others', async () => {
  await parkShare()
  // No contract exists there.
  const sweeper = stage.signatures.newSweeper({ splitter: `0x${'cd'.repeat(20)}` })
  await expect(sweeper.pass(never)).rejects.toThrow()
  expect(await stage.db.read(countParkedShares)).toMatchObject([{ network: 'devnet', count: 1 }])
  await payAll({})
})

test('a share held by a splitter for the platform is found, and paid when its wallet can receive again', async () => {
  const before = await held()
  await parkShare()
  await stage.signatures.newSweeper().pass(never)
  expect(await stage.db.read(countParkedShares)).toMatchObject([
    { network: 'devnet', count: 1, failing: 1, reason: 'Blacklistable: account is blacklisted' },
  ])
  await payAll({})
  expect((await held()) - before).toBe(shares.platform)
})

test('a share behind more than a pass attempts that cannot be read is paid in the next pass', async () => {
  const before = await held()
  await parkShare()
  const sweeper = stage.signatures.newSweeper()
  await sweeper.pass(never)
  await stage.db.write(async (tx) => {
    await tx.run(sql`update parked_shares set due_at_ms = 1`)
    for (let count = 0; count < 6; count++) {
      const share = {
        network: 'devnet',
        place: `0x${count}`,
        token: token(),
        recipient: '0x',
        paymentId: null,
        amount: 1n,
      }
      await saveParkedShare(tx, share, 0)
    }
    await tx.run(sql`update parked_shares set amount = 'x' where recipient = '0x'`)
  })
  await asTokenOwner('unBlacklist')
  for (let count = 0; count < 2; count++) await expect(sweeper.pass(never)).rejects.toThrow('BigInt')
  await stage.chain.mine({ blocks: confirmations })
  await sweeper.pass(never)
  expect((await held()) - before).toBe(shares.platform)
  await stage.db.write((tx) => tx.run(sql`delete from parked_shares where recipient = '0x'`))
})

test('a share paid externally stays in the books until its block is final', async () => {
  const { platform } = stage.wallets
  const token = (stage.network.tokens[0]?.address ?? '') as Hex
  const asTokenOwner = (functionName: 'blacklist' | 'unBlacklist') =>
    stage.send(
      { to: token, data: encodeFunctionData({ abi: testUsdc.abi, functionName, args: [platform] }) },
      stage.tokenOwner,
    )
  await asTokenOwner('blacklist')
  await stage.pay(await stage.create())
  await stage.chain.mine({ blocks: confirmations })
  const passDue = async () => {
    await stage.db.write((tx) => tx.run(sql`update parked_shares set due_at_ms = 0`))
    await stage.signatures.newSweeper().pass(never)
    return await stage.db.read(countParkedShares)
  }
  expect(await passDue()).toMatchObject([{ count: 1, failing: 1 }])
  await asTokenOwner('unBlacklist')
  await stage.send(encodePayParked({ splitter: stage.network.splitter as Hex, token, recipient: platform }))
  expect(await passDue()).toMatchObject([{ count: 1, failing: 1 }])
  await stage.chain.mine({ blocks: confirmations })
  expect(await passDue()).toEqual([])
})
