import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { ChainFamily } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { providerNames } from '../../rates/providers.ts'
import { addWallet, type Cli, jsonOption, noWallets, wholeNumber } from './cli.ts'
import { type Answers, type Initialised, initialise, initNetworks, unknownNetwork } from './init.ts'
import { fieldLines } from './text.ts'

const description = `create a configuration, a database, a merchant and sealed secrets in a folder

At a terminal, asks for missing options. Overwrites nothing. Uses OPERATOR_PRIVATE_KEY and, with Solana,
SOLANA_FEE_PAYER_KEY from the environment to pay gas and fees; generates them if unset.
With nodes of two hosts, payments of 1000 tokens and more need both to agree (highValue).

Networks: ${initNetworks.join(', ')}`

const portMax = 65_535
const feeBpsMax = 10_000
const nodesMax = 5

export function initCommand(cli: Cli) {
  return new Command('init')
    .summary('create everything a service needs')
    .description(description)
    .option('--folder <folder>', 'the folder; created if missing', '.')
    .option('--name <name>', 'name of the merchant, shown to customers')
    .option(
      '--network <network[=rpc-url]>',
      'a network to accept and its node (default: a public node); repeatable, also for a second node',
      addNode,
    )
    .option('--wallet <network=address>', 'wallet that receives payments on a network; repeatable', addWallet)
    .option(
      '--platform-wallet <[network=]address>',
      "wallet that receives the platform's share, on one or all EVM networks (default: the merchant's)",
      addPlatformWallet,
    )
    .option('--fee-bps <bps>', "the platform's share, in basis points", wholeNumber(0, feeBpsMax), 0)
    .option('--port <port>', 'port of the service', wholeNumber(1, portMax), 8787)
    .option('--public-url <url>', 'address for customers, such as https://pay.example')
    .option(
      '--trusted-proxy <address>',
      'address or network of a trusted proxy, such as 127.0.0.1 or 172.30.87.0/24; repeatable',
      addProxy,
    )
    .option('--relay', 'let customers pay from other chains through Relay (relay.link)')
    .addOption(
      new Option('--rates <provider>', 'exchange rates, for prices in other currencies than dollars').choices(
        providerNames,
      ),
    )
    .option(...jsonOption)
    .action(async (options, command) => {
      const missing = [
        ...(options.name === undefined ? ['--name'] : []),
        ...(options.network === undefined ? ['--network'] : []),
        ...[...(options.network?.keys() ?? [])]
          .filter((network) => options.wallet?.has(network) !== true)
          .map((network) => `--wallet ${network}=ADDRESS`),
      ]
      if (missing.length > 0 && !cli.input.isTerminal) command.error(`error: missing: ${missing.join(', ')}`)
      await cli.answer(options, async () => {
        const done = await initialise(await askedFor(cli, options), cli.env(), cli.runtime)
        return { json: done, text: textOf(done) }
      })
    })
}

type Nodes = ReadonlyMap<string, readonly string[]>
type Addresses = ReadonlyMap<string, string>
const noNodes: Nodes = new Map()

type Given = Pick<Answers, 'folder' | 'feeBps' | 'port'> & {
  name?: string | undefined
  network?: Nodes | undefined
  wallet?: Addresses | undefined
  platformWallet?: Addresses | undefined
  publicUrl?: string | undefined
  trustedProxy?: readonly string[] | undefined
  relay?: true | undefined
  rates?: Exclude<Answers['rates'], null> | undefined
}

/** Asks for missing options. If networks are given, asks for required answers only. */
async function askedFor({ input }: Cli, given: Given): Promise<Answers> {
  const { folder, feeBps, port } = given
  const name = given.name ?? (await input.ask('Name of the shop, shown to customers: '))
  const rpcUrls = given.network ?? (await askForNodes(input))
  const wallets = new Map(given.wallet)
  for (const network of rpcUrls.keys()) {
    if (wallets.has(network)) continue
    wallets.set(network, await input.ask(`Your wallet on ${network} (${familyOfName(network).walletHint}): `))
  }
  const asksAll = given.network === undefined
  const canRelay = [...rpcUrls.keys()].some((network) => familyOfName(network).receivesBridged)
  const relay = given.relay ?? (asksAll && canRelay && (await askForRelay(input)))
  const publicUrl = given.publicUrl ?? (asksAll ? await askForPublicUrl(input) : '')
  return {
    folder,
    name,
    feeBps,
    port,
    rpcUrls,
    wallets,
    relay,
    platformWallets: given.platformWallet ?? noWallets,
    publicUrl: publicUrl === '' ? null : publicUrl,
    trustedProxies: given.trustedProxy ?? [],
    rates: given.rates ?? null,
  }
}

/** Unknown networks are refused later, by `initialise`. */
const familyOfName = (network: string): ChainFamily => familyOf(knownNetworks.get(network) ?? { family: 'evm' })

const addProxy = (text: string, others: readonly string[] = []): readonly string[] => [...others, text]

async function askForNodes(input: Cli['input']): Promise<Nodes> {
  const names = await input.ask('Networks to accept, separated by spaces (try base-sepolia first): ')
  const nodes = new Map<string, readonly string[]>()
  for (const network of names.split(/[\s,]+/).filter((text) => text !== '')) {
    const first = await input.ask(`URL of a node of ${network} (https://…): `)
    const second = await input.ask(`A second node of ${network}, from another provider (empty: none): `)
    nodes.set(network, second === '' ? [first] : [first, second])
  }
  return nodes
}

const askForPublicUrl = (input: Cli['input']): Promise<string> =>
  input.ask('URL for customers (https://…; empty: not known yet): ')

const askForRelay = async (input: Cli['input']): Promise<boolean> =>
  /^y(es)?$/i.test(await input.ask('Let customers pay from other chains, through Relay (relay.link)? (y/N): '))

function addNode(text: string, nodes: Nodes = noNodes): Nodes {
  const [, network, given] = /^([^=]+)(?:=(.+))?$/.exec(text) ?? []
  if (!network) throw new InvalidArgumentError('It must be NETWORK or NETWORK=URL.')
  const known = knownNetworks.get(network)
  if (given === undefined && !known) throw new InvalidArgumentError(unknownNetwork(network))
  const [url] = given === undefined && known ? defaultNodesOf(known) : [given]
  if (url === undefined)
    throw new InvalidArgumentError(`No public node of ${network} is known: it must be NETWORK=URL.`)
  const before = nodes.get(network) ?? []
  if (before.includes(url)) throw new InvalidArgumentError(`The same node is given twice for ${network}.`)
  if (before.length >= nodesMax) throw new InvalidArgumentError(`There are more than ${nodesMax} nodes for ${network}.`)
  return new Map([...nodes, [network, [...before, url]]])
}

/** An address without a network is stored under `''`: for every EVM network without its own. */
function addPlatformWallet(text: string, wallets: Addresses = noWallets): Addresses {
  const [network, address] = text.includes('=') ? [text.split('=')[0], text.slice(text.indexOf('=') + 1)] : ['', text]
  if (network === undefined || !address) throw new InvalidArgumentError('It must be ADDRESS or NETWORK=ADDRESS.')
  if (wallets.has(network))
    throw new InvalidArgumentError(`There are two platform wallets for ${network || 'all networks'}.`)
  return new Map([...wallets, [network, address]])
}

function textOf({ files, operator, feePayer, contractNetworks, merchant }: Initialised): string {
  const config = `--config ${files.configuration}`
  const deploys = contractNetworks.map((network) => `deploy ${network} --as-operator ${config}`)
  const steps = [
    ...(operator === null
      ? []
      : [
          `Send some of the chain's coin to the operator, ${operator}, on ${contractNetworks.join(', ')}: it pays the gas.`,
          `${deploys.join('; ')}: deploys the contracts, if missing.`,
        ]),
    ...(feePayer === null ? [] : [`Send some SOL to the fee payer, ${feePayer}: it pays the fees on Solana.`]),
    `doctor ${config}`,
    `serve ${config}`,
  ]
  return `Created in this folder, readable by its owner only:
${fieldLines(files)}
Keep a copy of the key apart from copies of the database.

The merchant; its secrets are shown once:
${fieldLines(merchant)}

Next:
${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`
}
