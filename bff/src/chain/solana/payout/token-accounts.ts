import { createAssociatedTokenAccountIdempotentInstruction, createCloseAccountInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { isFaultOfAll } from '../../../db/write-each.ts'
import type { Payment } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { noteFeePayerBalance } from './fee-payer-balance.ts'
import { closeAfterMs } from './monitor-transactions.ts'
import { affordableAccounts, payoutReserve, planOpenings, tokenAccountRent } from './rent-shares.ts'
import { pausedUntilMs, sendSolana, warnEmpty } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import {
  type DueAccount,
  dueAccounts,
  linkAccount,
  saveHolder,
  setAccount,
  unpaidAccounts,
} from './solana-outgoing-store.ts'

type Draft = Parameters<typeof sendSolana>[1]

/** Accounts created per transaction: each takes 72 of 1,232 bytes. */
const openedMax = 8

/** Accounts closed per transaction: each takes 136 bytes, mostly for its owner's signature. */
const closedMax = 5

/** Accounts read per pass. */
const readMax = 100

/** Compute units per created account, above any observed use; unused units are not charged. */
const unitsToOpen = 45_000

const unitsToClose = 10_000

/** Retry delay of accounts beyond the share of a client, key or merchant. */
const shareRetryMs = 60_000

/** Retry delay while the account holds money of a payer without a refund address. */
const recheckMs = 24 * 60 * 60 * 1_000

/** Retry delay after a refusal, so that impossible ones do not block the others. */
const refusedMs = 10 * 60 * 1_000

/**
 * Creates the token accounts of new deposits, so that exchanges, which cannot create one, can pay.
 * @returns how many are being created.
 */
export async function openAccounts(context: SolanaContext): Promise<number> {
  const { db, sender, signer, network, runtime } = context
  const nowMs = runtime.nowMs()
  if (nowMs < pausedUntilMs(context, 'open')) return 0
  const scope = { network: network.shortName, nowMs, limit: readMax } as const
  const due = await db.read((tx) => dueAccounts(tx, { ...scope, state: 'wanted' }))
  if (due.length === 0) return 0
  const { timeMs } = await sender.head()
  const states = await sender.accounts(due.map(({ address }) => address))
  const payments = await readPayments(context, due, 'wanted')
  const missing: DueAccount[] = []
  for (const [index, account] of due.entries()) {
    if (!payments.has(account)) continue
    const payment = payments.get(account)
    const closeAtMs = (payment?.windowEndsAtMs ?? 0) + closeAfterMs
    // The customer's wallet was faster, or no payment is expected any longer.
    const isMade = states[index] !== undefined
    const isOver = payment === undefined || timeMs > payment.windowEndsAtMs || payment.status !== 'pending'
    if (isMade) await db.write((tx) => setAccount(tx, account.id, { state: 'open', dueAtMs: closeAtMs }))
    else if (isOver) await db.write((tx) => setAccount(tx, account.id, { state: 'closed', dueAtMs: closeAtMs }))
    else missing.push(account)
  }
  if (missing.length === 0) return 0
  const planned = await withinShares(context, missing)
  if (planned.length === 0) return 0
  const draftOf = (batch: readonly DueAccount[]): Draft => ({
    purpose: 'open',
    instructions: batch.map(({ address, owner, mint }) =>
      createAssociatedTokenAccountIdempotentInstruction(
        signer.feePayer,
        ...([address, owner, mint].map((text) => new PublicKey(text)) as [PublicKey, PublicKey, PublicKey]),
      ),
    ),
    owners: [],
    units: unitsToOpen * batch.length,
    accountsMade: batch.length,
  })
  return await sendFor(context, planned, draftOf, 'wanted')
}

/** The payments of the accounts. If a payment cannot be read, its account is omitted and retried later. */
async function readPayments(
  { db, network, runtime, log }: SolanaContext,
  due: readonly DueAccount[],
  state: 'wanted' | 'open',
): Promise<Map<DueAccount, Payment | undefined>> {
  const payments = new Map<DueAccount, Payment | undefined>()
  for (const account of due) {
    try {
      payments.set(account, await db.read((tx) => loadPayment(tx, account.id)))
    } catch (error) {
      if (isFaultOfAll(error)) throw error
      const fields = { network: network.shortName, paymentId: account.id, err: error }
      log.error(fields, 'The payment of a token account cannot be read; retrying')
      await db.write((tx) => setAccount(tx, account.id, { state, dueAtMs: runtime.nowMs() + refusedMs }))
    }
  }
  return payments
}

/** The accounts to create now. Those beyond a share wait without blocking others. */
async function withinShares(context: SolanaContext, missing: readonly DueAccount[]): Promise<DueAccount[]> {
  const { db, sender, signer, network, runtime } = context
  const balance = await sender.lamports(signer.feePayer.toBase58())
  noteFeePayerBalance(context, { balance })
  const affordable = affordableAccounts(balance)
  if (affordable === 0) {
    const isReserved = balance > tokenAccountRent
    warnEmpty(context, 'open', { needed: payoutReserve + tokenAccountRent, balance, isReserved })
    return []
  }
  const held = await db.read((tx) => unpaidAccounts(tx, network.shortName))
  const planned = planOpenings(missing, held, affordable)
  const waiting = missing.filter((account) => !planned.includes(account))
  if (planned.length < affordable && waiting.length > 0) {
    const dueAtMs = runtime.nowMs() + shareRetryMs
    await db.write(async (tx) => {
      for (const { id } of waiting) await setAccount(tx, id, { state: 'wanted', dueAtMs })
    })
  }
  return planned.slice(0, openedMax)
}

/**
 * Closes the empty accounts of deposits for which no payment is expected, which returns their rent.
 * @returns how many are being closed.
 */
export async function closeAccounts(context: SolanaContext): Promise<number> {
  const { db, sender, signer, network, runtime } = context
  const nowMs = runtime.nowMs()
  const scope = { network: network.shortName, nowMs, limit: readMax }
  const due = await db.read((tx) => dueAccounts(tx, { ...scope, state: 'open' }))
  if (due.length === 0) return 0
  const { timeMs } = await sender.head()
  const states = await sender.accounts(due.map(({ address }) => address))
  const payments = await readPayments(context, due, 'open')
  const isProven = ({ terms, owner }: DueAccount) => signer.ownerOf(terms).toBase58() === owner
  const empty: DueAccount[] = []
  for (const [index, account] of due.entries()) {
    if (!payments.has(account)) continue
    const token = states[index]?.token
    const payment = payments.get(account)
    const closesAtMs = (payment?.windowEndsAtMs ?? 0) + closeAfterMs
    const isWaiting =
      payment?.status === 'pending' ||
      (payment?.mode === 'deposit' && payment.sweep !== 'confirmed' && timeMs < closesAtMs)
    if (states[index] === undefined && !isWaiting) {
      await db.write((tx) => setAccount(tx, account.id, { state: 'closed', dueAtMs: nowMs }))
    } else if (token?.owner === account.owner && token.amount === 0n && !isWaiting && isProven(account)) {
      empty.push(account)
    } else {
      const dueAtMs = isWaiting ? Math.max(nowMs + refusedMs, closesAtMs) : nowMs + recheckMs
      await db.write((tx) => setAccount(tx, account.id, { state: 'open', dueAtMs }))
    }
  }
  const batch = empty.slice(0, closedMax)
  if (batch.length === 0) return 0
  const draftOf = (closed: readonly DueAccount[]): Draft => ({
    purpose: 'close',
    instructions: closed.map(({ address, owner }) =>
      createCloseAccountInstruction(new PublicKey(address), signer.feePayer, new PublicKey(owner)),
    ),
    owners: closed.map(({ terms }) => terms),
    units: unitsToClose * closed.length,
    accountsMade: 0,
  })
  return await sendFor(context, batch, draftOf, 'open')
}

/** Sends one transaction for the batch. If it is refused, each account gets its own, so that an impossible one delays no other. */
async function sendFor(
  context: SolanaContext,
  batch: readonly DueAccount[],
  draftOf: (batch: readonly DueAccount[]) => Draft,
  state: 'wanted' | 'open',
): Promise<number> {
  const { db, network, runtime, log } = context
  const draft = draftOf(batch)
  const sent = await sendSolana(context, draft, async (tx, transactionId) => {
    const scope = { network: network.shortName, state, nowMs: runtime.nowMs(), limit: readMax }
    const still = new Set((await dueAccounts(tx, scope)).map(({ id }) => id))
    if (!batch.every(({ id }) => still.has(id))) throw new ConflictError()
    for (const account of batch) {
      await linkAccount(tx, transactionId, account.id)
      if (state === 'wanted') await saveHolder(tx, account)
    }
  })
  if (sent === undefined) return 0
  const fields = { network: network.shortName, purpose: draft.purpose, accounts: batch.length }
  if ('refused' in sent) {
    log.warn({ ...fields, reason: sent.refused.reason }, 'Creating or closing token accounts failed; retrying')
    if (batch.length > 1) {
      let accounts = 0
      for (const account of batch) accounts += await sendFor(context, [account], draftOf, state)
      return accounts
    }
    const dueAtMs = runtime.nowMs() + refusedMs
    await db.write(async (tx) => {
      for (const { id } of batch) await setAccount(tx, id, { state, dueAtMs })
    })
    return 0
  }
  log.debug({ ...fields, txId: sent.txId }, 'Creating or closing token accounts')
  return batch.length
}
