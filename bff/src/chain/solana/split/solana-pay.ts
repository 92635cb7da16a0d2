import { createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction } from '@solana/spl-token'
import { PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { PaymentError } from '../../../core/errors.ts'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import { baseUnits, formatAmount } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { type NetworkHealth, verifyPayable } from '../../../network/network-health.ts'
import { type ContractPayment, outcomeOf } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { parseSolanaSplitTerms, referenceOf, type SolanaSplitTerms, solanaShares } from './solana-split-terms.ts'

type Deps = {
  network: SolanaNetwork
  health: NetworkHealth
  adapter: Pick<SolanaAdapter, 'recentBlockhash' | 'tokenAccounts'>
  runtime: Runtime
  log: Log
}

const refuse = (code: string, message: string): never => {
  throw new PaymentError(code, message, { status: 400, error: 'No transaction' })
}

/** Makes the transaction that a wallet is to sign. It is made for whoever asks, and says nothing about who will pay. */
export function createTransactionRequests({ network, health, adapter, runtime, log }: Deps) {
  /**
   * @param account - The customer's wallet, in base58.
   * @returns the unsigned transaction in base64, and a line for the customer.
   * @throws {PaymentError} when there is nothing (more) to be paid this way.
   */
  return async function requestedTransaction(
    payment: ContractPayment,
    account: string,
    signal: AbortSignal,
  ): Promise<{ transaction: string; message: string }> {
    const terms = parseSolanaSplitTerms(payment.splitTerms)
    if (payment.isTest)
      return refuse(
        'TEST_PAYMENT',
        'This is a test payment, on no chain: no wallet can pay it. Simulate what shall happen.',
      )
    if (outcomeOf(payment) !== 'pending') return refuse('PAYMENT_ENDED', `The payment is ${payment.status}.`)
    if (payment.seen > 0n) return refuse('ALREADY_PAID', 'A transaction for this payment is being confirmed.')
    if (runtime.nowMs() > terms.deadlineSeconds * 1000) return refuse('PAYMENT_ENDED', 'The payment has expired.')
    verifyPayable(payment.network, health)
    const from = tokenAccountOf(terms.mint, account)
    const recipients = solanaRecipients(terms).map((recipient) => recipient.account)
    const prepare = Promise.all([
      adapter.recentBlockhash(signal),
      adapter.tokenAccounts([from, ...recipients], undefined, signal),
    ])
    const [{ blockhash }, [wallet, ...states]] = await prepare.catch((error: unknown) => {
      log.warn({ network: payment.network, paymentId: payment.id, err: error }, 'no transaction could be made')
      throw new PaymentError('NETWORK_UNAVAILABLE', `${network.name} does not answer; try again.`, { status: 503 })
    })
    const held = wallet?.amount ?? 0n
    const format = (amount: bigint) => formatAmount(baseUnits(String(amount)), payment.tokenDecimals)
    if (held < terms.amount) {
      const what = `${format(held)} of ${format(terms.amount)} ${payment.currency}`
      return refuse('INSUFFICIENT_FUNDS', `The wallet has ${what} on ${network.name}.`)
    }
    const missing = new Set(recipients.filter((_, index) => states[index] === undefined))
    return {
      transaction: encodeSolanaSplit(terms, account, { blockhash, missing }),
      message: `${format(terms.amount)} ${payment.currency} to ${payment.merchantName}`,
    }
  }
}

/** The recipients in the order of the transfers. A share of zero is not sent. `account` is the token account. */
function solanaRecipients(terms: SolanaSplitTerms): { owner: string; account: string; amount: bigint }[] {
  const shares = solanaShares(terms)
  const recipients = [
    { owner: terms.platform, amount: shares.platform },
    { owner: terms.merchant, amount: shares.merchant },
  ]
  return recipients
    .filter(({ amount }) => amount > 0n)
    .map((one) => ({ ...one, account: tokenAccountOf(terms.mint, one.owner) }))
}

/**
 * The payment as one unsigned transaction of the customer: it makes the recipients' token accounts that are missing, at the
 * customer's cost, then transfers to each. The last transfer, the merchant's, names the reference.
 * @param missing - Token accounts of recipients that do not exist yet.
 * @returns base64, as Solana Pay hands it to a wallet.
 */
export function encodeSolanaSplit(
  terms: SolanaSplitTerms,
  payer: string,
  { blockhash, missing }: { blockhash: string; missing: ReadonlySet<string> },
): string {
  const mint = new PublicKey(terms.mint)
  const from = new PublicKey(tokenAccountOf(terms.mint, payer))
  const customer = new PublicKey(payer)
  const recipients = solanaRecipients(terms)
  const creations = recipients
    .filter(({ account }) => missing.has(account))
    .map(({ owner, account }) =>
      createAssociatedTokenAccountIdempotentInstruction(customer, new PublicKey(account), new PublicKey(owner), mint),
    )
  const transfers = recipients.map(({ account, amount }) =>
    createTransferCheckedInstruction(from, mint, new PublicKey(account), customer, amount, terms.decimals),
  )
  nameReference(transfers.at(-1), referenceOf(terms))
  const transaction = new Transaction({ feePayer: customer, recentBlockhash: blockhash })
  transaction.add(...creations, ...transfers)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

/** The token program ignores accounts after the ones it needs; the network lists the transaction under them all the same. */
function nameReference(transfer: TransactionInstruction | undefined, reference: string): void {
  transfer?.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false })
}
