import { PaymentError } from '../../core/errors.ts'
import type { KeyScope } from '../../merchant/key-scope.ts'

/** @param operation - Its `scope`: whether keys with the scope `agent` may call it. */
export const isInScope = (scope: KeyScope, operation: { scope?: 'agent' }): boolean =>
  scope !== 'agent' || operation.scope === 'agent'

/** @throws {PaymentError} KEY_SCOPE. */
export function verifyScope(scope: KeyScope, operation: { scope?: 'agent' }): void {
  if (isInScope(scope, operation)) return
  throw new PaymentError('KEY_SCOPE', 'A key with the scope "agent" may only create and read payments and links.')
}
