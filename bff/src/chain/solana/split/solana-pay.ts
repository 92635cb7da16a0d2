import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token'
import { PublicKey, Transaction } from '@solana/web3.js'
import type { ErrorCode } from '../../../core/error-codes.ts'
import { PaymentError } from '../../../core/errors.ts'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import { baseUnits, formatAmount } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { type NetworkHealth, verifyPayable } from '../../../network/network-health.ts'
import { signableAmount } from '../../../payment/authorization.ts'
import { type ContractPayment, type DepositPayment, outcomeOf } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { parseSolanaSplitTerms, type SolanaSplitTerms } from '../facts/solana-split-terms.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { type Transfers, termsTransfers, transferInstructions, transfersOf } from './payment-transfers.ts'

type Deps = {
  network: SolanaNetwork
  health: NetworkHealth
  adapter: Pick<SolanaAdapter, 'recentBlockhash' | 'tokenAccounts'>
  runtime: Runtime
  log: Log
}

const refuse = (code: ErrorCode, message: string): never => {
  throw new PaymentError(code, message, { status: 400, error: 'No transaction' })
}

/** Creates the transaction for a wallet to sign. Anyone may request it; it does not reveal who will pay. */
export function createTransactionRequests({ network, health, adapter, runtime, log }: Deps) {
  /**
   * @param account - The customer's wallet, in base58, which also pays the network fee.
   * @returns the unsigned transaction in base64, and a line for the customer.
   * @throws {PaymentError} when no transaction can pay (or still pay) the payment.
   */
  return async function requestedTransaction(
    payment: ContractPayment | DepositPayment,
    account: string,
    signal: AbortSignal,
  ): Promise<{ transaction: string; message: string }> {
    if (payment.isTest)
      return refuse('TEST_PAYMENT', 'This is a test payment, which no wallet can pay. Simulate its events.')
    if (outcomeOf(payment) !== 'pending') return refuse('PAYMENT_ENDED', `The payment is ${payment.status}.`)
    const { amount, deadlineMs, transfers } = payableOf(payment)
    if (amount === 0n) return refuse('ALREADY_PAID', 'A transaction for this payment is being confirmed.')
    if (runtime.nowMs() > deadlineMs) return refuse('PAYMENT_ENDED', 'The payment has expired.')
    verifyPayable(payment.network, health)
    const from = tokenAccountOf(transfers.mint, account)
    const recipients = transfers.recipients.map((recipient) => recipient.account)
    const prepare = Promise.all([
      adapter.recentBlockhash(signal),
      adapter.tokenAccounts([from, ...recipients], undefined, signal),
    ])
    const [{ blockhash }, [wallet, ...states]] = await prepare.catch((error: unknown) => {
      log.warn({ network: payment.network, paymentId: payment.id, err: error }, 'Creating a wallet transaction failed')
      const message = `${network.name} does not respond; try again.`
      throw new PaymentError('NETWORK_UNAVAILABLE', message, { status: 503, error: message })
    })
    const held = wallet?.amount ?? 0n
    const format = (units: bigint) => formatAmount(baseUnits(String(units)), payment.tokenDecimals)
    if (held < amount) {
      const what = `${format(held)} of ${format(amount)} ${payment.currency}`
      return refuse('INSUFFICIENT_FUNDS', `The wallet has ${what} on ${network.name}.`)
    }
    const missing = new Set(recipients.filter((_, index) => states[index] === undefined))
    return {
      transaction: encodeTransfers(transfers, account, { blockhash, missing }),
      message: `${format(amount)} ${payment.currency} to ${payment.merchantName}`,
    }
  }
}

/** The amount for one transaction to pay, zero if a transaction was already seen, and its deadline. */
function payableOf(payment: ContractPayment | DepositPayment) {
  const transfers = transfersOf(payment)
  if (payment.mode === 'deposit') {
    return { amount: signableAmount(payment), deadlineMs: payment.windowEndsAtMs, transfers }
  }
  const terms = parseSolanaSplitTerms(payment.splitTerms)
  return { amount: payment.seen > 0n ? 0n : terms.amount, deadlineMs: terms.deadlineSeconds * 1000, transfers }
}

/** The contract payment as the customer's unsigned transaction; see {@link encodeTransfers}. */
export function encodeSolanaSplit(terms: SolanaSplitTerms, payer: string, parts: EncodeParts): string {
  return encodeTransfers(termsTransfers(terms), payer, parts)
}

type EncodeParts = {
  blockhash: string
  /** Recipients' token accounts that do not exist. */
  missing: ReadonlySet<string>
}

/**
 * The payment as the customer's unsigned transaction: creates the recipients' missing token accounts at the customer's cost, then
 * transfers to each.
 * @returns base64, the format of Solana Pay.
 */
export function encodeTransfers(transfers: Transfers, payer: string, { blockhash, missing }: EncodeParts): string {
  const token = new PublicKey(transfers.mint)
  const customer = new PublicKey(payer)
  const creations = transfers.recipients
    .filter(({ account }) => missing.has(account))
    .map(({ owner, account }) =>
      createAssociatedTokenAccountIdempotentInstruction(customer, new PublicKey(account), new PublicKey(owner), token),
    )
  const transaction = new Transaction({ feePayer: customer, recentBlockhash: blockhash })
  transaction.add(...creations, ...transferInstructions(transfers, payer))
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}
