import { PaymentError } from '../core/errors.ts'
import type { KeyScope } from '../merchant/key-scope.ts'

/** The key is valid, but its scope does not allow the call. */
export class KeyScopeError extends PaymentError {
  constructor(message = 'A key with the scope "agent" may only create and read payments and links.') {
    super('KEY_SCOPE', message, { status: 403, error: 'Not in the scope of the key' })
  }
}

/** @param operation - What it declares for keys with the scope `agent`. */
export const isInScope = (scope: KeyScope, operation: { scope?: 'agent' }): boolean =>
  scope !== 'agent' || operation.scope === 'agent'

/** @throws {KeyScopeError} */
export function verifyScope(scope: KeyScope, operation: { scope?: 'agent' }): void {
  if (!isInScope(scope, operation)) throw new KeyScopeError()
}
