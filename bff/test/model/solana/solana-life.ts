import { strict as assert } from 'node:assert'
import { sharesOf } from '@stablecoin-checkout/bff/testing/chain'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import {
  canBePaidLate,
  type DepositPayment,
  isLateHeld,
  loadPayment,
  type Outcome,
  outcomeOf,
  refundableOf,
} from '@stablecoin-checkout/bff/testing/payment'
import fc from 'fast-check'
import { InvariantError, verify } from '../sentences.ts'
import type { Crash } from '../service/crashing-database.ts'
import type { SolanaFault } from './solana-node.ts'
import type { SolanaPayment } from './solana-proofs.ts'
import { type SolanaWideStep, solanaWideSteps, takeSolanaWide } from './solana-wide-steps.ts'
import { openSolanaWorld, type SolanaSettings, type SolanaWorld } from './solana-world.ts'

const a = <T extends string>(type: T) => fc.constant(type)
const index = fc.nat({ max: 3 })

const faults: fc.Arbitrary<SolanaFault> = fc.oneof(
  { arbitrary: fc.constant<SolanaFault>({ type: 'none' }), weight: 8 },
  { arbitrary: fc.constant<SolanaFault>({ type: 'down' }), weight: 1 },
  { arbitrary: fc.record({ type: a('fails'), call: fc.nat({ max: 9 }) }), weight: 2 },
  { arbitrary: fc.constant<SolanaFault>({ type: 'forgets' }), weight: 1 },
  { arbitrary: fc.constant<SolanaFault>({ type: 'says-expired' }), weight: 2 },
  { arbitrary: fc.constant<SolanaFault>({ type: 'swallows' }), weight: 1 },
)
const crash = fc.option(
  fc.record({ nth: fc.integer({ min: 1, max: 3 }), at: fc.constantFrom('inside' as const, 'after' as const) }),
  { nil: undefined, freq: 8 },
)

const weighted = [
  { arbitrary: fc.record({ type: a('create') }), weight: 2 },
  {
    arbitrary: fc.record({
      type: a('pay'),
      index,
      units: fc.constantFrom(25_000_000, 15_000_000, 15_000_000, 10_000_000, 10_000_000, 40_000_000, 1, 24_999_999),
    }),
    weight: 8,
  },
  { arbitrary: fc.record({ type: a('blocks'), count: fc.constantFrom(1, 2, 6, 6, 160) }), weight: 6 },
  { arbitrary: fc.record({ type: a('wait'), seconds: fc.constantFrom(16, 60, 901, 901, 4_000) }), weight: 3 },
  { arbitrary: fc.record({ type: a('tick') }), weight: 8 },
  { arbitrary: fc.record({ type: a('watch'), faults: fc.tuple(faults, faults), crash }), weight: 5 },
  { arbitrary: fc.record({ type: a('send'), faults: fc.tuple(faults, faults), crash }), weight: 7 },
  {
    arbitrary: fc.record({ type: a('refund'), index, byMerchant: fc.nat({ max: 3 }).map((number) => number === 0) }),
    weight: 4,
  },
  { arbitrary: fc.record({ type: a('accept'), index }), weight: 1 },
  { arbitrary: fc.record({ type: a('restart') }), weight: 1 },
  { arbitrary: fc.record({ type: a('flood') }), weight: 1 },
] as const

type StepOf<A> = A extends fc.Arbitrary<infer T> ? T : never
export type SolanaStep = StepOf<(typeof weighted)[number]['arbitrary']> | SolanaWideStep
export type SolanaLife = { settings: SolanaSettings; steps: readonly SolanaStep[] }

/** Unpaid creates of a stranger: slightly fewer than the default limit allows per minute. */
const floodCreates = 40

type Weighted = readonly { arbitrary: fc.Arbitrary<SolanaStep>; weight: number }[]

/** Each life omits half of the possible steps, so that the others meet more often. */
const always: readonly string[] = ['create', 'pay', 'tick', 'send', 'refund', 'wait']

export function arbitrarySolanaLives(
  stepsMax: number,
  without: readonly string[] = [],
  more: Weighted = [],
): fc.Arbitrary<SolanaLife> {
  const all = [...(weighted as Weighted), ...more].map((one) => ({
    ...one,
    type: fc.sample(one.arbitrary, { numRuns: 1, seed: 1 })[0]?.type ?? '',
  }))
  const chosen = fc.record({
    latePayments: fc.constantFrom('report' as const, 'accept' as const),
    omitted: fc.nat({ max: 0xffff }),
  })
  return chosen.chain(({ latePayments, omitted }) => {
    const isOmitted = (type: string, place: number) =>
      without.includes(type) || (!always.includes(type) && ((omitted >> place) & 1) === 1)
    const some = all.map((one, place) => ({ ...one, weight: isOmitted(one.type, place) ? 0 : one.weight }))
    const others = fc.array(fc.oneof(...some), { minLength: 15, maxLength: stepsMax, size: 'max' })
    const steps = others.map((later): SolanaStep[] => [{ type: 'create' }, ...later])
    const settings = more.length === 0 ? { latePayments } : { latePayments, takesSignatures: true }
    return fc.record({ settings: fc.constant(settings), steps })
  })
}

/** Lives that combine forks, paid requests, frozen accounts and another configuration with the other steps. */
export const arbitraryWideSolanaLives = (stepsMax: number): fc.Arbitrary<SolanaLife> =>
  arbitrarySolanaLives(stepsMax, [], solanaWideSteps as Weighted)

async function take(world: SolanaWorld, step: SolanaStep): Promise<unknown> {
  switch (step.type) {
    case 'create':
      return await world.create()
    case 'pay':
      return await world.pay(step.index, BigInt(step.units))
    case 'blocks':
      return world.advance(step.count)
    case 'wait':
      return world.wait(step.seconds)
    case 'tick':
      return await round(world)
    case 'watch':
      return await world.pass('watcher', step.faults, step.crash as Crash | undefined)
    case 'send':
      return await world.pass('sweeper', step.faults, step.crash as Crash | undefined)
    case 'refund':
      return await world.requestRefund(step.index, step.byMerchant ?? false)
    case 'accept':
      return await world.acceptLate(step.index)
    case 'restart':
      return await world.restart()
    case 'flood':
      return await world.flood(floodCreates)
    default:
      return await takeSolanaWide(world, step)
  }
}

/** Finalizes what was sent and runs both workers, the watcher twice: it detects first and confirms then. */
async function round(world: SolanaWorld): Promise<Error | undefined> {
  let fault: Error | undefined
  world.advance(6)
  for (const worker of ['watcher', 'watcher', 'sweeper'] as const) {
    for (let passes = 0; passes < 4; passes += 1) {
      const end = await world.pass(worker, [])
      if (end instanceof Error) fault ??= end
      if (end !== 'more') break
    }
  }
  return fault
}

const loadAll = (world: SolanaWorld) =>
  world.read(async (tx) => {
    const stored: DepositPayment[] = []
    for (const { id } of world.payments) {
      const payment = await loadPayment(tx, id)
      assert.ok(payment?.mode === 'deposit')
      stored.push(payment)
    }
    return stored
  })

/** Rounds within which a sweep is sent whatever strangers do: three minutes. */
const promptRounds = 12

/** Paid deposits are swept within minutes; everything else due is done within a day. */
async function rest(world: SolanaWorld): Promise<void> {
  await world.setFrozen(false)
  // Quarantines of nodes, and blockhashes, end in this time.
  world.wait(400)
  world.advance(160)
  for (let rounds = 0; rounds < promptRounds; rounds += 1) {
    const fault = await round(world)
    verify(7, fault === undefined || rounds < 2, () => String(fault?.message))
    world.wait(16)
  }
  for (const { id, sweep, status } of await loadAll(world)) {
    const isSwept = outcomeOf({ status } as DepositPayment) !== 'paid' || sweep === 'confirmed'
    verify(11, isSwept, () => `${id} is paid, and its sweep is ${sweep}`)
  }
  for (let rounds = 0; rounds < 12; rounds += 1) {
    world.wait(rounds < 4 ? 3_600 : 3 * 3_600)
    world.advance(160)
    await round(world)
    await round(world)
  }
}

async function checkAtRest(world: SolanaWorld): Promise<void> {
  let settledByAll = 0n
  for (const [place, books] of (await loadAll(world)).entries()) {
    const payment = world.payments[place] as SolanaPayment
    const { id, address, refundTo, before, due } = payment
    const { total: paidIn, inTime, signatures } = await world.creditsOf(payment)
    const there = await world.balanceOf(address)
    const refunded = refundTo === null ? 0n : (await world.balanceOf(refundTo)) - before
    const settled = paidIn - there - refunded
    settledByAll += settled
    verify(8, books.received + books.late === paidIn, () => `${id}: ${paidIn} came, not ${books.received + books.late}`)
    const isSplit = books.closedAs !== null || books.acceptedUntilMs !== null
    verify(8, isSplit || books.received === inTime, () => `${id}: ${inTime} came in time, not ${books.received}`)
    verify(9, books.refunded === refunded, () => `${id}: ${refunded} went back, not ${books.refunded}`)
    verify(9, (books.sweep === 'confirmed') === settled > 0n, () => `${id}: ${settled} were swept, ${books.sweep}`)
    const isPaid = outcomeOf(books) === 'paid'
    verify(10, !isPaid || settled >= due, () => `${id}: ${books.status}, ${settled} settled`)
    const owed = isLateHeld(books) ? there - due : there
    verify(11, books.refundAddress === null || owed <= 0n, () => `${id} (${books.status}): ${there} are still there`)
    const { merchant, fee } = sharesOf(books)
    verify(12, merchant + fee === settled, () => `${id}: export says ${merchant + fee}, ${settled} were settled`)
    await checkProofs(world, payment, signatures)
    verify(12, refundableOf(books) === there, () => `${id}: ${refundableOf(books)} are owed, ${there} are there`)
  }
  const wallets = await Promise.all(Object.values(world.wallets).map(world.balanceOf))
  const inWallets = wallets.reduce((sum, one) => sum + one, 0n)
  verify(9, inWallets === settledByAll, () => `the wallets have ${inWallets}, not ${settledByAll}`)
}

/** Presents every proof that moved money once more. */
async function checkProofs(world: SolanaWorld, payment: SolanaPayment, signatures: ReadonlySet<string>): Promise<void> {
  if (!payment.charge) return
  let isTheirs = false
  for (const proof of payment.proofs) {
    if (!proof.isHonest || !signatures.has(proof.customerSignature)) continue
    isTheirs = true
    const { status, body } = await world.presentProof(payment, payment.charge, proof)
    const { code = '', message = '' } = body as { code?: string; message?: string }
    const isDenied = ['AUTHORIZATION_USED', 'TRANSFER_REFUSED'].includes(code) || /nothing was paid/.test(message)
    verify(6, !isDenied, () => `${payment.id}: ${status} ${code} ${message}`)
  }
  verify(15, !isTheirs || payment.served === 1, () => `${payment.id} was served ${payment.served} times`)
}

/** Runs a life on Solana. @throws {InvariantError} with the last steps. */
export async function liveOnSolana({ settings, steps }: SolanaLife): Promise<void> {
  const world = await openSolanaWorld(settings)
  const finals = new Map<string, { outcome: Outcome; canMove: boolean }>()
  const taken: SolanaStep[] = []
  const check = async () => {
    type Row = { id: string; state: string; is_late: number; amount: string }
    const transfers = await world.read((tx) =>
      tx.all<Row>(sql`select payment_id as id, state, is_late, amount from transfers`),
    )
    for (const stored of await loadAll(world)) {
      const own = transfers.filter(({ id, state }) => id === stored.id && state === 'confirmed')
      const sumOf = (isLate: number) =>
        own.filter((one) => one.is_late === isLate).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      verify(2, stored.received === sumOf(0) && stored.late === sumOf(1), () => stored.id)
      const outcome = outcomeOf(stored)
      const before = finals.get(stored.id)
      const isKept = !before || before.outcome === outcome || before.canMove || stored.lateTaken
      verify(3, isKept, () => `${stored.id} was ${before?.outcome} and is ${outcome}`)
      if (outcome !== 'pending') finals.set(stored.id, { outcome, canMove: canBePaidLate(stored) })
    }
    for (const { id, served, proofs } of world.payments) {
      verify(5, served <= 1, () => `${id} was served ${served} times`)
      const isForged = proofs.some(({ isHonest, statuses }) => !isHonest && statuses.includes(200))
      verify(16, !isForged, () => id)
    }
  }
  try {
    for (const step of steps) {
      taken.push(step)
      await take(world, step)
      await check()
    }
    await rest(world)
    await check()
    await checkAtRest(world)
  } catch (error) {
    if (error instanceof InvariantError) error.tell(taken)
    throw error
  } finally {
    await world.end()
  }
}
