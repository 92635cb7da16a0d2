import type { Caller } from '../../access/caller.ts'
import { familyOf } from '../../chain/index.ts'
import type { Runtime } from '../../core/runtime.ts'
import { initialPayouts } from '../../payment/initial-state.ts'
import type { DepositPayment } from '../../payment/payment.ts'
import type { PaymentMaker, PricedPayment } from '../payment-maker.ts'

const saltBytes = 32

type Deps = {
  maker: PaymentMaker
  runtime: Runtime
  feeBps: number
  operator: string | null
  solanaOwner: ((terms: string) => string) | null
}

/** Drafts a payment with its own deposit address, for a customer or a relay. Nothing is stored or sent to the chain. */
export type DraftDeposit = (caller: Caller, body: PricedPayment, windowMs: number) => DepositPayment

export function createDepositDrafts({ maker, runtime, feeBps, operator, solanaOwner }: Deps): DraftDeposit {
  return (caller, body, windowMs) => {
    const { network, token, merchantWallet, common } = maker.draft(caller, body, windowMs)
    const salt = Buffer.from(runtime.randomBytes(saltBytes)).toString('hex')
    const draft = { token, merchantWallet, common, feeBps, salt, operator, solanaOwner }
    return Object.assign(common, {
      mode: 'deposit' as const,
      ...initialPayouts,
      ...familyOf(network).newDeposit(network, draft),
    })
  }
}
