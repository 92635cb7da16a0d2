import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { addWallet, type Cli, jsonOption, noWallets, wholeNumber } from './cli.ts'
import { type Answers, type Initialised, initialise, initNetworks } from './init.ts'
import { fieldLines } from './text.ts'

const description = `make a configuration, a database, a merchant and sealed secrets in a folder

What is not given is asked for, where somebody is there to answer. Nothing is ever overwritten. The operator's key is
OPERATOR_PRIVATE_KEY of the environment, else a new one that nobody sees.

Networks: ${initNetworks.join(', ')}`

const portMax = 65_535
const feeBpsMax = 10_000

export function initCommand(cli: Cli) {
  return new Command('init')
    .summary('make everything that a service needs')
    .description(description)
    .option('--folder <folder>', 'where; made when it is not there', '.')
    .option('--name <name>', 'of the merchant: what customers see')
    .option('--network <network=rpc-url>', 'to be paid on; may be repeated', addNode)
    .option('--wallet <network=address>', 'where its money goes on a network; may be repeated', addWallet)
    .option('--platform-wallet <address>', "where the platform's share goes; else the merchant's wallet")
    .option('--fee-bps <bps>', "the platform's share, in basis points", wholeNumber(0, feeBpsMax), 0)
    .option('--port <port>', 'where the service listens', wholeNumber(1, portMax), 8787)
    .option(...jsonOption)
    .action(async (options, command) => {
      const given = { ...options, platformWallet: options.platformWallet ?? null }
      const missing = [
        ...(options.name === undefined ? ['--name'] : []),
        ...(options.network === undefined ? ['--network'] : []),
        ...[...(options.network?.keys() ?? [])]
          .filter((network) => options.wallet?.has(network) !== true)
          .map((network) => `--wallet ${network}=ADDRESS`),
      ]
      if (missing.length > 0 && !cli.input.isTerminal) command.error(`error: missing: ${missing.join(', ')}`)
      await cli.answer(options, async () => {
        const done = await initialise(await askedFor(cli, given), cli.env(), cli.runtime)
        return { json: done, text: textOf(done) }
      })
    })
}

type Given = Omit<Answers, 'name' | 'rpcUrls' | 'wallets'> & {
  name?: string | undefined
  network?: ReadonlyMap<string, string> | undefined
  wallet?: ReadonlyMap<string, string> | undefined
}

/** Asks for what was not given. */
async function askedFor({ input }: Cli, { name, network, wallet, ...rest }: Given): Promise<Answers> {
  const asked = name ?? (await input.ask('Name of the shop, as customers see it: '))
  let rpcUrls = network
  if (rpcUrls === undefined) {
    const names = (await input.ask('Networks to be paid on, separated by spaces (try base-sepolia first): ')).split(
      /[\s,]+/,
    )
    rpcUrls = noWallets
    for (const one of names.filter((text) => text !== '')) {
      rpcUrls = new Map([...rpcUrls, [one, await input.ask(`Address of a node of ${one} (https://…): `)]])
    }
  }
  let wallets = wallet ?? noWallets
  for (const one of rpcUrls.keys()) {
    if (!wallets.has(one)) wallets = new Map([...wallets, [one, await input.ask(`Your wallet on ${one} (0x…): `)]])
  }
  return { ...rest, name: asked, rpcUrls, wallets }
}

function addNode(text: string, nodes: ReadonlyMap<string, string> = noWallets): ReadonlyMap<string, string> {
  const [, network, url] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (!network || !url) throw new InvalidArgumentError('It must be NETWORK=URL.')
  if (nodes.has(network)) throw new InvalidArgumentError(`There are two nodes for ${network}: add more to the file.`)
  return new Map([...nodes, [network, url]])
}

function textOf({ files, operator, networks, merchant }: Initialised): string {
  const config = `--config ${files.configuration}`
  return `Made in this folder, readable by its owner only:
${fieldLines(files)}
Keep a copy of the key apart from copies of the database.

The merchant; its secrets are shown once:
${fieldLines(merchant)}

Next:
1. Send some of the chain's coin to the operator, ${operator}, on ${networks.join(', ')}: it pays the gas.
2. ${networks.map((network) => `deploy ${network} --as-operator ${config}`).join('; ')}: the contracts, where they are missing.
3. doctor ${config}
4. serve ${config}`
}
