import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isAddressOrNetwork } from '../../access/http/client-address.ts'
import { chainFamilies, depositsOf } from '../../chain/index.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { parseXpub } from '../../chain/xpub-account.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Network } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import { isSafeUrl } from '../../core/safe-url.ts'
import { shownAddress } from '../../core/shown-address.ts'
import { checkWallet } from '../../merchant/wallets.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import type { KnownNetwork } from '../../network/network-facts.ts'
import { networkSchema } from '../config/network-schema.ts'
import { examineNewNode, isNodeUrl } from '../config/node-fault.ts'
import { type DepositChoice, serviceFilesIn, unknownNetwork } from './init.ts'

/*
 * The rules of each answer of `init`. Each function returns the answer as it is stored, or throws a `ValidationError` whose
 * message is for the person who typed it. No message repeats a node's URL, which often contains a key.
 */

const nameCharsMax = 100
const portMax = 65_535
const feeBpsMax = 10_000

/** The node did not respond: whether it is on the network is unknown. */
export class SilentNodeError extends ValidationError {}

export function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > nameCharsMax) {
    throw new ValidationError(`name must have 1 to ${nameCharsMax} characters`)
  }
  return name
}

/** Short names separated by spaces or commas, each once. */
export function parseNetworks(text: string): KnownNetwork[] {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
  if (names.length === 0) throw new ValidationError('name at least one network')
  return names.map(parseNetwork)
}

export function parseNetwork(name: string): KnownNetwork {
  const known = knownNetworks.get(name)
  if (known?.deposits !== undefined) {
    throw new ValidationError(`"${name}" needs a registered wallet: configure it in the file, as docs/tempo.md says`)
  }
  if (!known) throw new ValidationError(unknownNetwork(name))
  return known
}

export function parseNodeUrl(text: string): string {
  if (!isNodeUrl(text)) throw new ValidationError('a node must be a URL: https://…')
  return text
}

/**
 * Verifies before the first question that the service can be created in a folder, which need not exist.
 * @throws {ValidationError} when the folder contains a service or cannot be written.
 */
export function verifyFolder(name: string): void {
  const folder = resolve(name)
  const there = serviceFilesIn(folder)
  if (there.length > 0) throw new ValidationError(`nothing was created, because these files exist: ${there.join(', ')}`)
  try {
    accessSync(nearestFolder(folder), constants.W_OK | constants.X_OK)
  } catch {
    throw new ValidationError(`nothing was created, because this user cannot write to ${folder}`)
  }
}

/** The folder, or its nearest existing parent. */
function nearestFolder(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : nearestFolder(parent)
}

/** @param feeBps - The platform's share, which the service takes only from its own addresses. */
export function parseDeposits(network: KnownNetwork, text: string, feeBps: number): DepositChoice {
  if (text !== 'forwarder' && text !== 'xpub') {
    throw new ValidationError(`it must be forwarder or xpub, not "${text.slice(0, 40)}"`)
  }
  const configured = configuredWith(network, text)
  if (configured === undefined) throw new ValidationError(`${network.name} has no "${text}" addresses`)
  const rules = depositsOf(configured)
  if (rules.isDirect && feeBps > 0) throw new ValidationError(`--fee-bps must be 0 there: ${rules.noShareReason}`)
  return text
}

/** Whether a network's deposits may go to addresses of the merchant's own wallet instead of the service's. */
export const canChooseDeposits = (network: KnownNetwork): boolean => configuredWith(network, 'xpub') !== undefined

/** The wallet in the form that creating the merchant takes; for an account, the extended public key and its first address. */
export function parseWallet(network: KnownNetwork, text: string, deposits: DepositChoice = 'forwarder'): string {
  const { shortName } = network
  const configured = configuredWith(network, deposits) ?? unconfigured(network)
  const { source, address } = checkWallet(new Map([[shortName, configured]]), shortName, text)
  return source === null ? address : `${source}@${address}`
}

/** @throws {ValidationError} when the text is not an account's extended public key. */
export function verifyAccountKey(text: string): string {
  const parsed = parseXpub(text)
  if ('fault' in parsed) throw new ValidationError(parsed.fault, parsed.code)
  return text
}

/** @param network - Undefined: the address is for every EVM network. */
export function parsePlatformWallet(text: string, network?: KnownNetwork): string {
  if (network) return parseWallet(network, text)
  const address = chainFamilies.evm.parseAddress(text)
  if (address === undefined) {
    throw new ValidationError(
      `"${shownAddress(text)}" must be an address, with its checksum: ${chainFamilies.evm.addressFormat}`,
    )
  }
  return address
}

/** A known network without nodes and wallets, for rules that need neither. */
const unconfigured = (network: KnownNetwork): Network => networkSchema.parse(draftOf(network))

/** The same network with a kind of deposit address; undefined when the network does not offer that kind. */
const configuredWith = (network: KnownNetwork, deposits: DepositChoice): Network | undefined =>
  networkSchema.safeParse({ ...draftOf(network), deposits }).data

const draftOf = ({ shortName, tokens }: KnownNetwork) => ({
  shortName,
  rpcUrls: ['https://node.invalid'],
  platformWallet: tokens[0]?.address,
})

export function parsePublicUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new ValidationError('the URL for customers must begin with https://, such as https://pay.example')
  }
  const url = new URL(text)
  if (!isSafeUrl(text)) {
    throw new ValidationError('the URL for customers must be https: browsers and passkeys refuse http')
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new ValidationError('the URL for customers must have no password, ? or #')
  }
  return text.replace(/\/+$/, '')
}

export function parseProxy(text: string): string {
  if (isAddressOrNetwork(text)) return text
  throw new ValidationError(
    `a proxy must be an IP address, or a network such as 172.30.87.0/24, not "${text.slice(0, 60)}"`,
  )
}

export const parsePort = (text: string): number => parseWhole('the port', text, 1, portMax)

export const parseFeeBps = (text: string): number => parseWhole('the fee', text, 0, feeBpsMax)

function parseWhole(what: string, text: string, min: number, max: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ValidationError(`${what} must be a whole number, ${min} to ${max}`)
}

/**
 * Examines a node as the set-up page and `doctor` do.
 * @throws {SilentNodeError} when it does not respond.
 * @throws {ValidationError} when it is on another chain, or cannot do what payments need.
 */
export async function verifyNode(network: KnownNetwork, url: string, runtime: Runtime): Promise<void> {
  const asked = { ...unconfigured(network), rpcUrls: [url] }
  const { fault } = await examineNewNode(asked, commandPoolDeps(runtime), runtime)
  if (fault === null) return
  const { name } = network
  const { host } = new URL(url)
  if (fault.kind !== 'silent')
    throw new ValidationError(`the node at ${host} cannot be used for ${name}: ${fault.says}`)
  throw new SilentNodeError(
    fault.isSuggested
      ? `the suggested node of ${name}, ${host}, is not responding right now`
      : `the node at ${host} does not respond as a node of ${name}`,
  )
}
