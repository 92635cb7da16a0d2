import type { Caller } from '../../access/context/caller.ts'
import type { DepositDraft, DepositPlace } from '../../chain/deposit-kind.ts'
import { depositsOf } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Tx } from '../../db/db.ts'
import { takeNumber } from '../../merchant/address-source-store.ts'
import { initialPayouts } from '../../payment/initial-state.ts'
import type { DepositPayment, Payment } from '../../payment/payment.ts'
import type { PaymentMaker, PricedPayment } from '../payment-maker.ts'

const saltBytes = 32

/** Placeholder until the commit assigns the payment an address of the merchant's wallet. Never stored. */
const unplaced = { depositAddress: '', depositTerms: '', isDirect: true } as const

type Deps = {
  maker: PaymentMaker
  networks: Networks
  runtime: Runtime
  feeBps: number
  operator: string | null
  solanaOwner: ((terms: string) => string) | null
}

/** Drafts a payment with its own deposit address, for a customer or a relay. Nothing is stored or sent to the chain. */
export type DraftDeposit = (caller: Caller, body: PricedPayment, windowMs: number) => DepositPayment

/** Gives a draft the next address of the merchant's wallet, in the commit that stores the payment. A draft with an address keeps it. */
export type PlaceDeposit = (tx: Tx, payment: Payment) => Promise<Payment>

export function createDepositDrafts({ maker, networks, runtime, feeBps, operator, solanaOwner }: Deps): {
  draftDeposit: DraftDeposit
  placeDeposit: PlaceDeposit
} {
  return {
    draftDeposit(caller, body, windowMs) {
      const { network, token, merchantWallet, common } = maker.draft(caller, body, windowMs)
      const salt = Buffer.from(runtime.randomBytes(saltBytes)).toString('hex')
      const draft = { token, merchantWallet, common, feeBps, salt, operator, solanaOwner }
      return Object.assign(common, { mode: 'deposit' as const, ...initialPayouts, ...placeOf(network, draft) })
    },

    async placeDeposit(tx, payment) {
      if (payment.mode !== 'deposit' || payment.depositAddress !== '') return payment
      const network = findNetwork(networks, payment.network)
      if (!network) throw new Error(`The network ${payment.network} is not configured.`)
      const rules = depositsOf(network)
      if (!rules.isDirect) throw new Error(`Deposits on ${payment.network} need no number.`)
      const taken = await takeNumber(tx, payment, rules.numberMax)
      // The caller's data may be stale, and the wallet may predate a change of the network's kind of deposits.
      if (taken === undefined || !rules.isSource(taken.source)) {
        const message = `The merchant has named no wallet account for deposits on ${network.name} (${network.shortName}).`
        throw new ValidationError(message, 'WALLET_MISSING')
      }
      return { ...payment, ...rules.placeAt(network, taken) }
    },
  }
}

function placeOf(network: Network, draft: DepositDraft): DepositPlace {
  const rules = depositsOf(network)
  if (!rules.isDirect) return rules.newDeposit(network, draft)
  return draft.common.isTest ? rules.testPlace(network, draft.salt) : unplaced
}
