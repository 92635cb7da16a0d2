import { z } from '@hono/zod-openapi'
import { addressFormat, hasAddressForm } from '../../chain/address.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'

export const senderAddress = z.string().max(100)

/** @throws {ValidationError} when it is no address of the network. */
export function verifySenderAddress(network: Network, text: string | undefined): void {
  if (text === undefined || hasAddressForm(network, text)) return
  throw new ValidationError(`senderAddress must be an address of ${network.name}: ${addressFormat(network)}`)
}
