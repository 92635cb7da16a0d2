import { paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { parseSplitTerms, type SplitDetails, splitDetails } from '@stablecoin-checkout/bff/testing/evm'
import { type ContractPayment, loadPayment, type PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { encodeFunctionData, type Hex } from 'viem'
import { verify } from '../sentences.ts'
import type { Call } from './contracts.ts'
import type { NodeFault } from './evm-node.ts'
import { accounts, type Site, stranger } from './service-site.ts'
import { splitter } from './splitter.ts'

/** A payment that the customer's wallet pays with one splitter call. */
export type WalletPayment = {
  id: PaymentId
  termsHash: string
  due: bigint
  windowEndsAtMs: number
  details: SplitDetails
  deadlineSeconds: number
}

/**
 * The kinds of calls. `before`: with the deadline, as the element sends it. `less`: for one unit less, with the same id.
 * `stranger`: the whole sum, with the same id, to the caller.
 */
export const splitCalls = ['plain', 'before', 'less', 'stranger'] as const
export type SplitCall = (typeof splitCalls)[number]

/** Wallet payments, their payers, and who submits which transaction for them. */
export function createWalletPayments(site: Site) {
  const { chain, post, postAndWait } = site
  const walletPayments: WalletPayment[] = []
  /** Every transaction that calls the splitter. */
  const txIds: Hex[] = []
  const at = (index: number) => walletPayments[index % Math.max(1, walletPayments.length)]
  let orders = 0

  function callOf({ details, deadlineSeconds }: WalletPayment, call: SplitCall): Call {
    const { abi } = paymentSplitter
    const encode = (given: SplitDetails) => encodeFunctionData({ abi, functionName: 'splitPayment', args: [given] })
    if (call === 'less') return { to: splitter, data: encode({ ...details, amount: details.amount - 1n }) }
    if (call === 'stranger') return { to: splitter, data: encode({ ...details, recipient1: stranger }) }
    if (call === 'plain') return { to: splitter, data: encode(details) }
    const args = [details, BigInt(deadlineSeconds)] as const
    return { to: splitter, data: encodeFunctionData({ abi, functionName: 'splitPaymentBefore', args }) }
  }

  const isPaidBy = ({ termsHash }: WalletPayment, txId: Hex) =>
    chain.find(txId)?.receipt.logs.some(({ address, topics }) => address === splitter && topics[2] === termsHash) ??
    false

  return {
    walletPayments,

    async createWalletPayment(amount: number, symbol: 'USDC' | 'USDT'): Promise<void> {
      // Networks with virtual addresses have no contracts.
      if (site.network().deposits === 'virtual') return
      orders += 1
      const order = { amount: `${amount}.00`, currency: symbol, network: 'devnet', orderId: `w${orders}` }
      const { status, body } = await post('/payments/create', order)
      if (status !== 200) return
      const { id } = (body as { payment: { id: PaymentId } }).payment
      const { termsHash, due, windowEndsAtMs, splitTerms } = (await site.read((tx) =>
        loadPayment(tx, id),
      )) as ContractPayment
      const terms = parseSplitTerms(splitTerms)
      const { deadlineSeconds } = terms
      walletPayments.push({ id, termsHash, due, windowEndsAtMs, details: splitDetails(terms), deadlineSeconds })
    },

    /** One transaction that calls the splitter for some payments, and also pays a deposit. */
    split(called: readonly { index: number; call: SplitCall }[], payer: number, beside: readonly Call[]): void {
      const calls = called.flatMap(({ index, call }) => {
        const payment = at(index)
        return payment ? [callOf(payment, call)] : []
      })
      if (calls.length === 0) return
      const from = called.some(({ call }) => call === 'stranger')
        ? stranger
        : accounts[payer % accounts.length]?.address
      txIds.push(chain.send(from ?? stranger, [...calls, ...beside]))
    },

    /** Someone submits a transaction for the payment, while nodes have these faults. */
    async process(index: number, which: number, faults: readonly NodeFault[]): Promise<void> {
      const payment = at(index)
      const txId = txIds[txIds.length - 1 - (which % Math.max(1, txIds.length))]
      if (!payment || !txId) return
      const order = { paymentId: payment.id, network: 'devnet', transactionHash: txId }
      const { status, body } = await site.withFaults(faults, () => postAndWait('/payments/process', order))
      const { code = '', isAlreadyCompleted = false } = body as { code?: string; isAlreadyCompleted?: boolean }
      if (status === 200 && !isAlreadyCompleted) verify(17, isPaidBy(payment, txId), () => `${payment.id}: ${txId}`)
      // A reorg just before the response outdates whatever was read.
      const isMoved = faults.some(({ type }) => type === 'moves')
      const isDenied = [
        'OTHER_TERMS',
        'OTHER_TOKEN',
        'OTHER_CONTRACT',
        'ALREADY_USED',
        'TRANSACTION_REVERTED',
      ].includes(code)
      verify(6, !isDenied || isMoved || !isPaidBy(payment, txId), () => `${payment.id}: ${txId} is ${code}`)
    },

    /** Submits the payment's own transaction, at rest. */
    async processOwn(payment: WalletPayment): Promise<{ status: number; code: string } | undefined> {
      const txId = txIds.find((one) => isPaidBy(payment, one))
      if (!txId) return undefined
      const order = { paymentId: payment.id, network: 'devnet', transactionHash: txId }
      const { status, body } = await postAndWait('/payments/process', order)
      return { status, code: (body as { code?: string }).code ?? '' }
    },

    async failWalletPayment(index: number): Promise<void> {
      const payment = at(index)
      if (payment) await post('/payments/fail', { paymentId: payment.id, status: 'failed' })
    },
    async acceptLateWalletPayment(index: number): Promise<void> {
      const payment = at(index)
      if (payment) await post(`/payments/${payment.id}/accept-late`, {})
    },
  }
}
