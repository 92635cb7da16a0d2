import { sharesOf } from '@stablecoin-checkout/bff/testing/chain'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import { readSplitLog } from '@stablecoin-checkout/bff/testing/evm'
import {
  type ContractPayment,
  canBePaidLate,
  loadPayment,
  type Outcome,
  outcomeOf,
} from '@stablecoin-checkout/bff/testing/payment'
import { verify } from '../sentences.ts'
import { chainId } from './contracts.ts'
import { merchantWallet } from './service-site.ts'
import type { World } from './service-world.ts'
import { splitter } from './splitter.ts'
import type { WalletPayment } from './wallet-payments.ts'

type TransferRow = { payment_id: string; amount: string; state: 'seen' | 'confirmed' | 'reverted'; is_late: number }

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

/** The first word of a `PaymentSplit`: what the recipients received. */
const receivedOf = (data: string) => BigInt(data.slice(0, 66))

/** What merchant and platform received through the splitter, for any payment and terms. */
export function sharesOfSplits({ chain }: World): { merchant: bigint; platform: bigint } {
  const shares = { merchant: 0n, platform: 0n }
  for (const log of chain.blocks.flatMap(({ logs }) => logs)) {
    if (log.address !== splitter) continue
    const split = readSplitLog(chainId, log)
    if (!split) continue
    const { received, details } = split
    const platform = (received * details.recipient2Percentage) / 10_000n
    shares.platform += platform
    if (details.recipient1.toLowerCase() === merchantWallet.toLowerCase()) shares.merchant += received - platform
  }
  return shares
}

/** What reached a wallet payment's recipients, by its block's clock. */
function splitsOf({ chain }: World, { termsHash, windowEndsAtMs }: WalletPayment) {
  const found = chain.blocks.flatMap(({ logs, timeMs }) =>
    logs
      .filter(({ address, topics }) => address === splitter && topics[2] === termsHash)
      .map(({ data }) => ({ amount: receivedOf(data), isInTime: timeMs <= windowEndsAtMs })),
  )
  return {
    total: sum(found.map(({ amount }) => amount)),
    inTime: sum(found.filter(({ isInTime }) => isInTime).map(({ amount }) => amount)),
  }
}

export const loadWalletPayments = (world: World): Promise<ContractPayment[]> =>
  world.read(async (tx) => {
    const stored: ContractPayment[] = []
    for (const { id } of world.walletPayments) stored.push((await loadPayment(tx, id)) as ContractPayment)
    return stored
  })

/** Remembers earlier states, to judge the changes between steps. */
export function createWalletInvariants(world: World) {
  const finals = new Map<string, { outcome: Outcome; canMove: boolean }>()

  return {
    /** Checks after each step. */
    async check(): Promise<void> {
      if (world.walletPayments.length === 0) return
      const { transfers, events } = await world.read(async (tx) => ({
        transfers: await tx.all<TransferRow>(sql`select payment_id, amount, state, is_late from transfers`),
        events: await tx.all<{ payment_id: string; sequence: number }>(
          sql`select payment_id, sequence from events order by number`,
        ),
      }))
      for (const stored of await loadWalletPayments(world)) {
        const { id } = stored
        const own = transfers.filter((one) => one.payment_id === id && one.state !== 'reverted')
        const of = (isLate: number, states: readonly string[]) =>
          sum(
            own.filter((one) => one.is_late === isLate && states.includes(one.state)).map((one) => BigInt(one.amount)),
          )
        const sums = { seen: of(0, ['seen', 'confirmed']), received: of(0, ['confirmed']), late: of(1, ['confirmed']) }
        for (const name of ['seen', 'received', 'late'] as const)
          verify(2, stored[name] === sums[name], () => `${id}: ${name} is ${stored[name]}, not ${sums[name]}`)
        const outcome = outcomeOf(stored)
        const before = finals.get(id)
        const isKept = !before || before.outcome === outcome || before.canMove || stored.lateTaken
        verify(3, isKept, () => `${id} was ${before?.outcome} and is ${outcome}`)
        if (outcome !== 'pending') finals.set(id, { outcome, canMove: canBePaidLate(stored) })
        const numbers = events.filter((one) => one.payment_id === id).map(({ sequence }) => Number(sequence))
        const isWhole = numbers.length === stored.sequence && numbers.every((one, index) => one === index + 1)
        verify(4, isWhole, () => `${id}: ${numbers.join()} of ${stored.sequence}`)
      }
    },

    /** Checks once an honest node has shown everything and nothing is left to do. */
    async checkAtRest(): Promise<void> {
      const stored = await loadWalletPayments(world)
      for (const [index, payment] of world.walletPayments.entries()) {
        const books = stored[index]
        if (!books) continue
        const { id, due } = payment
        const { total, inTime } = splitsOf(world, payment)
        verify(
          8,
          books.received + books.late === total,
          () => `${id}: ${total} came, not ${books.received + books.late}`,
        )
        const isSplit = books.closedAs !== null || books.acceptedUntilMs !== null
        verify(8, isSplit || books.received === inTime, () => `${id}: ${inTime} came in time, not ${books.received}`)
        const isPaid = outcomeOf(books) === 'paid'
        verify(10, !isPaid || total >= due, () => `${id}: ${books.status}, ${total} reached the recipients`)
        verify(
          17,
          isPaid || inTime < due || books.closedAs !== null,
          () => `${id} is ${books.status}, ${inTime} came in time`,
        )
        const { merchant, fee } = sharesOf(books)
        verify(12, merchant + fee === (isPaid ? total : 0n), () => `${id}: export says ${merchant + fee} of ${total}`)
        const answer = await world.processOwn(payment)
        verify(6, answer === undefined || !isPaid || answer.status === 200, () => `${id}: ${JSON.stringify(answer)}`)
      }
    },
  }
}
