import { type Answer, isSameAmount, toSend } from '../payment.ts'

/**
 * What is asked of a wallet is what the customer sees.
 * @throws {RangeError} when the service says something else by now.
 */
export function verifyShown({ payment: shown }: Answer, { payment: now }: Answer): void {
  const names = ['id', 'currency', 'network', 'chainId', 'depositAddress', 'isContract'] as const
  const changed = names.find((name) => shown[name] !== now[name])
  const isOther = changed || !isSameAmount(shown.amount, now.amount) || !isSameAmount(toSend(shown), toSend(now))
  if (isOther)
    throw new RangeError(`The payment on screen has changed (${changed ?? 'amount'}). Look at it and try again.`)
}
