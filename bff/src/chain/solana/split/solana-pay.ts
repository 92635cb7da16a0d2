import { PaymentError } from '../../../core/errors.ts'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import { baseUnits, formatAmount } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { type NetworkHealth, verifyPayable } from '../../../network/network-health.ts'
import { type ContractPayment, outcomeOf } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { encodeSolanaSplit, solanaRecipients } from './solana-split-call.ts'
import { parseSolanaSplitTerms } from './solana-split-terms.ts'

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
