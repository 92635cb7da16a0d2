import type { SolanaNetwork } from '../../../core/families.ts'
import { parseAmount } from '../../../core/money.ts'
import { AuthorizationRefused } from '../../../payment/authorization.ts'
import { microDecimals } from '../../../payout/payout-plan.ts'
import { type Authorizer, limitsOf } from '../../authorization.ts'
import { createMinuteShares, tooManySignatures } from '../../minute-bound.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { type SolanaSender, UnknownBlockhash } from '../payout/solana-sender.ts'
import type { SolanaSigner } from '../signer/solana-signer.ts'
import {
  checkTransaction,
  identifyTransaction,
  readSponsoredPayment,
  signedOfTransaction,
  withoutFeePayer,
} from './check-transaction.ts'
import { sponsoredTransaction } from './sponsored-transaction.ts'

const lamportsPerSol = 1_000_000_000n

/** The fee payer's minimum balance in lamports, below which the network rejects its transactions. */
const ownRent = 890_880n

/** Accounts read per minute: each takes a call, and anyone can sign with new keys that hold no money. */
const readsPerMinute = { perClient: 400, perMerchant: 800, all: 1_200 }

/** Simulations per minute, for accounts that hold the money: each takes two calls. */
const simulationsPerMinute = { perClient: 60, perMerchant: 200, all: 300 }

type Deps = {
  network: SolanaNetwork
  sender: SolanaSender
  signer: SolanaSigner
  nowMs: () => number
  wake: () => void
}

/** Payments by a customer-signed transaction whose fee the fee payer pays. */
export function createSolanaAuthorizer({ network, sender, signer, nowMs, wake }: Deps): Authorizer {
  const feePayer = signer.feePayer.toBase58()
  const reads = createMinuteShares(readsPerMinute, nowMs)
  const simulations = createMinuteShares(simulationsPerMinute, nowMs)

  /** Millionths of a dollar, rounded up. */
  function costMicros(lamports: bigint): number {
    const { signatureGas } = network
    if (signatureGas === null) throw new Error('Network fees cannot be checked: the network has no coinPrice')
    const price = parseAmount(signatureGas.coinPrice, microDecimals)
    return Number((lamports * price + lamportsPerSol - 1n) / lamportsPerSol)
  }

  return {
    wake,
    limits: limitsOf(network),
    check: async (payment, signed, nowMs) => checkTransaction(payment, signed, { feePayer, nowMs }),

    identify: async (payment, signed) => identifyTransaction(payment, signed, feePayer),

    /** Runs cheap checks first. No node receives a fee payer signature: its holder could send the transaction. */
    async simulate({ data, value, merchantId }, client = null) {
      const asker = { client, merchantId }
      const unavailable = (message: string) => new AuthorizationRefused('RELAY_UNAVAILABLE', message)
      const unreadable = () => {
        throw unavailable(`No node of ${network.name} responds; try again.`)
      }
      if (!reads.take(asker)) throw tooManySignatures()
      const { payer, transfers, lamports } = readSponsoredPayment(data, feePayer)
      const mint = transfers[0]?.mint ?? ''
      const [account] = await sender.accounts([tokenAccountOf(mint, payer)]).catch(unreadable)
      const held = account?.token?.amount ?? 0n
      if (held < value) {
        throw new AuthorizationRefused('INSUFFICIENT_FUNDS', 'The paying account’s token balance is too low.')
      }
      if (!simulations.take(asker)) throw tooManySignatures()
      const refusable = sender.simulate(withoutFeePayer(data)).catch((error: unknown) => {
        // The payer named it, and can sign again with a newer one: nothing was sent.
        if (error instanceof UnknownBlockhash) return 'its blockhash is not known, or has expired'
        throw error
      })
      const [balance, fault] = await Promise.all([sender.lamports(feePayer), refusable]).catch(unreadable)
      if (balance < lamports + ownRent) throw unavailable('The shop cannot pay the network fee right now.')
      if (fault !== undefined) {
        throw new AuthorizationRefused('TRANSFER_REFUSED', `The chain rejects the payment: ${fault}`)
      }
      const cost = costMicros(lamports)
      return { costMicros: cost, costMaxMicros: cost, balance: held }
    },

    async receipt(txId) {
      const { statuses } = await sender.statuses([txId])
      const [status] = statuses
      if (status === undefined) return undefined
      if (!status.isFailed) return 'done'
      return (await sender.isFinalized({ txId, isFailed: true })) ? 'reverted' : undefined
    },

    sponsor: {
      feePayer,
      signedOf: (payment, transaction) => signedOfTransaction(payment, transaction, feePayer),
      transactionOf: (payment, account) => sponsoredTransaction({ network, sender, feePayer }, payment, account),
      async isReady({ tokenAddress, depositAddress }) {
        const [account] = await sender.accounts([tokenAccountOf(tokenAddress, depositAddress)])
        return account?.token !== undefined
      },
    },
  }
}
