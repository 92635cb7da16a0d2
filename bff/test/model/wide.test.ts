import { sql } from '@stablecoin-checkout/bff/testing/db'
import { outcomeOf } from '@stablecoin-checkout/bff/testing/payment'
import { expect, test } from 'vitest'
import { balanceOf } from './service/contracts.ts'
import { masterWallet } from './service/deposit-kinds.ts'
import { rest } from './service/rest.ts'
import { createInvariants } from './service/service-invariants.ts'
import { enough, platformWallet, tokens } from './service/service-site.ts'
import { openWorld } from './service/service-world.ts'
import { loadWalletPayments } from './service/wallet-invariants.ts'
import { takeWide } from './service/wide-steps.ts'
import { takeSolanaWide } from './solana/solana-wide-steps.ts'
import { openSolanaWorld } from './solana/solana-world.ts'

/* Verifies that the wider lives' steps take effect: lives in which nothing is paid would prove nothing. */

const settings = { toleranceBps: 0, latePayments: 'report' } as const
const honest = [{ type: 'none' }, { type: 'none' }] as [{ type: 'none' }, { type: 'none' }]

test('a wallet payment is paid by its own call alone, by the watcher and by who names the transaction', async () => {
  const world = await openWorld(settings)
  try {
    for (const symbol of ['USDC', 'USDT'] as const)
      await takeWide(world, { type: 'create-wallet-payment', amount: 25, symbol })
    await takeWide(world, { type: 'split', called: [{ index: 0, call: 'less' }], payer: 0, beside: null })
    await takeWide(world, { type: 'split', called: [{ index: 0, call: 'stranger' }], payer: 0, beside: null })
    await takeWide(world, { type: 'split', called: [{ index: 1, call: 'before' }], payer: 1, beside: null })
    await world.chain.mine(1, 12)
    await world.pass('watcher', [])
    await world.chain.mine(8, 12)
    await takeWide(world, { type: 'process', index: 0, which: 0, faults: honest })
    await world.pass('watcher', [])
    expect((await loadWalletPayments(world)).map(outcomeOf)).toEqual(['pending', 'paid'])
    const [first, second] = world.walletPayments
    if (!first || !second) throw new Error('Two payments were made')
    expect(await world.processOwn(second)).toMatchObject({ status: 200 })
    expect(await world.processOwn(first), 'nothing has paid it').toBeUndefined()
  } finally {
    await world.end()
  }
})

test('a process that loses its lease during a pass writes nothing, and the other one does the work', async () => {
  const world = await openWorld({ ...settings, replicas: 2 })
  try {
    await world.create({ kind: 'plain', amount: 25, symbol: 'USDC' })
    world.pay([{ index: 0, part: 100, more: 0, isOther: false }], 0)
    await world.chain.mine(1, 12)
    world.setInterruption(async () => {
      await world.takeOver()
      expect(await world.pass('watcher', [])).toBe('done')
    })
    expect(await world.pass('watcher', [{ type: 'meanwhile', call: 2 }])).toMatchObject({
      message: 'Another replica now holds the lease "devnet".',
    })
    const seen = await world.read((tx) => tx.all(sql`select state from transfers`))
    expect(seen).toEqual([{ state: 'seen' }])
  } finally {
    await world.end()
  }
})

test('shares that the platform’s wallet rejects are parked at deposit and splitter, and paid once it accepts them', async () => {
  const world = await openWorld(settings)
  const inWallet = () => balanceOf(world.chain.tip().state, tokens.usdc, platformWallet)
  const work = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await world.chain.mine(8, 60)
      for (const worker of ['watcher', 'sweeper', 'sweeper'] as const) await world.pass(worker, [])
    }
  }
  try {
    await world.create({ kind: 'plain', amount: 25, symbol: 'USDC' })
    await takeWide(world, { type: 'create-wallet-payment', amount: 150, symbol: 'USDC' })
    await takeWide(world, { type: 'block-platform', isBlocked: true })
    const beside = world.paymentOf(0)
    world.split([{ index: 0, call: 'before' }], 0, beside)
    await work(3)
    expect(inWallet()).toBe(0n)
    const parked = await world.read((tx) => tx.all(sql`select amount from parked_shares order by amount`))
    expect(parked).toEqual([{ amount: '2250000' }, { amount: '375000' }])
    await takeWide(world, { type: 'block-platform', isBlocked: false })
    world.chain.wait(3_600)
    await work(3)
    expect(inWallet()).toBe(2_625_000n)
  } finally {
    await world.end()
  }
})

test('a payment is paid by the last block of its window, and not by the next one', async () => {
  const world = await openWorld(settings)
  try {
    for (const _ of [1, 2]) await world.create({ kind: 'plain', amount: 25, symbol: 'USDC' })
    await takeWide(world, { type: 'window-end', index: 0, seconds: 0, part: 100 })
    await takeWide(world, { type: 'window-end', index: 1, seconds: 1, part: 100 })
    await takeWide(world, { type: 'keep-logs-back', blocks: 6, passes: 1 })
    expect(await world.read((tx) => tx.all(sql`select status from payments order by number`))).toEqual([
      { status: 'pending' },
      { status: 'pending' },
    ])
    for (let pass = 0; pass < 3; pass += 1) {
      await world.chain.mine(8, 60)
      await world.pass('watcher', [])
    }
    const outcomes = await world.read((tx) => tx.all(sql`select status, received, late from payments order by number`))
    expect(outcomes).toEqual([
      { status: 'sweeping', received: '25000000', late: '0' },
      { status: 'expired', received: '0', late: '25000000' },
    ])
  } finally {
    await world.end()
  }
})

test.each(['xpub', 'virtual'] as const)(
  'a payment to an address of kind %s is settled by its transfer, and a reorg reverts it',
  async (deposits) => {
    const world = await openWorld({ ...settings, deposits })
    const books = () => world.read((tx) => tx.all(sql`select status, received, is_direct as direct from payments`))
    const watch = async () => {
      await world.chain.mine(8, 12)
      await world.pass('watcher', [])
    }
    try {
      await world.create({ kind: 'plain', amount: 25, symbol: 'USDC' })
      world.pay([{ index: 0, part: 100, more: 0, isOther: false }], 0)
      await world.chain.mine(1, 12)
      await world.pass('watcher', [])
      await world.reorg(1, 1, { kept: 0, place: 'first', isReversed: false })
      await world.pass('watcher', [])
      expect(await books()).toEqual([{ status: 'pending', received: '0', direct: 1 }])
      world.pay([{ index: 0, part: 100, more: 7, isOther: false }], 1)
      await watch()
      await world.restart()
      await watch()
      expect(await books()).toEqual([{ status: 'swept', received: '25000007', direct: 1 }])
      expect(await world.read((tx) => tx.all(sql`select payment_id from payouts`))).toEqual([])
      const wallet = deposits === 'virtual' ? masterWallet : (world.payments[0]?.address ?? '')
      const before = deposits === 'virtual' ? enough : 0n
      expect(balanceOf(world.chain.tip().state, tokens.usdc, wallet)).toBe(before + 25_000_007n)
      await createInvariants(world).checkAtRest()
    } finally {
      await world.end()
    }
  },
)

test('refunds from the merchant’s wallet are paid by call, by transfer and by an exchange, and not by a stranger', async () => {
  const world = await openWorld(settings)
  const paid = () => world.read((tx) => tx.all(sql`select status, paid from merchant_refunds order by number`))
  const pay = (index: number, door: 'call' | 'transfer' | 'exchange' | 'stranger', part: 50 | 100) =>
    takeWide(world, { type: 'pay-merchant-refunds', parts: [{ index, door, part, more: 0 }] })
  try {
    await world.create({ kind: 'plain', amount: 150, symbol: 'USDC' })
    world.pay([{ index: 0, part: 100, more: 0, isOther: false }], 0)
    await world.chain.mine(1, 12)
    await rest(world)
    for (const customer of [0, 1, 0])
      await takeWide(world, { type: 'request-merchant-refund', index: 0, part: 25, customer })
    await pay(0, 'call', 100)
    await pay(1, 'stranger', 100)
    await pay(1, 'transfer', 50)
    await pay(2, 'exchange', 100)
    await world.chain.mine(8, 12)
    await world.pass('watcher', [])
    expect(await paid()).toEqual([
      { status: 'paid', paid: '37500000' },
      { status: 'to_pay', paid: '18750000' },
      { status: 'to_pay', paid: '0' },
    ])
    await takeWide(world, { type: 'report-merchant-refund', index: 2, which: 0, faults: honest })
    expect((await paid())[2]).toEqual({ status: 'paid', paid: '37500000' })
    await takeWide(world, { type: 'cancel-merchant-refund', index: 1 })
    await pay(1, 'transfer', 50)
    await rest(world)
    expect((await paid())[1]).toEqual({ status: 'paid', paid: '37500000' })
    await createInvariants(world).checkAtRest()
  } finally {
    await world.end()
  }
})

test('payments open while the kind of address was changed, and changed back, are paid as created', async () => {
  const world = await openWorld(settings)
  try {
    for (const kind of ['forwarder', 'xpub', 'forwarder', 'xpub'] as const) {
      await takeWide(world, { type: 'deposits', kind })
      await world.create({ kind: 'plain', amount: 25, symbol: 'USDC' })
    }
    const kinds = () => world.payments.map(({ isDirect }) => isDirect)
    expect(kinds()).toEqual([false, true, false, true])
    for (const index of [0, 1, 2, 3]) world.pay([{ index, part: 100, more: 0, isOther: false }], 0)
    await world.chain.mine(1, 12)
    await rest(world)
    const paid = await world.read((tx) => tx.all<{ status: string }>(sql`select status from payments order by number`))
    expect(paid.map(({ status }) => status)).toEqual(['swept', 'swept', 'swept', 'swept'])
    const invariants = createInvariants(world)
    await invariants.check()
    await invariants.checkAtRest()
  } finally {
    await world.end()
  }
})

test('of two processes that receive one proof, one serves', async () => {
  const world = await openWorld({ ...settings, replicas: 2 })
  try {
    await world.createCharge(25)
    await world.signAndSend(0, 'service', false)
    await world.pass('sweeper', [])
    await world.chain.mine(1, 12)
    await world.pass('watcher', [])
    await world.chain.mine(8, 12)
    await world.pass('watcher', [])
    await world.presentTwice(0, 0, 0)
    await world.presentAgain(0, 0)
    expect(world.payments[0]?.served).toBe(1)
  } finally {
    await world.end()
  }
})

test('on Solana an honest proof is served once, a false one never, and a fork reverts what was not final', async () => {
  const world = await openSolanaWorld({ latePayments: 'report', takesSignatures: true })
  try {
    await takeSolanaWide(world, { type: 'charge' })
    const [payment] = world.payments
    if (!payment) throw new Error('A charge was made')
    for (const kind of ['unsigned', 'short', 'honest'] as const)
      await takeSolanaWide(world, { type: 'prove', index: 0, kind })
    await world.pass('sweeper', [])
    expect(await world.balanceOf(payment.address)).toBe(25_000_000n)
    await takeSolanaWide(world, { type: 'fork', blocks: 1, kept: 0 })
    expect(await world.balanceOf(payment.address)).toBe(0n)
    for (let round = 0; round < 3; round += 1) {
      // Sends again what did not land.
      world.wait(16)
      await world.pass('sweeper', [])
      world.advance(6)
      await world.pass('watcher', [])
      await world.pass('watcher', [])
      await takeSolanaWide(world, { type: 'present', index: 0, which: 2 })
    }
    expect(payment.proofs.map(({ statuses }) => statuses.includes(200))).toEqual([false, false, true])
    expect(payment.served).toBe(1)
  } finally {
    await world.end()
  }
})

test('on Solana a payment at the end of its window is judged by its canonical block, and a lagging node ends no window', async () => {
  const world = await openSolanaWorld({ latePayments: 'report' })
  try {
    for (const _ of [1, 2]) await world.create()
    world.advance(6)
    for (const worker of ['sweeper', 'watcher'] as const) await world.pass(worker, [])
    world.advance(6)
    const inTime = {
      type: 'window-end',
      index: 0,
      seconds: 0,
      units: 25_000_000,
      blocks: 1,
      forked: 0,
      kept: 0,
    } as const
    await takeSolanaWide(world, inTime)
    // A fork moves the second payment into a block after its window.
    const late = { ...inTime, index: 1, seconds: 1, blocks: 2, forked: 2, kept: 0xffff } as const
    await takeSolanaWide(world, late)
    world.wait(60)
    world.advance(8)
    await takeSolanaWide(world, { type: 'lag', worker: 'watcher', blocks: [8, 8] })
    const books = () => world.read((tx) => tx.all(sql`select status, received, late from payments order by number`))
    const paid = { status: 'sweeping', received: '25000000', late: '0' }
    expect(await books()).toEqual([paid, { status: 'pending', received: '0', late: '0' }])
    for (const _ of [1, 2]) await world.pass('watcher', [])
    expect(await books()).toEqual([paid, { status: 'expired', received: '0', late: '25000000' }])
  } finally {
    await world.end()
  }
})
