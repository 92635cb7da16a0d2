import type { WalletPayments } from '../../chain/connector.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { AgentGuard } from '../agent-guard.ts'
import type { Authorizations } from '../authorization/authorize.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { WaitForPayment } from '../read/wait-for-payment.ts'
import { createAuthorizationScheme } from './authorization-scheme.ts'
import type { ExactScheme } from './exact-scheme.ts'
import { createTransactionScheme } from './transaction-scheme.ts'
import { createX402Payments } from './x402-payments.ts'

type Deps = {
  db: Db
  networks: Networks
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  authorizations: Authorizations
  operator: string | null
  read: ReadPayment
  waitForPayment: WaitForPayment
  runtime: Runtime
  agents: AgentGuard
  stopping: AbortSignal
}

/** Payments through x402 on every network that can send what clients sign. */
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
  return { schemes, x402: createX402Payments({ ...deps, schemes }) }
}
