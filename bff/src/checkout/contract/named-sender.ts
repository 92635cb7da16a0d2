import { z } from '@hono/zod-openapi'
import { familyOf } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'

export const senderAddress = z.string().max(100)

/** @throws {ValidationError} when the text is not an address of the network. */
export function verifySenderAddress(network: Network, text: string | undefined): void {
  const { hasAddressForm, addressFormat } = familyOf(network)
  if (text === undefined || hasAddressForm(text)) return
  throw new ValidationError(`senderAddress must be an address of ${network.name}: ${addressFormat}`)
}
