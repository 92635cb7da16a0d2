import { sharesOf } from '@stablecoin-checkout/bff/testing/chain'
import { type Db, sql, type Tx } from '@stablecoin-checkout/bff/testing/db'
import { reconcileNetwork } from '@stablecoin-checkout/bff/testing/ops'
import {
  canBePaidLate,
  type DepositPayment,
  isLateHeld,
  loadPayment,
  type MerchantId,
  type Outcome,
  outcomeOf,
  type PaymentId,
  refundableOf,
  refundsOfDue,
} from '@stablecoin-checkout/bff/testing/payment'
import { createMonths } from '@stablecoin-checkout/bff/testing/service'
import { verify } from '../sentences.ts'
import { balanceOf } from './contracts.ts'
import { masterWallet } from './deposit-kinds.ts'
import { arrived, keptAtAddresses, sum, verifyDirect } from './direct-invariants.ts'
import { createRefundInvariants } from './refund-invariants.ts'
import { merchantWallet, platformWallet, tokens } from './service-site.ts'
import type { World } from './service-world.ts'
import type { ModelPayment } from './signers.ts'
import { createWalletInvariants, loadWalletPayments, sharesOfSplits } from './wallet-invariants.ts'

type TransferRow = {
  payment_id: string
  tx_id: string
  log_index: number
  amount: string
  block_hash: string
  state: 'seen' | 'confirmed' | 'reverted'
  is_late: number
}
type EventRow = { payment_id: string; sequence: number }

async function load(tx: Tx, id: PaymentId): Promise<DepositPayment> {
  const payment = await loadPayment(tx, id)
  if (payment?.mode !== 'deposit') throw new Error(`There is no deposit ${id}`)
  return payment
}

const loadAll = (db: Db, payments: readonly ModelPayment[]) =>
  db.read(async (tx) => {
    const stored: DepositPayment[] = []
    for (const { id } of payments) stored.push(await load(tx, id))
    return stored
  })

/** Remembers earlier states, to judge the changes between steps. */
export function createInvariants(world: World) {
  const finals = new Map<string, { outcome: Outcome; canMove: boolean }>()
  const wallets = createWalletInvariants(world)
  const refunds = createRefundInvariants(world)

  function verifySums(stored: DepositPayment, transfers: readonly TransferRow[]): void {
    const own = transfers.filter((one) => one.payment_id === stored.id && one.state !== 'reverted')
    const of = (isLate: number, states: readonly string[]) =>
      sum(own.filter((one) => one.is_late === isLate && states.includes(one.state)).map((one) => BigInt(one.amount)))
    const sums = { seen: of(0, ['seen', 'confirmed']), received: of(0, ['confirmed']), late: of(1, ['confirmed']) }
    for (const name of ['seen', 'received', 'late'] as const) {
      verify(2, stored[name] === sums[name], () => `${stored.id}: ${name} is ${stored[name]}, not ${sums[name]}`)
    }
  }

  function verifyFinal(stored: DepositPayment): void {
    const outcome = outcomeOf(stored)
    const before = finals.get(stored.id)
    const isKept = !before || before.outcome === outcome || before.canMove || stored.lateTaken
    verify(3, isKept, () => `${stored.id} was ${before?.outcome} and is ${outcome}`)
    if (outcome !== 'pending') finals.set(stored.id, { outcome, canMove: canBePaidLate(stored) })
  }

  return {
    /** Checks after each step. */
    async check(): Promise<void> {
      const { payments, chain } = world
      const { transfers, events } = await world.read(async (tx) => ({
        transfers: await tx.all<TransferRow>(sql`
            select payment_id, tx_id, log_index, amount, block_hash, state, is_late from transfers`),
        events: await tx.all<EventRow>(sql`select payment_id, sequence from events order by number`),
      }))
      const keys = new Set<string>()
      const hashes = new Set(chain.blocks.map(({ hash }) => hash as string))
      for (const { tx_id, log_index, block_hash, state } of transfers) {
        if (state === 'reverted') continue
        const key = `${tx_id}:${log_index}:${block_hash}`
        verify(1, !keys.has(key), () => `${key} counts twice`)
        keys.add(key)
        verify(1, state !== 'confirmed' || hashes.has(block_hash), () => `${key} is confirmed and in no block`)
      }
      for (const stored of await loadAll(world.db(), payments)) {
        verifySums(stored, transfers)
        verifyFinal(stored)
        const numbers = events.filter((one) => one.payment_id === stored.id).map(({ sequence }) => Number(sequence))
        const isWhole = numbers.length === stored.sequence && numbers.every((one, index) => one === index + 1)
        verify(4, isWhole, () => `${stored.id}: ${numbers.join()} of ${stored.sequence}`)
      }
      const addresses = payments.map(({ address }) => address.toLowerCase())
      verify(18, new Set(addresses).size === addresses.length, () => addresses.join())
      for (const payment of payments) {
        verify(5, payment.served <= 1, () => `${payment.id} was served ${payment.served} times`)
        const isForged = payment.proofs.some(({ isGarbage, statuses }) => isGarbage && statuses.includes(200))
        verify(16, !isForged, () => payment.id)
        const came = () => arrived(world, payment).total
        verify(5, payment.served === 0 || came() >= payment.least, () => `${payment.id} was served for ${came()}`)
      }
      await wallets.check()
      await refunds.check()
    },

    /** Checks once an honest node has shown everything and nothing is left to do: the records match the chain. */
    async checkAtRest(): Promise<void> {
      const { payments, chain } = world
      const stored = await loadAll(world.db(), payments)
      for (const [index, payment] of payments.entries()) {
        const books = stored[index]
        if (!books) continue
        const { id } = payment
        const { inTime, total } = arrived(world, payment)
        const counted = books.received + books.late
        verify(8, counted === total, () => `${id}: ${total} came, the books have ${counted}`)
        const isSplit = books.closedAs !== null || books.acceptedUntilMs !== null || payment.bridge !== null
        verify(8, isSplit || books.received === inTime, () => `${id}: ${inTime} came in time, not ${books.received}`)
        if (books.isDirect) {
          verifyDirect(world, payment, books)
          continue
        }
        const left = leftAddress(world, payment)
        const there = balanceOf(chain.tip().state, payment.token, payment.address)
        verify(9, total === left.settled + left.refunded + there, () => `${id}: ${total} in, ${there} there`)
        verify(9, books.refunded === left.refunded, () => `${id}: ${left.refunded} went back, not ${books.refunded}`)
        verify(9, (books.sweep === 'confirmed') === left.settled > 0n, () => `${id}: sweep is ${books.sweep}`)
        const isPaid = outcomeOf(books) === 'paid'
        verify(10, !isPaid || left.settled >= payment.least, () => `${id}: ${books.status}, ${left.settled} settled`)
        verify(11, books.refunding === 0n, () => `${id}: ${books.refunding} on its way`)
        const owed = isLateHeld(books) ? there - payment.due : there
        const isDone = books.refundAddress === null || owed <= 0n
        verify(11, isDone, () => `${id} (${books.status}, refund ${books.refund}): ${there} are still there`)
        const shares = sharesOf(books)
        const exported = shares.merchant + shares.fee
        verify(12, exported === left.settled, () => `${id}: export says ${exported}, ${left.settled} were settled`)
        const owedSays = refundableOf(books)
        verify(12, owedSays === there, () => `${id}: ${owedSays} are owed to the payer, ${there} are there`)
        verifyBridge(world, payment, books)
      }
      await wallets.checkAtRest()
      await refunds.checkAtRest()
      await verifyMonth(world, stored)
      await verifyReconciled(world)
      await verifyProofs(world, stored)
    },
  }
}

/** What left the address: to merchant and platform, and to anyone else. */
function leftAddress({ chain }: World, { address, token }: ModelPayment) {
  const topicOf = (one: string) => `0x${one.slice(2).toLowerCase().padStart(64, '0')}`
  const wallets = [merchantWallet, platformWallet].map(topicOf)
  const out = chain.blocks
    .flatMap(({ logs }) => logs)
    .filter((log) => log.address.toLowerCase() === token.toLowerCase() && log.topics[1] === topicOf(address))
    .map((log) => ({ amount: BigInt(log.data), isSettled: wallets.includes(log.topics[2] ?? '') }))
  return {
    settled: sum(out.filter(({ isSettled }) => isSettled).map(({ amount }) => amount)),
    refunded: sum(out.filter(({ isSettled }) => !isSettled).map(({ amount }) => amount)),
  }
}

/** A delivery removed by a reorg does not count. */
function verifyBridge(world: World, payment: ModelPayment, books: DepositPayment): void {
  const { id, bridge, due, windowEndsAtMs } = payment
  const { total } = arrived(world, payment)
  if (!bridge || bridge.deliveredAtMs === null || bridge.underWayAtMs === null) return
  const isInTime = bridge.underWayAtMs <= windowEndsAtMs && books.closedAs === null && total >= due
  verify(14, !isInTime || outcomeOf(books) === 'paid', () => `${id} is ${books.status}`)
}

/** Base units of all tokens that reached the wallet, whatever it has refunded since. */
const receivedBy = ({ chain }: World, wallet: string): bigint[] =>
  chain.blocks
    .flatMap(({ logs }) => logs)
    .filter(({ address }) => isToken(address))
    .filter(({ topics }) => topics[2]?.endsWith(wallet.slice(2).toLowerCase()))
    .map(({ data }) => BigInt(data))

const tokenAddresses = Object.values(tokens).map((token) => token.toLowerCase())
const isToken = (address: string) => tokenAddresses.includes(address.toLowerCase())

/** Verifies all payments together, and the wallets. */
async function verifyMonth(world: World, stored: readonly DepositPayment[]): Promise<void> {
  const { state } = world.chain.tip()
  const inWallets = [merchantWallet, masterWallet].flatMap((wallet) => receivedBy(world, wallet))
  const wallet = sum(inWallets) + keptAtAddresses(world, stored)
  const order = {
    merchantId: world.merchant.merchantId as MerchantId,
    isTest: false,
    month: '2026-11',
    timeZone: 'UTC',
  }
  const rows = await createMonths(world.db())(order).rows
  const byWallets = await loadWalletPayments(world)
  // Money that a wallet paid too late, or by other terms, has reached the wallets, and belongs to no paid payment.
  const throughSplitter = sharesOfSplits(world)
  const paidByWallets = byWallets.map(sharesOf)
  const besides = {
    merchant: throughSplitter.merchant - sum(paidByWallets.map(({ merchant }) => merchant)),
    platform: throughSplitter.platform - sum(paidByWallets.map(({ fee }) => fee)),
  }
  const month = sum(rows.map(({ paidOut }) => paidOut))
  const paidOut = wallet - besides.merchant
  verify(12, month === paidOut, () => `the month says ${month}, the merchant's wallet has ${paidOut}`)
  const fees = sum([...stored, ...byWallets].map((one) => sharesOf(one).fee))
  const platform = sum(Object.values(tokens).map((token) => balanceOf(state, token, platformWallet)))
  const paidFees = platform - besides.platform
  verify(12, paidFees === fees, () => `the export says that the platform got ${fees}, its wallet has ${paidFees}`)
  const counted = sum(rows.map(({ received, receivedLate }) => received + receivedLate))
  const inBooks = sum([...stored, ...byWallets].map(({ received, late }) => received + late))
  verify(12, counted === inBooks, () => `the month counts ${counted}, the payments ${inBooks}`)
}

async function verifyReconciled(world: World): Promise<void> {
  const network = world.network()
  const networks = new Map([[network.shortName, network]])
  const period = { kind: 'all' } as const
  const deps = { db: world.db(), networks, runtime: world.runtime, period, onProgress: () => undefined }
  const { differences } = await reconcileNetwork(deps, network, new AbortController().signal)
  const [first] = differences
  verify(13, first === undefined, () => `${first?.paymentId}: ${first?.code}: ${first?.message}`)
}

/** Presents every proof that moved money once more. It pays for nothing if its money arrived too late. */
async function verifyProofs(world: World, stored: readonly DepositPayment[]): Promise<void> {
  // A service that takes signatures no longer reads none.
  if (world.network().signatureGas === null) return
  for (const [index, payment] of world.payments.entries()) {
    const books = stored[index]
    // The merchant has chosen for a charge that it refunds.
    const isPaid = books !== undefined && outcomeOf(books) === 'paid' && refundsOfDue(books).all === 0n
    let isTheirs = false
    for (const proof of payment.proofs) {
      if (!world.isUsed(proof, payment)) continue
      isTheirs = true
      const { status, body } = await world.present(payment, proof)
      const { code = '', message = '' } = body as { code?: string; message?: string }
      const isDenied = ['AUTHORIZATION_USED', 'TRANSFER_REFUSED'].includes(code) || /nothing was paid/.test(message)
      verify(6, !isDenied, () => `${payment.id}: ${status} ${code} ${message}`)
    }
    const isServed = payment.charge === null || !isTheirs || !isPaid || payment.served === 1
    verify(15, isServed, () => `${payment.id} was served ${payment.served} times`)
  }
}
