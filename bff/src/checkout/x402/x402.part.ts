import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { AgentGuard } from '../agent-guard.ts'
import type { Authorizations } from '../authorization/authorize.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PublicResponses } from '../read/public-response.ts'
import type { WaitForPayment } from '../read/wait-for-payment.ts'
import { createAuthorizationScheme } from './authorization-scheme.ts'
import { chargeRoute } from './charge.routes.ts'
import { createCharges } from './charge.ts'
import { createClaims } from './claim.ts'
import type { ExactScheme } from './exact-scheme.ts'
import { facilitatorRoutes } from './facilitator.routes.ts'
import { createFacilitator } from './facilitator.ts'
import { createTransactionScheme } from './transaction-scheme.ts'
import { asksByX402, createPaymentAnswer, x402Routes } from './x402.routes.ts'
import { createX402Answers } from './x402-answer.ts'
import { createX402Payments } from './x402-payments.ts'

type Deps = {
  db: Db
  networks: Networks
  /** Keyed by the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  authorizations: Authorizations
  operator: string | null
  read: ReadPayment
  waitForPayment: WaitForPayment
  runtime: Runtime
  agents: AgentGuard
  stopping: AbortSignal
  ledger: Ledger
  vault: Vault
  limits: RateLimits
  clientDigest: (address: string) => string
  publicBody: PublicResponses
  createDeposit: ReturnType<typeof createDeposits>
  waitMs: number
}

/** Payments through x402. Networks without `signatureGas` only follow proofs that were settled before. */
export function openX402(deps: Deps) {
  const schemes = new Map<string, ExactScheme>()
  for (const network of deps.networks.values()) {
    const { authorizer } = deps.chains.get(network.shortName) ?? {}
    if (!authorizer) continue
    const scheme = authorizer.sponsor
      ? createTransactionScheme(deps, network, authorizer.sponsor)
      : createAuthorizationScheme(deps, network)
    schemes.set(network.shortName, scheme)
  }
  const x402 = createX402Payments({ ...deps, schemes })
  const answers = createX402Answers({ ...deps, x402 })
  const answer = createPaymentAnswer({ ...deps, x402, answers })
  return {
    /** For the payment page, which programs also request. */
    pay: { isAsked: asksByX402, answer },
    /** Must be registered before other payment routes, whose paths also match the facilitator's. */
    routes(api: Operations) {
      facilitatorRoutes(api, { ...deps, facilitator: createFacilitator({ ...deps, schemes, x402 }) })
      chargeRoute(api, { ...deps, x402, answers, charges: createCharges({ ...deps, claims: createClaims(deps) }) })
      x402Routes(api, { ...deps, answer })
    },
  }
}

export type X402 = ReturnType<typeof openX402>
