import fc from 'fast-check'
import type { NodeFault } from './evm-node.ts'
import { refundDoors } from './merchant-refunds.ts'
import type { World } from './service-world.ts'
import { splitCalls } from './wallet-payments.ts'

/*
 * Steps in addition to those of `service-life.ts`. They are a separate list, so that a seed of the narrower lives still produces
 * the same life.
 */

const a = <T extends string>(type: T) => fc.constant(type)
const index = fc.nat({ max: 3 })

/** @param faults - One node's faults. */
export const wideSteps = (faults: fc.Arbitrary<NodeFault>) =>
  [
    {
      arbitrary: fc.record({
        type: a('create-wallet-payment'),
        amount: fc.constantFrom(25, 25, 150),
        symbol: fc.constantFrom('USDC' as const, 'USDT' as const),
      }),
      weight: 3,
    },
    {
      arbitrary: fc.record({
        type: a('split'),
        called: fc.array(
          fc.record({
            index,
            call: fc.constantFrom(...splitCalls, 'plain' as const, 'before' as const, 'before' as const),
          }),
          { minLength: 1, maxLength: 2 },
        ),
        payer: fc.nat({ max: 2 }),
        /** A deposit paid by the same transaction; null: none. */
        beside: fc.option(fc.nat({ max: 7 }), { nil: null, freq: 3 }),
      }),
      weight: 8,
    },
    {
      arbitrary: fc.record({
        type: a('process'),
        index,
        which: fc.constantFrom(0, 0, 0, 1, 2),
        faults: fc.tuple(faults, faults),
      }),
      weight: 6,
    },
    { arbitrary: fc.record({ type: a('fail-wallet-payment'), index }), weight: 1 },
    { arbitrary: fc.record({ type: a('door'), place: fc.nat({ max: 1 }) }), weight: 2 },
    {
      arbitrary: fc.record({
        type: a('take-over-amid'),
        worker: fc.constantFrom('watcher' as const, 'sweeper' as const),
        call: fc.nat({ max: 12 }),
        /** Workers of the process that takes over, which run before the other process continues. */
        next: fc.array(fc.constantFrom('watcher' as const, 'sweeper' as const), { maxLength: 3 }),
      }),
      weight: 5,
    },
    {
      arbitrary: fc.record({ type: a('present-twice'), index, which: fc.nat({ max: 2 }), call: fc.nat({ max: 9 }) }),
      weight: 3,
    },
    { arbitrary: fc.record({ type: a('pause-token'), isPaused: fc.boolean() }), weight: 2 },
    { arbitrary: fc.record({ type: a('block-refund-address'), index }), weight: 1 },
    { arbitrary: fc.record({ type: a('accept-wallet-payment'), index }), weight: 1 },
    { arbitrary: fc.record({ type: a('block-platform'), isBlocked: fc.boolean() }), weight: 3 },
    {
      arbitrary: fc.record({
        type: a('keep-logs-back'),
        /** Blocks whose logs no node has, in any pass. */
        blocks: fc.constantFrom(1, 6, 12),
        passes: fc.integer({ min: 1, max: 3 }),
      }),
      weight: 2,
    },
    {
      arbitrary: fc.record({
        type: a('deposits'),
        kind: fc.constantFrom('forwarder' as const, 'xpub' as const, 'xpub' as const),
      }),
      weight: 2,
    },
    {
      arbitrary: fc.record({
        type: a('window-end'),
        index: fc.nat({ max: 7 }),
        /** Time of the next block, relative to the end of the payment's window. */
        seconds: fc.integer({ min: -2, max: 2 }),
        part: fc.constantFrom(100, 100, 50),
      }),
      weight: 4,
    },
    { arbitrary: fc.record({ type: a('hide-splits') }), weight: 2 },
    {
      arbitrary: fc.record({
        type: a('request-merchant-refund'),
        index: fc.nat({ max: 7 }),
        /** Hundredths of the amount due; null: all that is left. */
        part: fc.constantFrom(null, 100, 50, 50, 25, 4),
        customer: fc.nat({ max: 1 }),
      }),
      weight: 6,
    },
    {
      arbitrary: fc.record({
        type: a('pay-merchant-refunds'),
        parts: fc.array(
          fc.record({
            index: fc.nat({ max: 7 }),
            door: fc.constantFrom(...refundDoors, 'transfer' as const, 'call' as const),
            part: fc.constantFrom(100, 100, 100, 50, 150),
            more: fc.constantFrom(0, 0, 0, 1),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      weight: 10,
    },
    { arbitrary: fc.record({ type: a('cancel-merchant-refund'), index: fc.nat({ max: 7 }) }), weight: 3 },
    {
      arbitrary: fc.record({
        type: a('report-merchant-refund'),
        index: fc.nat({ max: 7 }),
        which: fc.constantFrom(0, 0, 1, 2),
        faults: fc.tuple(faults, faults),
      }),
      weight: 4,
    },
  ] as const

type StepOf<A> = A extends fc.Arbitrary<infer T> ? T : never
export type WideStep = StepOf<ReturnType<typeof wideSteps>[number]['arbitrary']>

export async function takeWide(world: World, step: WideStep): Promise<void> {
  switch (step.type) {
    case 'create-wallet-payment':
      return await world.createWalletPayment(step.amount, step.symbol)
    case 'split':
      return world.split(step.called, step.payer, step.beside === null ? [] : world.paymentOf(step.beside))
    case 'process':
      return await world.process(step.index, step.which, step.faults)
    case 'fail-wallet-payment':
      return await world.failWalletPayment(step.index)
    case 'pause-token':
      return world.setPaused(step.isPaused)
    case 'block-refund-address':
      return world.blockRefundAddress(step.index)
    case 'door':
      return world.setDoor(step.place)
    case 'take-over-amid': {
      world.setInterruption(async () => {
        await world.takeOver()
        for (const worker of step.next) await world.pass(worker, [])
      })
      return void (await world.pass(step.worker, [{ type: 'meanwhile', call: step.call }]))
    }
    case 'present-twice':
      return await world.presentTwice(step.index, step.which, step.call)
    case 'accept-wallet-payment':
      return await world.acceptLateWalletPayment(step.index)
    case 'block-platform':
      return world.setPlatformBlocked(step.isBlocked)
    case 'keep-logs-back':
      return await world.keepLogsBack(step.blocks, step.passes)
    case 'deposits':
      return await world.setDeposits(step.kind)
    case 'window-end':
      return await world.payAtWindowEnd(step.index, step.seconds, step.part)
    case 'hide-splits':
      return void (await world.pass('watcher', [{ type: 'hides-splits' }, { type: 'hides-splits' }]))
    case 'request-merchant-refund': {
      const payment = world.anyPayment(step.index)
      return payment && (await world.requestMerchantRefund(payment, step.part, step.customer))
    }
    case 'pay-merchant-refunds':
      return world.payMerchantRefunds(step.parts)
    case 'cancel-merchant-refund':
      return await world.cancelMerchantRefund(step.index)
    case 'report-merchant-refund':
      return await world.reportMerchantRefund(step.index, step.which, step.faults)
    default:
      return step satisfies never
  }
}
