import { PaymentError } from '../core/errors.ts'
import type { KeyScope } from '../merchant/key-scope.ts'

/**
 * What a key with the scope `agent` may call, by the operations of the OpenAPI document: the routes that do what its tools do. Not among them is
 * whatever moves money or its news, lifts a limit, or reads other customers' payments as a list. `key-scopes.test.ts` compares them.
 */
const agentOperations: ReadonlySet<string> = new Set([
  'post /deposits/create',
  'post /sandbox/payments/create',
  'get /payments/{paymentId}',
  'get /deposits/status/{paymentId}',
  'get /payments/{paymentId}/status',
  'get /payments/status/{paymentId}',
  'get /deposits/balance/{paymentId}',
  'post /payments/verify-qr',
  'post /links',
  'get /links/{linkId}',
  'get /merchants/agent-policies/{agentId}',
  'get /merchants/agent-policies/{agentId}/decisions',
  'get /networks',
  'get /networks/stablecoins',
  'get /networks/payable',
  'get /networks/payable/stablecoins',
  'get /networks/{networkId}/tokens',
  // Its tools are fewer than a merchant's: `agent/mcp/tools.ts`.
  'post /mcp',
])

/** The key is good, and may not do this. */
export class KeyScopeError extends PaymentError {
  constructor(
    message = 'This key has the scope "agent": it may create and read payments and links, and nothing else.',
  ) {
    super('KEY_SCOPE', message, { status: 403, error: 'Not in the scope of the key' })
  }
}

/** @throws {KeyScopeError} */
export function verifyScope(scope: KeyScope, operation: string): void {
  if (scope === 'agent' && !agentOperations.has(operation)) throw new KeyScopeError()
}
