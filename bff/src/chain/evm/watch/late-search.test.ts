import { confirmations } from '@stablecoin-checkout/rig/contract-stage'
import { daySeconds, hourSeconds, openLateStage, passesMax } from '@stablecoin-checkout/rig/late-stage'
import type { Hex } from 'viem'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { type Db, sql } from '../../../db/db.ts'
import { DatabaseUnavailableError } from '../../../db/unavailable.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { saveToken } from '../../../payment/store/token-store.ts'
import { createEvmAdapter, type EvmAdapter } from '../rpc/evm-adapter.ts'

const { signal } = new AbortController()

const late = await openLateStage()
const { stage, node, heads, headNumber, travel, watch, settleDown, startScanner, passAll, round } = late
const { endedDeposits, pay, load } = late
afterEach(() => node.mend())
afterAll(() => late.close())

/** A scanner of a node that omits all logs, and the ranges of blocks for which it asked. */
function startBlind() {
  const ranges: { from: number; to: number }[] = []
  const transfers: EvmAdapter['transfers'] = async ({ from, to }) => {
    ranges.push({ from, to })
    return []
  }
  return { scanner: startScanner({ adapter: { transfers } }), ranges }
}

/** A scanner whose node refuses the ranges that `isRefused` names, and the blocks per query in order. */
function startRefused(isRefused: (from: number, to: number) => boolean) {
  const read: { from: number; to: number }[] = []
  const asked: number[] = []
  const transfers: EvmAdapter['transfers'] = async (range, signal) => {
    const { from, to } = range
    asked.push(to - from + 1)
    if (isRefused(from, to)) throw new Error('the node refuses these blocks')
    read.push({ from, to })
    return await stage.evm.transfers(range, signal)
  }
  return { scanner: startScanner({ adapter: { transfers } }), read, asked }
}

const setMetadata = (id: PaymentId, metadata: string | null) =>
  stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${id}`))

test('money in a block that was not confirmed when the round began is found by the next round', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await round()
  await travel(hourSeconds)
  await pay(deposit.address, 25_000_000n)
  await stage.chain.mine({ blocks: 1 })
  await watch()
  await passAll(startScanner())
  expect(await load(deposit.id)).toMatchObject({ late: 0n })
  await settleDown()
  await round()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('the first search begins where the watch of the oldest deposit ended, and a repeated one before the creation', async () => {
  await round()
  await stage.db.write((tx) => tx.run(sql`delete from late_scans`))
  const createdAt = await headNumber()
  const [older] = await endedDeposits(1)
  if (!older) throw new Error('There are too few')
  const hash = await pay(older.address, 25_000_000n)
  const { blockNumber, blockHash } = await stage.chain.getTransactionReceipt({ hash })
  await stage.chain.mine({ blocks: 2 * stage.network.finalityBlocks })
  const [younger] = await endedDeposits(1)
  if (!younger) throw new Error('There are too few')
  await pay(younger.address, 24_000_000n)
  await settleDown()
  const { scanner, ranges } = startBlind()
  await round(scanner)
  expect(ranges).toHaveLength(1)
  expect(ranges[0]?.from).toBeGreaterThan(createdAt)
  expect(ranges[0]?.from).toBeLessThanOrEqual(Number(blockNumber))

  // The service's clock, which dates the payment, is ten minutes ahead of the chain's.
  const { timestamp } = await stage.chain.getBlock({ blockHash })
  const createdAtMs = (Number(timestamp) + 600) * 1_000
  await stage.db.write((tx) =>
    tx.run(sql`update payments set created_at_ms = ${createdAtMs} where id in ${[older.id, younger.id]}`),
  )
  await round()
  expect(await load(older.id)).toMatchObject({ late: 25_000_000n })
  expect(await load(younger.id)).toMatchObject({ late: 24_000_000n })
})

test('a search that would begin after the block of the balance reads that block alone', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const longerMs = 9 * daySeconds * 1_000
  await stage.db.write((tx) =>
    tx.run(sql`update payments set window_ends_at_ms = window_ends_at_ms + ${longerMs} where id = ${deposit.id}`),
  )
  await pay(deposit.address, 7_000_000n, 'USDT')
  await stage.chain.mine({ blocks: 120 })
  await travel(9 * daySeconds)
  await settleDown()
  await stage.db.write((tx) => tx.run(sql`delete from late_scans`))
  const read: number[][] = []
  const transfers: EvmAdapter['transfers'] = async ({ from, to }) => {
    read.push([from, to])
    return []
  }
  // The test chain keeps no old balances; nothing has changed since the block.
  const balances: EvmAdapter['balances'] = async (token, addresses, _, signal) =>
    await stage.evm.balances(token, addresses, await headNumber(), signal)
  // With so many confirmations, balances are read a hundred blocks before the head.
  await startScanner({ adapter: { transfers, balances }, confirmations: 240 }).pass(signal)
  const at = (heads.get('devnet')?.number ?? 0) - 100
  expect(read).toEqual([[at, at]])
  await round(startScanner({ adapter: { balances }, confirmations: 240 }))
  expect((await load(deposit.id)).unmatched).toMatchObject([{ currency: 'USDT', balance: 7_000_000n }])
})

test('a payment that cannot be read is scanned in the next round, and delays no other one', async () => {
  const [broken, own] = await endedDeposits(2)
  if (!broken || !own) throw new Error('There are too few')
  await pay(broken.address, 3_000_000n)
  await pay(own.address, 25_000_000n)
  await settleDown()
  await setMetadata(broken.id, '{')
  await round()
  expect(await load(own.id)).toMatchObject({ late: 25_000_000n })
  await setMetadata(broken.id, null)
  expect(await load(broken.id)).toMatchObject({ late: 0n })
  await round()
  expect(await load(broken.id)).toMatchObject({ late: 3_000_000n })
})

test('while the database is down, nothing counts as scanned', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  let isDown = false
  const balances: EvmAdapter['balances'] = async (token, ...rest) => {
    // The coin's balances are read last, just before the books.
    isDown = token === null
    return await stage.evm.balances(token, ...rest)
  }
  const fail = () => Promise.reject(new DatabaseUnavailableError())
  const db: Db = {
    ...stage.db,
    read: (work) => stage.db.read((tx) => work(isDown ? new Proxy(tx, { get: () => fail }) : tx)),
  }
  await travel(hourSeconds)
  await expect(startScanner({ db, adapter: { balances } }).pass(signal)).rejects.toThrow(DatabaseUnavailableError)
  await passAll(startScanner())
  await settleDown()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('a removed token whose contract is gone delays no search for other tokens', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const list = stage.network.tokens as EvmNetwork['tokens'][number][]
  const configured = [...list]
  const usdt = configured.find(({ symbol }) => symbol === 'USDT')
  if (!usdt) throw new Error('There is no USDT')
  await stage.db.write((tx) => Promise.resolve(saveToken(tx, 'devnet', usdt)))
  await pay(deposit.address, 7_000_000n, 'USDT')
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  const address = usdt.address as Hex
  const bytecode = (await stage.chain.getCode({ address })) ?? '0x'
  try {
    // In place: every part of the service reads this list.
    list.splice(0, list.length, ...configured.filter(({ symbol }) => symbol !== 'USDT'))
    await stage.chain.setCode({ address, bytecode: '0x' })
    await settleDown()
    await round()
  } finally {
    list.splice(0, list.length, ...configured)
    await stage.chain.setCode({ address, bytecode })
  }
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n, unmatched: [] })
})

test('while nodes refuse the balances of a configured token, its search is not over', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const usdt = stage.network.tokens.find(({ symbol }) => symbol === 'USDT')?.address.toLowerCase()
  const txId = await pay(deposit.address, 7_000_000n, 'USDT')
  await settleDown()
  let [isRefused, isSearched] = [true, false]
  const scanner = startScanner({
    adapter: {
      async transfers(...asked) {
        isSearched = true
        return await stage.evm.transfers(...asked)
      },
      async balances(token, ...asked) {
        if (isRefused && isSearched && token === usdt) throw new Error('execution reverted')
        return await stage.evm.balances(token, ...asked)
      },
    },
  })
  await travel(hourSeconds)
  expect(await scanner.pass(signal)).toBe(true)
  expect([isSearched, (await load(deposit.id)).unmatched]).toEqual([true, []])
  isRefused = false
  await passAll(scanner)
  expect((await load(deposit.id)).unmatched).toMatchObject([{ currency: 'USDT', balance: 7_000_000n, txId }])
})

test('a search goes on to its last block, also when a scan with an older head finds the same balance', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const before = await headNumber()
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  let isRefused = true
  const scanner = startScanner({
    adapter: {
      async transfers(...asked) {
        if (isRefused) throw new Error('the node refuses these blocks')
        return await stage.evm.transfers(...asked)
      },
      balances: async (token, addresses, _, signal) =>
        await stage.evm.balances(token, addresses, await headNumber(), signal),
    },
  })
  await travel(hourSeconds)
  await scanner.pass(signal)
  const head = late.heads.get('devnet')
  if (head === undefined) throw new Error('There is no head')
  late.heads.set('devnet', { ...head, number: before })
  await stage.db.write((tx) => tx.run(sql`update late_scans set began_at_ms = began_at_ms - 7200000`))
  await scanner.pass(signal)
  late.heads.set('devnet', head)
  isRefused = false
  await passAll(scanner)
  await settleDown()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('logs that one node omits are read from another in the next round', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const network = { ...stage.network, rpcUrls: [node.url, ...stage.network.rpcUrls] }
  const scanner = startScanner({ adapter: createEvmAdapter(network, { nowMs: Date.now, log: silentLog }) })
  await pay(deposit.address, 25_000_000n)
  await stage.chain.mine({ blocks: 20 })
  await settleDown()
  node.lie('eth_getLogs', () => [])
  await round(scanner)
  expect(await load(deposit.id)).toMatchObject({ late: 0n })
  await round(scanner)
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('logs of blocks that were replaced during the read are read again', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  let isReplaced = false
  const transfers: EvmAdapter['transfers'] = async () => {
    isReplaced = true
    return []
  }
  const block: EvmAdapter['block'] = async (number, signal) => {
    const found = await stage.evm.block(number, signal)
    return found && isReplaced ? { ...found, hash: `0x${'ee'.repeat(32)}` } : found
  }
  await travel(hourSeconds)
  await startScanner({ adapter: { transfers, block } }).pass(signal)
  await passAll(startScanner())
  await settleDown()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('a node that serves one block per query is asked for each block once', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  await travel(hourSeconds)
  const { scanner, read } = startRefused((from, to) => to > from)
  while (await scanner.pass(signal)) expect(read.length).toBeLessThan(3 * stage.network.finalityBlocks)
  for (const [index, { from }] of read.slice(1).entries()) expect(from).toBe((read[index]?.to ?? 0) + 1)
  expect(read.length).toBeGreaterThan(5)
  expect(read.at(-1)?.to).toBe((heads.get('devnet')?.number ?? 0) - confirmations + 1)
  await settleDown()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('after a refusal the ranges grow again, to at most 2,000 blocks and five queries a pass', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await round()
  await stage.chain.mine({ blocks: 5_000 })
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  await travel(hourSeconds)
  let isRefusing = true
  const { scanner, asked } = startRefused(() => isRefusing)
  await scanner.pass(signal)
  while (asked.at(-1) !== 1) await scanner.pass(signal)
  isRefusing = false
  asked.length = 0
  expect(await scanner.pass(signal)).toBe(true)
  expect(asked).toEqual([1, 2, 4, 8, 16])
  const failures = sql`select failures from late_searches where payment_id = ${deposit.id}`
  expect(await stage.db.read((tx) => tx.get(failures)), 'it is no longer behind others').toEqual({ failures: 0 })
  await passAll(scanner)
  expect(Math.max(...asked)).toBe(2_000)
  await settleDown()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('a search whose blocks the node refuses delays no search of other blocks, and includes what arrives until it is read', async () => {
  const [first, second] = await endedDeposits(2)
  if (!first || !second) throw new Error('There are too few')
  await pay(first.address, 20_000_000n)
  await settleDown()
  const lastGone = await headNumber()
  let isGone = true
  const { scanner } = startRefused((from) => isGone && from <= lastGone)
  await travel(hourSeconds)
  await scanner.pass(signal)
  await stage.chain.mine({ blocks: 2 * stage.network.finalityBlocks })
  await watch()
  await pay(first.address, 5_000_000n)
  await settleDown()
  // A round in which the search of the first deposit is still open.
  await travel(hourSeconds)
  await scanner.pass(signal)
  await stage.chain.mine({ blocks: 2 * stage.network.finalityBlocks })
  await pay(second.address, 25_000_000n)
  await settleDown()
  await travel(hourSeconds)
  for (let passes = 0; passes < passesMax; passes++) await scanner.pass(signal)
  await settleDown()
  expect(await load(second.id)).toMatchObject({ late: 25_000_000n })
  expect(await load(first.id)).toMatchObject({ late: 0n })
  isGone = false
  await passAll(scanner)
  await settleDown()
  expect(await load(first.id)).toMatchObject({ late: 25_000_000n })
})

test('a search that begins in blocks that the node refuses delays none that begins after them', async () => {
  const [old, recent] = await endedDeposits(2)
  if (!old || !recent) throw new Error('There are too few')
  await pay(old.address, 20_000_000n)
  await settleDown()
  await round(startBlind().scanner)
  const lastGone = await headNumber()
  await stage.chain.mine({ blocks: 2 * stage.network.finalityBlocks })
  await watch()
  await round(startBlind().scanner)
  await stage.chain.mine({ blocks: 2 * stage.network.finalityBlocks })
  await pay(recent.address, 25_000_000n)
  await settleDown()
  await round(startBlind().scanner)
  let isGone = true
  const { scanner } = startRefused((from) => isGone && from <= lastGone)
  await pay(recent.address, 1n)
  await settleDown()
  await travel(hourSeconds)
  for (let passes = 0; passes < passesMax; passes++) await scanner.pass(signal)
  await settleDown()
  expect(await load(recent.id)).toMatchObject({ late: 25_000_001n })
  expect(await load(old.id)).toMatchObject({ late: 0n })
  isGone = false
  await passAll(scanner)
  await settleDown()
  expect(await load(old.id)).toMatchObject({ late: 20_000_000n })
})

test('a token at the address of another network’s deposit is unmatched, although its address there is the payment’s token', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const networks = stage.networks as Map<string, EvmNetwork>
  networks.set('sibling', { ...stage.network, shortName: 'sibling' })
  await stage.db.write((tx) =>
    tx.run(sql`update payments set network = 'sibling', late = '25000000' where id = ${deposit.id}`),
  )
  await pay(deposit.address, 7_000_000n)
  await settleDown()
  await round()
  expect(await load(deposit.id)).toMatchObject({
    late: 25_000_000n,
    seen: 0n,
    unmatched: [{ network: 'devnet', currency: 'USDC', balance: 7_000_000n }],
  })
})
