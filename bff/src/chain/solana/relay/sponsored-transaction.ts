import { ComputeBudgetProgram, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import type { ErrorCode } from '../../../core/error-codes.ts'
import { PaymentError } from '../../../core/errors.ts'
import type { SolanaNetwork } from '../../../core/families.ts'
import { baseUnits, formatAmount } from '../../../core/money.ts'
import { signableAmount, signaturesOff } from '../../../payment/authorization.ts'
import type { Payment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaSender } from '../payout/solana-sender.ts'
import { transferInstructions, transfersOf } from '../split/payment-transfers.ts'
import { memoProgram } from './check-transaction.ts'

/** Compute units: each of two transfers takes about 6,000, the memo about 15,000. */
const unitsMax = 60_000

const refuse = (code: ErrorCode, message: string, status: 400 | 503 = 400): never => {
  throw new PaymentError(code, message, { status, error: 'No transaction' })
}

type Deps = { network: SolanaNetwork; sender: SolanaSender; feePayer: string }

/**
 * Builds the customer's transaction, whose fee the fee payer pays: transfers of exactly the open amount, and the payment's id.
 * Uses the legacy format, which every wallet and the element can read.
 * @throws {PaymentError}
 */
export async function sponsoredTransaction({ network, sender, feePayer }: Deps, payment: Payment, account: string) {
  const { tokenAddress, tokenDecimals, currency } = payment
  if (!payment.takesSignatures) throw signaturesOff()
  const open = payment.isTest ? 0n : signableAmount(payment)
  if (open === 0n) return refuse('PAYMENT_ENDED', 'No amount is left to pay by signature.')
  const transfers = transfersOf(payment)
  const accounts = [tokenAccountOf(tokenAddress, account), ...transfers.recipients.map((one) => one.account)]
  const asked = Promise.all([sender.recentBlockhash(), sender.accounts(accounts), sender.unitPrice(accounts)])
  const [{ blockhash }, [wallet, ...recipients], microLamports] = await asked.catch(() =>
    refuse('NETWORK_UNAVAILABLE', `${network.name} does not respond; try again.`, 503),
  )
  if (transfers.recipients.some((_, index) => recipients[index]?.token === undefined)) return refuseMissing(payment)
  const format = (amount: bigint) => formatAmount(baseUnits(String(amount)), tokenDecimals)
  const held = wallet?.token?.amount ?? 0n
  if (held < open) {
    const what = `${format(held)} of ${format(open)} ${currency}`
    return refuse('INSUFFICIENT_FUNDS', `The wallet has ${what} on ${network.name}.`)
  }
  const transaction = new Transaction({ feePayer: new PublicKey(feePayer), recentBlockhash: blockhash })
  transaction.add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: unitsMax }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    ...transferInstructions(transfers, account),
    new TransactionInstruction({ programId: new PublicKey(memoProgram), keys: [], data: Buffer.from(payment.id) }),
  )
  return {
    transaction: transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64'),
    message: `${format(open)} ${currency} to ${payment.merchantName}`,
  }
}

/** The fee payer creates a deposit's token account; the first customer who pays a fee creates those of merchant and platform. */
function refuseMissing({ mode }: Payment): never {
  if (mode === 'deposit') {
    return refuse('NOT_READY', "The payment's token account is being created; try again in a moment.", 503)
  }
  const message = 'The shop has no account for this token yet. Pay with your own transaction, which creates it.'
  return refuse('NO_TOKEN_ACCOUNT', message)
}
