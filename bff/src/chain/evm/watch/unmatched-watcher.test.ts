import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { times } from '@stablecoin-checkout/rig/nightly'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { baseUnits } from '../../../core/money.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { type Db, sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import type { SeenTransfer, TransferRange } from '../../chain-adapter.ts'
import { createUnmatchedWatcher } from './unmatched-watcher.ts'
import { createWatcher } from './watcher.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const startMs = 1_700_000_000_000
const hourMs = 3_600_000
const usdt = '0x00000000000000000000000000000000000000dd'
const token = (symbol: string, address: string) => ({ symbol, address, decimals: 6 }) as EvmNetwork['tokens'][number]
const networkOf = (shortName: string, changes: Partial<EvmNetwork> = {}) =>
  ({
    ...{ family: 'evm', shortName, name: shortName, chainId: 1, confirmations: 3, finalityBlocks: 20, pollMs: 1_000 },
    ...{ factory: '0xF1', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
    tokens: [token('USDC', newPayment().tokenAddress), token('USDT', usdt)],
    ...changes,
  }) as EvmNetwork

let db: Db
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

const addressOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`
const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/** A simulated chain of numbers, and the calls made to it. */
function openChain(network: EvmNetwork, others: EvmNetwork[] = []) {
  const chain = {
    ...{ head: 1_000, fork: 'a', calls: [] as string[], transfers: [] as SeenTransfer[] },
    /** The node omits all logs. */
    isOmitting: false,
    /** A token whose contract does not respond. */
    silent: null as string | null,
    onLogs: () => {},
  }
  const balances = new Map<string, bigint>()
  const block = (number: number) => ({
    ...{ number, hash: `${number <= 990 ? 'a' : chain.fork}${number}`, parentHash: '' },
    timeMs: startMs + (number - 1_000) * 1_000,
  })
  const clock = { nowMs: startMs }
  const runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const ledger = createLedger(db, () => ({}))
  const adapter = {
    head: async () => {
      chain.calls.push('head')
      return block(chain.head)
    },
    block: async (number: number) => {
      chain.calls.push('block')
      return number > chain.head ? undefined : block(number)
    },
    transfers: async ({ from, to, few, findWatched, onProven }: TransferRange) => {
      chain.calls.push(`logs ${from}-${to} ${few?.length ?? 'all'}`)
      const found = chain.transfers.filter(
        ({ blockNumber }) => !chain.isOmitting && blockNumber >= from && blockNumber <= to,
      )
      chain.onLogs()
      await findWatched([...new Set(found.map(({ topic }) => topic))])
      if (found.length === 0 && to - from < 8) onProven?.()
      return found
    },
    balances: async (of: string | null, addresses: readonly string[]) => {
      chain.calls.push(`balances ${of === null ? 'coin' : 'token'} ${addresses.length}`)
      if (of !== null && of === chain.silent) throw new Error('execution reverted')
      return addresses.map((address) => balances.get(`${of ?? ''}${address}`) ?? 0n)
    },
  }
  const networks = new Map([network, ...others].map((one) => [one.shortName, one]))
  const deps = { db, ledger, adapter: adapter as never, network, networks, runtime, log: silent }
  const watcher = createUnmatchedWatcher(deps)
  return {
    ...{ chain, clock, ledger, watcher },
    pass: () => watcher.pass(new AbortController().signal),
    async deposits(count: number, on: string, firstIndex = 0): Promise<PaymentId[]> {
      const ids = Array.from({ length: count }, (_, index) => `${on}-${firstIndex + index}` as PaymentId)
      await db.write(async (tx) => {
        for (const [index, id] of ids.entries()) {
          const depositAddress = addressOf(firstIndex + index)
          const windowEndsAtMs = clock.nowMs + hourMs / 4
          await ledger.createIn(tx, newPayment({ id, network: on, depositAddress, windowEndsAtMs, sequence: 0 }))
        }
      })
      return ids
    },
    send(source: string | null, index: number, amount: bigint, blockNumber = chain.head - 1) {
      const key = `${source ?? ''}${addressOf(index)}`
      balances.set(key, (balances.get(key) ?? 0n) + amount)
      if (source === null) return
      const place = { blockNumber, blockHash: '', blockTimeMs: 0, network: network.shortName }
      const txId = `0x${chain.transfers.length}`
      const what = { txId, logIndex: 0, payer: '', amount: baseUnits(String(amount)), topic: topicOf(addressOf(index)) }
      chain.transfers.push({ ...place, ...what, source })
    },
    unmatched: async (id: PaymentId) => {
      const payment = await db.read((tx) => loadPayment(tx, id))
      return payment?.mode === 'deposit'
        ? payment.unmatched.map(({ currency, balance }) => `${balance} ${currency}`)
        : []
    },
  }
}

test('a pass costs the same calls for ten thousand deposits as for ten, and all coin balances are read in turn', async () => {
  const story = openChain(networkOf('devnet'))
  await story.deposits(10, 'devnet')
  await story.pass()
  story.chain.head += 5
  story.chain.calls.length = 0
  await story.pass()
  // The first blocks are too many for their filters to be compared: they are read a second time.
  const few = ['head', 'block', 'block', 'logs 999-1003 10', 'block', 'balances coin 10']
  expect(story.chain.calls).toEqual([...few, 'logs 1-998 10', 'block'])

  const ids = await story.deposits(9_990, 'devnet', 10)
  story.send(null, 9_999, 7n)
  story.chain.head += 5
  story.chain.calls.length = 0
  await story.pass()
  expect(story.chain.calls).toEqual([...few.slice(0, 3), 'logs 1004-1008 all', 'block', 'balances coin 500'])
  for (let pass = 0; pass < 20; pass++) await story.pass()
  expect(await story.unmatched(ids.at(-1) as PaymentId)).toEqual(['7 ETH'])
})

test('on a network’s first start, the money of an open deposit is found from its creation on, however long its window is', async () => {
  const { chain, ledger, send, pass, unmatched } = openChain(networkOf('devnet'))
  const id = 'across' as PaymentId
  const times = { createdAtMs: startMs - 500_000, windowEndsAtMs: startMs + 72 * hourMs }
  const deposit = newPayment({ id, network: 'devnet', depositAddress: addressOf(0), ...times, sequence: 0 })
  await db.write((tx) => ledger.createIn(tx, deposit))
  chain.head = 10_000
  send(usdt, 0, 7n, 600)
  for (let passes = 0; passes < 9; passes++) await pass()
  expect(await unmatched(id)).toEqual(['7 USDT'])
})

test('without deposits only the head is read, once a minute', async () => {
  const { pass, chain, clock } = openChain(networkOf('devnet'))
  for (let second = 0; second < 120; second++) {
    await pass()
    chain.head += 1
    clock.nowMs += 1_000
  }
  expect(chain.calls.filter((call) => call === 'head')).toHaveLength(2)
  expect(chain.calls.filter((call) => !['head', 'block'].includes(call))).toEqual([])
})

test('many small transfers to one address give one total, ten webhooks and a few calls', async () => {
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  await pass()
  const rounds = times(12, 100)
  for (let round = 0; round < rounds; round++) {
    for (let drop = 0; drop < 100; drop++) send(usdt, 0, 1n)
    chain.head += 1
    chain.calls.length = 0
    await pass()
    expect(chain.calls.length).toBeLessThan(13)
  }
  expect(await unmatched(id)).toEqual([`${rounds * 100} USDT`])
  const [{ events = 0, unmatched: rows = 0 } = {}] = await db.read((tx) =>
    tx.all<{ events: number; unmatched: number }>(sql`
      select (select count(*) from events where type = 'deposit.unmatched_received') as events, (select count(*) from unmatched_transfers) as unmatched`),
  )
  expect([events, rows]).toEqual([10, 1])
})

test('the payment’s token is matched on its own network, and unmatched on any other with the same factory', async () => {
  const others = [networkOf('sibling'), networkOf('stranger', { factory: '0xF2' })]
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'), others)
  const [own] = await deposits(1, 'devnet', 0)
  const [sibling] = await deposits(1, 'sibling', 1)
  const [stranger] = await deposits(1, 'stranger', 2)
  await pass()
  const usdc = newPayment().tokenAddress.toLowerCase()
  for (const index of [0, 1, 2]) send(usdc, index, 5n)
  for (const index of [0, 1, 2]) send(null, index, 6n)
  chain.head += 3
  await pass()
  expect(await unmatched(own as PaymentId)).toEqual(['6 ETH'])
  expect(await unmatched(sibling as PaymentId)).toEqual(['6 ETH', '5 USDC'])
  expect(await unmatched(stranger as PaymentId)).toEqual([])
})

test('a transfer that a reorg moves into a block already read is found', async () => {
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  await pass()
  chain.fork = 'b'
  send(usdt, 0, 5n, 994)
  chain.head += 1
  await pass()
  expect(await unmatched(id)).toEqual(['5 USDT'])
})

test('after a reorg, blocks are read again as deep as it can go', async () => {
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  for (let passes = 0; passes < 3; passes++) {
    await pass()
    chain.head += 2
  }
  chain.fork = 'b'
  send(usdt, 0, 5n, 991)
  await pass()
  expect(await unmatched(id)).toEqual(['5 USDT'])
})

test('logs of blocks that are replaced while they are read do not count', async () => {
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  await pass()
  chain.head += 5
  chain.isOmitting = true
  chain.onLogs = () => {
    chain.fork = 'b'
  }
  await expect(pass()).rejects.toThrow('was replaced during the read of its range')
  chain.isOmitting = false
  send(usdt, 0, 5n, 1_001)
  await pass()
  expect(await unmatched(id)).toEqual(['5 USDT'])
})

test('unmatched money that a reorg removes no longer counts', async () => {
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  await pass()
  chain.head += 3
  send(usdt, 0, 5n, chain.head - 2)
  await pass()
  expect(await unmatched(id)).toEqual(['5 USDT'])
  // Without a log: the balance alone has changed.
  send(usdt, 0, -5n, 0)
  chain.head += 1
  await pass()
  expect(await unmatched(id)).toEqual(['0 USDT'])
})

test('logs that a node omits from many blocks are found when these are read a second time, in a later pass', async () => {
  const { deposits, send, pass, chain, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  for (let passes = 0; passes < 3; passes++) {
    await pass()
    chain.head += 2
  }
  chain.head += 20
  send(usdt, 0, 5n, chain.head - 10)
  chain.isOmitting = true
  await pass()
  chain.isOmitting = false
  for (let passes = 0; passes < 3; passes++) {
    chain.head += 2
    await pass()
  }
  expect(await unmatched(id)).toEqual(['5 USDT'])
})

test('on a first start, money is found in blocks that the chain’s slow clock dates before the payment', async () => {
  const { ledger, send, pass, unmatched } = openChain(networkOf('devnet'))
  const id = 'slow clock' as PaymentId
  const times = { createdAtMs: startMs - 100_000, windowEndsAtMs: startMs + hourMs }
  const deposit = newPayment({ id, network: 'devnet', depositAddress: addressOf(0), ...times, sequence: 0 })
  await db.write((tx) => ledger.createIn(tx, deposit))
  send(usdt, 0, 7n, 860)
  await pass()
  expect(await unmatched(id)).toEqual(['7 USDT'])
})

test('a removed token that does not respond delays nothing, and a configured one is not passed over', async () => {
  const usdc = newPayment().tokenAddress.toLowerCase()
  const story = openChain(networkOf('devnet', { tokens: [token('USDT', usdt)] }), [networkOf('other')])
  await story.deposits(1, 'devnet')
  const [elsewhere = '' as PaymentId] = await story.deposits(1, 'other', 5)
  await story.pass()
  story.chain.head += 5
  for (const source of [usdc, usdt]) story.send(source, 5, 7n, story.chain.head - 3)
  story.chain.silent = usdt
  await expect(story.pass()).rejects.toThrow('execution reverted')
  expect(await story.unmatched(elsewhere)).toEqual([])
  story.chain.silent = usdc
  await story.pass()
  expect(await story.unmatched(elsewhere)).toEqual(['7 USDT'])
})

test('without deposits the head is also read after the host’s clock went back', async () => {
  const { pass, chain, clock } = openChain(networkOf('devnet'))
  await pass()
  clock.nowMs -= 2 * hourMs
  await pass()
  expect(chain.calls.filter((call) => call === 'head')).toHaveLength(2)
})

test('after a downtime, transfers are found in ranges that are halved when the node refuses them', async () => {
  const { deposits, send, pass, chain, clock, unmatched } = openChain(networkOf('devnet'))
  const [id = '' as PaymentId] = await deposits(1, 'devnet')
  await pass()
  send(usdt, 0, 5n, 3_500)
  chain.head += 7_000
  clock.nowMs += 7_000_000
  let passes = 1
  while (await pass()) passes += 1
  expect([passes, await unmatched(id)]).toEqual([4, ['5 USDT']])
})

test('after refusals, the ranges grow again', async () => {
  const { deposits, watcher, pass, chain, clock } = openChain(networkOf('devnet', { pollMs: 0 }))
  await deposits(1, 'devnet')
  await pass()
  chain.head += 7_000
  clock.nowMs += 7_000_000
  const stopping = new AbortController()
  let refusals = 0
  chain.calls.length = 0
  chain.onLogs = () => {
    if (refusals++ < 6) throw new Error('the node refuses these blocks')
    if (chain.calls.at(-1)?.includes(`-${chain.head - 2} `)) stopping.abort()
  }
  await watcher.run(stopping.signal)
  const sizes: number[] = []
  let next = 999
  for (const call of chain.calls) {
    const [, from, to] = /^logs (\d+)-(\d+)/.exec(call) ?? []
    // Excludes blocks that are read a second time.
    if (Number(from) !== next) continue
    sizes.push(Number(to) - next + 1)
    if (sizes.length > 6) next = Number(to) + 1
  }
  expect(sizes).toEqual([2_000, 1_000, 500, 250, 125, 62, 31, 62, 124, 248, 496, 992, 1_984, 2_000, 1_063])
})

test('a removed token is still found at deposit addresses', async () => {
  const story = openChain(networkOf('devnet', { tokens: [token('USDT', usdt)] }), [networkOf('other')])
  await story.deposits(1, 'devnet')
  const [elsewhere] = await story.deposits(1, 'other', 5)
  await story.pass()
  story.chain.head += 5
  story.send(newPayment().tokenAddress.toLowerCase(), 5, 7n, story.chain.head - 3)
  await story.pass()
  expect(await story.unmatched(elsewhere as PaymentId)).toEqual(['7 USDC'])
})

test('a token used by no payment is found after it was removed from the configuration', async () => {
  const network = networkOf('devnet')
  const ledger = createLedger(db, () => ({}))
  const adapter = {} as never
  const parts = { db, ledger, adapter, network, heads: createHeads(), runtime: systemRuntime, log: silent }
  await createWatcher(parts).resume()

  const story = openChain(networkOf('devnet', { tokens: [token('USDC', newPayment().tokenAddress)] }))
  const [id = '' as PaymentId] = await story.deposits(1, 'devnet')
  await story.pass()
  story.chain.head += 5
  story.send(usdt, 0, 7n, story.chain.head - 3)
  await story.pass()
  expect(await story.unmatched(id)).toEqual(['7 USDT'])
})

test('a payment that cannot be changed does not hide others’ unmatched money, and gets its own once it can be changed', async () => {
  const story = openChain(networkOf('devnet'))
  const [broken, well] = (await story.deposits(2, 'devnet')) as [PaymentId, PaymentId]
  const setMetadata = (metadata: string | null) =>
    db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${broken}`))
  await story.pass()
  await setMetadata('{')
  story.chain.head += 5
  story.send(usdt, 0, 7n, story.chain.head - 3)
  story.send(usdt, 1, 8n, story.chain.head - 3)
  await story.pass()
  expect(await story.unmatched(well)).toEqual(['8 USDT'])
  await setMetadata(null)
  story.chain.head += 1
  await story.pass()
  expect(await story.unmatched(broken)).toEqual(['7 USDT'])
})
