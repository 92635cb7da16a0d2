import type { Hex } from 'viem'
import type { Tx } from '../../../db/db.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { recordedTokens } from '../../../payment/store/token-store.ts'
import {
  type DueShare,
  deleteShare,
  dueShares,
  hasDueShare,
  markShareSent,
  postponeShare,
  saveParkedShare,
} from '../../../payout/parked-share-store.ts'
import { dollarRateOf, isTooSmall } from '../../../payout/payout-plan.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { parseDepositTerms } from '../deposit/deposit-terms.ts'
import { encodePayParked, type ParkedAt, type SplitterPlace } from '../deposit/parked-call.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import type { Head } from '../send/evm-sender.ts'
import { costMax } from '../send/evm-transaction.ts'
import { warnEmpty } from './gas-balance.ts'
import type { PayoutContext } from './payout-context.ts'
import { broadcast, signAndStore } from './sign-and-store.ts'
import { findSplitterPlaces } from './splitter-places.ts'

/** Shares per pass: each is a separate transaction, and sweeps wait for it. */
const batchMax = 5

/** Polled rarely: only the platform waits for its shares. */
const readEveryMs = 10 * 60 * 1000

/** Splitter balances per call. */
const placesMax = 100

/** Recheck delay of a share that is not worth its gas: fees change within hours. */
const worthDelayMs = 60 * 60 * 1000

/** Delay after a fault of an RPC node. */
const faultDelayMs = 30_000

type Context = Pick<PayoutContext, 'memory' | 'network' | 'runtime'>

const isReadDue = ({ memory, network, runtime }: Context): boolean =>
  network.splitter !== undefined && runtime.nowMs() >= memory.splitterDueAtMs

/** Whether parked shares are due to be paid or searched for. */
export const hasParkedWork = async (context: Context, tx: Tx): Promise<boolean> =>
  isReadDue(context) || (await hasDueShare(tx, context.network.shortName, context.runtime.nowMs()))

/** Records that a settlement left the platform's share at the deposit. Part of the settlement's commit. */
export async function parkShare(
  { network, runtime }: Pick<PayoutContext, 'network' | 'runtime'>,
  tx: Tx,
  paymentId: DueShare['paymentId'],
  amount: bigint,
): Promise<void> {
  const payment = paymentId === null ? undefined : await loadPayment(tx, paymentId)
  if (payment?.mode !== 'deposit' || amount === 0n) return
  const { platform, token } = parseDepositTerms(payment.depositTerms)
  const place = payment.depositAddress.toLowerCase()
  const share = { network: network.shortName, place, token, recipient: platform, paymentId, amount }
  const { dueAtMs } = planAfterFailure(1, runtime.nowMs())
  await saveParkedShare(tx, share, runtime.nowMs(), dueAtMs)
}

/**
 * Pays the platform the shares that its wallet rejected at settlement, once the token allows it.
 * @returns how many shares made progress.
 * @throws the first fault, after every share was attempted.
 */
export async function payParkedShares(context: PayoutContext): Promise<number> {
  const { db, memory, network, runtime, sender } = context
  let fault: unknown
  if (isReadDue(context)) {
    // Set before any chain call, so that an unreadable splitter does not block the deposits' shares.
    memory.splitterDueAtMs = runtime.nowMs() + readEveryMs
    await findSplitterShares(context).catch((error: unknown) => {
      fault = error
    })
  }
  const due = await db.read((tx) => dueShares(tx, network.shortName, runtime.nowMs(), batchMax))
  if (due.length === 0 && fault === undefined) return 0
  const head = due.length > 0 ? await sender.head() : undefined
  let done = 0
  for (const { key, parse } of due) {
    if (head === undefined || runtime.nowMs() < memory.emptyUntilMs) break
    try {
      done += await payShare(context, parse(), head)
    } catch (error) {
      const dueAtMs = runtime.nowMs() + faultDelayMs
      await db.write((tx) => postponeShare(tx, key, { dueAtMs, reason: null }))
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

/**
 * Records what splitters hold for the platform, including former wallets, tokens and splitters.
 * @throws the first fault, after every splitter was read.
 */
async function findSplitterShares(context: PayoutContext): Promise<void> {
  const { memory, network, runtime, sender } = context
  const { places, isWhole } = await findSplitterPlaces(context)
  if (!isWhole) memory.splitterDueAtMs = runtime.nowMs() + network.pollMs
  if (places.length === 0) return
  const { number } = await sender.head()
  const block = balancesBlock(number, network.confirmations)
  let fault: unknown
  // One by one: an unresponsive splitter of a former configuration must not block the others.
  for (const splitter of new Set(places.map((place) => place.splitter))) {
    const there = places.filter((place) => place.splitter === splitter)
    for (let first = 0; first < there.length; first += placesMax) {
      await noteShares(context, there.slice(first, first + placesMax), block).catch((error: unknown) => {
        fault ??= error
      })
    }
  }
  if (fault !== undefined) throw fault
}

async function noteShares(
  { db, network, runtime, sender }: PayoutContext,
  places: readonly SplitterPlace[],
  block: number,
): Promise<void> {
  const amounts = await sender.parked(places, block)
  await db.write(async (tx) => {
    for (const [index, { splitter: place, token, recipient }] of places.entries()) {
      const amount = amounts[index] ?? 0n
      const share = { network: network.shortName, place, token, recipient, paymentId: null, amount }
      if (amount > 0n) await saveParkedShare(tx, share, runtime.nowMs())
    }
  })
}

async function payShare(context: PayoutContext, share: DueShare, head: Head): Promise<number> {
  const { db, network, sender, log, account } = context
  const { shortName } = network
  const nowMs = context.runtime.nowMs()
  const fields = { network: shortName, paymentId: share.paymentId, place: share.place, token: share.token }
  const place = await placeOf(context, share)
  const [amount = 0n] = await sender.parked([place])
  if (amount === 0n) {
    // Anyone may pay it, so the payment may be external. Until that block is final (while nodes keep its state), a reorg can undo
    // it.
    const [left = 0n] = await sender.parked([place], balancesBlock(head.number, network.confirmations))
    if (left > 0n) {
      await db.write((tx) => postponeShare(tx, share, { dueAtMs: nowMs + network.pollMs, reason: null }))
      return 0
    }
    await db.write((tx) => deleteShare(tx, share))
    log.info({ ...fields, amount: String(share.amount) }, 'A parked share was paid to the platform')
    return 1
  }
  const check = await sender.checkParked(place)
  if ('reason' in check) {
    const { dueAtMs } = planAfterFailure(share.failures + 1, nowMs)
    await db.write((tx) => postponeShare(tx, share, { dueAtMs, reason: check.reason }))
    log.warn({ ...fields, reason: check.reason }, 'Paying a parked share to the platform failed; retrying')
    return 1
  }
  const call = { ...encodePayParked(place), gas: (check.gas * 6n) / 5n, ...(await sender.fees(head)) }
  const neededWei = costMax(call)
  if (await isWorthless(context, share, { amount, feeWei: neededWei })) {
    await db.write((tx) => postponeShare(tx, share, { dueAtMs: nowMs + worthDelayMs, reason: null }))
    return 0
  }
  const balanceWei = await sender.balance(account)
  if (neededWei > balanceWei) {
    warnEmpty(context, { neededWei, balanceWei })
    return 0
  }
  const stored = await signAndStore(context, call, async (tx, transactionId) => {
    const sent = { transactionId, dueAtMs: nowMs + network.pollMs }
    if (!(await markShareSent(tx, share, sent))) throw new ConflictError()
  })
  if (stored === undefined) return 0
  log.info({ ...fields, amount: String(amount), txId: stored.txId }, 'Paying a parked share to the platform')
  await broadcast(context, stored)
  return 1
}

async function placeOf({ db }: PayoutContext, { place, token, recipient, paymentId }: DueShare): Promise<ParkedAt> {
  if (paymentId === null) return { splitter: place as Hex, token: token as Hex, recipient: recipient as Hex }
  const payment = await db.read((tx) => loadPayment(tx, paymentId))
  if (payment?.mode !== 'deposit') throw new Error(`No deposit ${paymentId}`)
  return { terms: parseDepositTerms(payment.depositTerms) }
}

/** Whether the share is worth less than the gas to pay it, including shares in tokens no longer configured. */
async function isWorthless(
  { db, network }: PayoutContext,
  { token, paymentId }: DueShare,
  cost: { amount: bigint; feeWei: bigint },
): Promise<boolean> {
  const payment = paymentId === null ? undefined : await db.read((tx) => loadPayment(tx, paymentId))
  if (payment) {
    const { tokenDecimals: decimals, dollarRate } = payment
    return isTooSmall({ token, decimals, dollarRate }, cost, network)
  }
  const recorded = await db.read((tx) => recordedTokens(tx, network.shortName))
  const found = [...(network.tokens ?? []), ...recorded].find(
    ({ address }) => address.toLowerCase() === token.toLowerCase(),
  )
  if (found === undefined) return false
  const dollarRate = dollarRateOf(network.tokens ?? [], found.symbol)
  return isTooSmall({ token, decimals: found.decimals, dollarRate }, cost, network)
}
