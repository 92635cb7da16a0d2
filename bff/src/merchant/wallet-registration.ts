import { familyOf } from '../chain/index.ts'
import { NetworkMismatchError } from '../chain/network-fault.ts'
import { PaymentError } from '../core/errors.ts'
import { findNetwork, type Networks } from '../core/families.ts'
import { faultText } from '../core/fault-text.ts'
import type { Wallet } from './account-store.ts'

/**
 * The wallet that the chain credits for addresses of the source. Null: none is registered; undefined: the network has no
 * registration.
 * @throws {NetworkMismatchError} when the chain has no registry. Also throws the node's errors.
 */
export type ReadMaster = (network: string, source: string, signal: AbortSignal) => Promise<string | null | undefined>

/** How long to wait for a node's response. */
const askMs = 10_000

/** `other`: the id belongs to another wallet, which happens to one wallet in four billion. */
export const registrationStates = ['registered', 'missing', 'other'] as const

export type RegistrationState = (typeof registrationStates)[number]

/** What verifying a registration needs. */
export type Registrations = {
  networks: Networks
  readMaster: ReadMaster
  /** Called with the reason when no node answers. */
  onFault(network: string, fault: string): void
}

/**
 * Asks the chain. Undefined when the wallet needs no registration.
 * @throws {PaymentError} when no node answers.
 */
export async function readRegistration(
  { networks, readMaster, onFault }: Registrations,
  { network: shortName, source, address }: Wallet,
): Promise<RegistrationState | undefined> {
  const network = findNetwork(networks, shortName)
  if (!network || source === null) return undefined
  let master: string | null | undefined
  try {
    master = await readMaster(shortName, source, AbortSignal.timeout(askMs))
  } catch (error) {
    onFault(shortName, faultText(error))
    const reason = error instanceof NetworkMismatchError ? error.message : `No node of ${network.name} answers.`
    throw new PaymentError('NETWORK_UNAVAILABLE', `The registration of ${address} could not be verified: ${reason}`)
  }
  if (master === undefined) return undefined
  if (master === null) return 'missing'
  return familyOf(network).isSameAddress(master, address) ? 'registered' : 'other'
}

/**
 * Verifies a wallet before it becomes a merchant's: money sent to an unregistered wallet would not arrive, so no payment
 * would be accepted.
 * @throws {PaymentError} when the wallet is not registered, or no node answers.
 */
export async function verifyRegistration(registrations: Registrations, wallet: Wallet): Promise<void> {
  const state = await readRegistration(registrations, wallet)
  if (state === undefined || state === 'registered') return
  const name = findNetwork(registrations.networks, wallet.network)?.name ?? wallet.network
  const reason = state === 'missing' ? 'is not registered' : 'is registered for another wallet'
  throw new PaymentError(
    'WALLET_NOT_REGISTERED',
    `The id ${wallet.source} of the wallet ${wallet.address} ${reason} on ${name}. Run "deploy ${wallet.network} --wallet ${wallet.address}". Nothing was changed.`,
  )
}
