import type { SolanaNetwork } from '../../../core/families.ts'
import { parseAmount } from '../../../core/money.ts'
import { AuthorizationRefused } from '../../../payment/authorization.ts'
import { microDecimals } from '../../../payout/payout-plan.ts'
import type { Authorizer } from '../../authorization.ts'
import { createMinuteBound, tooManySignatures } from '../../minute-bound.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaSender } from '../payout/solana-sender.ts'
import type { SolanaSigner } from '../signer/solana-signer.ts'
import { checkTransaction, readSponsoredPayment, signedOfTransaction } from './check-transaction.ts'
import { sponsoredTransaction } from './sponsored-transaction.ts'

const lamportsPerSol = 1_000_000_000n

/** The fee payer itself must keep so many lamports, or the network refuses its transactions. */
const ownRent = 890_880n

/** Simulations within a minute, by all clients: each takes three calls. Anybody can make keys without money and sign with them. */
const simulationsPerMinute = 300

type Deps = {
  network: SolanaNetwork & { signatureGas: NonNullable<SolanaNetwork['signatureGas']> }
  sender: SolanaSender
  signer: SolanaSigner
  nowMs: () => number
  wake: () => void
}

/** Payments by a transaction that the customer signs and that the fee payer pays for. */
export function createSolanaAuthorizer({ network, sender, signer, nowMs, wake }: Deps): Authorizer {
  const { coinPrice, perPayer, perAddress, dailyBudget } = network.signatureGas
  const feePayer = signer.feePayer.toBase58()
  const price = parseAmount(coinPrice, microDecimals)
  const simulations = createMinuteBound(simulationsPerMinute, nowMs)

  /** Millionths of a dollar, rounded up. */
  const costMicros = (lamports: bigint) => Number((lamports * price + lamportsPerSol - 1n) / lamportsPerSol)

  return {
    wake,
    limits: { perPayer, perAddress, dailyBudgetMicros: Number(parseAmount(dailyBudget, microDecimals)) },
    check: async (payment, signed, nowMs) => checkTransaction(payment, signed, { feePayer, nowMs }),

    async simulate({ data, value }) {
      if (!simulations.take()) throw tooManySignatures()
      const { payer, transfers, lamports } = readSponsoredPayment(data, feePayer)
      const mint = transfers[0]?.mint ?? ''
      const unavailable = (message: string) => new AuthorizationRefused('RELAY_UNAVAILABLE', message)
      const asked = Promise.all([
        sender.accounts([tokenAccountOf(mint, payer)]),
        sender.lamports(feePayer),
        sender.simulate(signer.coSign(data).raw),
      ])
      const [[account], balance, fault] = await asked.catch(() => {
        throw unavailable(`${network.name} cannot be read at the moment.`)
      })
      const held = account?.token?.amount ?? 0n
      if (held < value) {
        throw new AuthorizationRefused('INSUFFICIENT_FUNDS', 'The paying account has too little of the token.')
      }
      if (balance < lamports + ownRent) throw unavailable('The shop cannot pay the network fee at the moment.')
      if (fault !== undefined) {
        throw new AuthorizationRefused('TRANSFER_REFUSED', `The chain refuses the payment: ${fault}`)
      }
      const cost = costMicros(lamports)
      return { costMicros: cost, costMaxMicros: cost, balance: held }
    },

    async receipt(txId) {
      const { statuses } = await sender.statuses([txId])
      const [status] = statuses
      if (status === undefined) return undefined
      return status.isFailed ? 'reverted' : 'done'
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
