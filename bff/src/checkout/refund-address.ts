import { familyOf, familyOfPayment } from '../chain/index.ts'
import { ValidationError } from '../core/errors.ts'
import { findNetwork, type Networks } from '../core/families.ts'
import type { Payment } from '../payment/payment.ts'

/**
 * The address that money of a payment goes back to.
 * @param networkName - The network of the money.
 * @returns the address in the network's canonical form.
 * @throws {ValidationError} with the reason: the money could not be moved from there, or is not the customer's.
 */
export function parseRefundAddress(text: string, payment: Payment, networkName: string, networks: Networks): string {
  const network = findNetwork(networks, networkName)
  if (network === undefined && networkName !== payment.network) {
    throw new ValidationError(`network "${networkName}" is not supported`)
  }
  const family = network ? familyOf(network) : familyOfPayment(payment)
  const address = family.parseAddress(text.trim())
  if (address === undefined) {
    throw new ValidationError(`address must be an address on ${network?.name ?? networkName}: ${family.addressFormat}`)
  }
  const is = (other: string) => family.isSameAddress(other, address)
  if (is(family.zeroAddress)) throw new ValidationError('address must not be the zero address')
  if (payment.mode === 'deposit' && is(payment.depositAddress)) {
    throw new ValidationError('address must not be the deposit address itself')
  }
  // Contracts of all networks are refused on every network: such an address is rarely a wallet on another network.
  const all = [...networks.values()]
  if (is(payment.tokenAddress) || all.some(({ tokens }) => tokens.some((token) => is(token.address)))) {
    throw new ValidationError('address must not be the address of a token')
  }
  if (family.isContractOfOurs(address) || all.some((one) => familyOf(one).isContractOfOurs(address, one))) {
    throw new ValidationError('address must not be a contract of this service')
  }
  return address
}
