import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import type { KnownNetwork } from '../../network/network-facts.ts'
import { type ProviderName, providerNames } from '../../rates/providers.ts'
import type { DepositChoice } from './init.ts'
import {
  parseDeposits,
  parseFeeBps,
  parseName,
  parseNetwork,
  parseNodeUrl,
  parsePlatformWallet,
  parsePort,
  parseProxy,
  parsePublicUrl,
  parseWallet,
  SilentNodeError,
  verifyNode,
} from './init-answers.ts'

/** The options of `init` as they were typed. */
export type TypedOptions = {
  name?: string | undefined
  network?: readonly string[] | undefined
  deposits?: readonly string[] | undefined
  wallet?: readonly string[] | undefined
  platformWallet?: readonly string[] | undefined
  feeBps: string
  port?: string | undefined
  publicUrl?: string | undefined
  trustedProxy?: readonly string[] | undefined
  relay?: true | undefined
  rates?: string | undefined
  offline?: true | undefined
}

export type Given = {
  name: string | undefined
  /** Nodes by network; undefined: no option named a network. */
  nodes: ReadonlyMap<KnownNetwork, readonly string[]> | undefined
  deposits: ReadonlyMap<string, DepositChoice>
  wallets: ReadonlyMap<string, string>
  platformWallets: ReadonlyMap<string, string>
  feeBps: number
  port: number | undefined
  publicUrl: string | undefined
  trustedProxies: readonly string[]
  relay: boolean
  rates: ProviderName | null
}

const nodesMax = 5

/**
 * Parses all options, and asks each node which chain it is on.
 * @param canAsk - Whether missing options will be asked for.
 * @returns every fault of every option, so that one run shows them all.
 */
export async function verifyOptions(
  options: TypedOptions,
  canAsk: boolean,
  runtime: Runtime,
): Promise<{ given: Given; faults: string[] }> {
  const faults: string[] = []
  const parsed = <T>(option: string, parse: () => T, otherwise: T): T => {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      // The option's name already says that this is about a wallet.
      faults.push(`${option}: ${error.message.replace(/^wallet: /, '')}`)
      return otherwise
    }
  }
  const fault = (option: string, says: string) => faults.push(`${option}: ${says}`)

  const nodes = new Map<KnownNetwork, readonly string[]>()
  for (const text of options.network ?? []) {
    const [, name = '', url] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? []
    const network = parsed('--network', () => parseNetwork(name), undefined)
    if (!network) continue
    const option = `--network ${network.shortName}`
    const node = url === undefined ? defaultNodesOf(network)[0] : parsed(option, () => parseNodeUrl(url), undefined)
    const before = nodes.get(network) ?? []
    if (node !== undefined && before.includes(node)) fault(option, 'the same node is given twice')
    else if (before.length >= nodesMax) fault(option, `more than ${nodesMax} nodes`)
    nodes.set(network, node === undefined ? before : [...before, node])
  }
  const networkOf = (name: string) => [...nodes.keys()].find(({ shortName }) => shortName === name)

  const feeBps = parsed('--fee-bps', () => parseFeeBps(options.feeBps), 0)
  const deposits = new Map<string, DepositChoice>()
  for (const text of options.deposits ?? []) {
    const [name = '', kind = ''] = text.split('=', 2)
    const network = networkOf(name)
    if (!network) fault('--deposits', `there is no --network ${name.slice(0, 40)}`)
    else
      deposits.set(
        name,
        parsed(`--deposits ${name}`, () => parseDeposits(network, kind, feeBps), 'forwarder'),
      )
  }

  const addressesOf = (
    option: string,
    typed: readonly string[] = [],
    parse: (address: string, network: KnownNetwork | undefined) => string,
    canOmitNetwork = false,
  ) => {
    const addresses = new Map<string, string>()
    for (const text of typed) {
      const at = text.indexOf('=')
      const [name, address] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
      const network = networkOf(name)
      if (addresses.has(name)) fault(option, `there are two for ${name || 'all networks'}`)
      else if (at < 1 && !canOmitNetwork) fault(option, 'it must be NETWORK=ADDRESS')
      else if (at > 0 && !network) fault(option, `there is no --network ${name.slice(0, 40)}`)
      else
        addresses.set(
          name,
          parsed(name ? `${option} ${name}` : option, () => parse(address, network), ''),
        )
    }
    return addresses
  }
  const wallets = addressesOf('--wallet', options.wallet, (text, network) =>
    network ? parseWallet(network, text, deposits.get(network.shortName)) : text,
  )
  const platformWallets = addressesOf('--platform-wallet', options.platformWallet, parsePlatformWallet, true)

  const { name, port, publicUrl, rates } = options
  const given: Given = {
    name: name === undefined ? undefined : parsed('--name', () => parseName(name), ''),
    nodes: options.network === undefined ? undefined : nodes,
    deposits,
    wallets,
    platformWallets,
    feeBps,
    port: port === undefined ? undefined : parsed('--port', () => parsePort(port), 0),
    publicUrl: publicUrl === undefined ? undefined : parsed('--public-url', () => parsePublicUrl(publicUrl), ''),
    trustedProxies: (options.trustedProxy ?? []).map((text) => parsed('--trusted-proxy', () => parseProxy(text), '')),
    relay: options.relay === true,
    rates: providerNames.find((provider) => provider === rates) ?? null,
  }
  if (rates !== undefined && given.rates === null) fault('--rates', `it must be one of: ${providerNames.join(', ')}`)
  if (!canAsk) {
    if (name === undefined) fault('--name', 'is missing')
    if (options.network === undefined) fault('--network', 'is missing')
    for (const { shortName } of nodes.keys()) {
      if (!wallets.has(shortName)) fault(`--wallet ${shortName}=ADDRESS`, 'is missing')
    }
  }
  if (!options.offline) faults.push(...(await nodeFaults(nodes, runtime)))
  return { given, faults }
}

/** Asks all nodes at once. */
async function nodeFaults(nodes: ReadonlyMap<KnownNetwork, readonly string[]>, runtime: Runtime): Promise<string[]> {
  const asked = [...nodes].flatMap(([network, urls]) => urls.map((url) => ({ network, url })))
  const found = asked.map(async ({ network, url }) => {
    try {
      await verifyNode(network, url, runtime)
      return []
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      const advice = error instanceof SilentNodeError ? '; --offline accepts it without a check' : ''
      return [`--network ${network.shortName}: ${error.message}${advice}`]
    }
  })
  return (await Promise.all(found)).flat()
}
