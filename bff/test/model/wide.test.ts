import { expect, test } from 'vitest'
import { sql } from '../../src/db/db.ts'
import { outcomeOf } from '../../src/payment/payment.ts'
import { openWorld } from './service/service-world.ts'
import { loadWalletPayments } from './service/wallet-invariants.ts'
import { takeWide } from './service/wide-steps.ts'
import { takeSolanaWide } from './solana/solana-wide-steps.ts'
import { openSolanaWorld } from './solana/solana-world.ts'

/*
 * That what the wider lives choose from does happen: lives in which nothing is paid would prove nothing.
 */

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

test('a process that loses its lease in the middle of a pass writes nothing, and the other one has done the work', async () => {
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
      message: 'The lease "devnet" is another replica\'s now.',
    })
    const seen = await world.read((tx) => tx.all(sql`select state from transfers`))
    expect(seen).toEqual([{ state: 'seen' }])
  } finally {
    await world.end()
  }
})

test('of two processes that are handed one proof, one serves', async () => {
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

test('on Solana an honest proof is served, once, a false one never, and a fork takes back what was not final', async () => {
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
      // What did not land is sent again.
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
