import { createServer } from 'node:net'
import { familyOf } from '../../chain/index.ts'
import { OperatorError, PaymentError, ValidationError } from '../../core/errors.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import type { KnownNetwork } from '../../network/network-facts.ts'
import type { Cli } from './cli.ts'
import type { Answers, DepositChoice } from './init.ts'
import {
  canChooseDeposits,
  parseDeposits,
  parseName,
  parseNetworks,
  parseNodeUrl,
  parsePort,
  parseProxy,
  parsePublicUrl,
  parseWallet,
  SilentNodeError,
  verifyAccountKey,
  verifyNode,
} from './init-answers.ts'
import type { Given } from './init-options.ts'

const portDefault = 8787

/** Bounds a script that keeps giving wrong answers. */
const wrongAnswersMax = 20

type Asker = Pick<Cli, 'input' | 'writeError' | 'runtime'>

/** Asks for missing options. If networks are given, asks only for required answers. */
export async function askedFor(cli: Asker, given: Given, isOffline: boolean): Promise<Omit<Answers, 'folder'>> {
  const { nodes, platformWallets, feeBps, rates } = given
  const asksAll = nodes === undefined
  const name = given.name ?? (await askUntil(cli, 'Name of the shop, shown to customers: ', parseName))
  const rpcUrls = nodes ?? (await askForNodes(cli, isOffline))
  const deposits = new Map(given.deposits)
  const wallets = new Map(given.wallets)
  for (const network of rpcUrls.keys()) {
    const { shortName } = network
    if (asksAll && !deposits.has(shortName) && canChooseDeposits(network))
      deposits.set(shortName, await askForDeposits(cli, network, feeBps))
    if (wallets.has(shortName)) continue
    const ask = deposits.get(shortName) === 'xpub' ? askForAccount : askForWallet
    wallets.set(shortName, await ask(cli, network, wallets))
  }
  const publicUrl = given.publicUrl ?? (asksAll ? await askForPublicUrl(cli) : null)
  const asksProxy = asksAll && publicUrl !== null && given.trustedProxies.length === 0
  const canRelay = [...rpcUrls.keys()].some(
    (network) => familyOf(network).receivesBridged && deposits.get(network.shortName) !== 'xpub',
  )
  return {
    name,
    rpcUrls: new Map([...rpcUrls].map(([{ shortName }, urls]) => [shortName, urls])),
    deposits,
    wallets,
    platformWallets,
    feeBps,
    publicUrl,
    trustedProxies: asksProxy ? [await askForProxy(cli)] : given.trustedProxies,
    port: given.port ?? (asksAll ? await askForPort(cli) : portDefault),
    relay: given.relay || (asksAll && canRelay && (await askForRelay(cli))),
    rates,
  }
}

/** Repeats a question, with the reason, until its answer is valid. Other answers are kept. */
async function askUntil<T>(
  { input, writeError }: Asker,
  question: string,
  parse: (text: string) => T | Promise<T>,
): Promise<T> {
  for (let wrong = 0; wrong < wrongAnswersMax; wrong++) {
    const text = await input.ask(question)
    try {
      return await parse(text)
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      writeError(`  ${error.message}\n`)
    }
  }
  throw new OperatorError('There were too many wrong answers. Nothing was created.')
}

async function askForNodes(cli: Asker, isOffline: boolean): Promise<Map<KnownNetwork, readonly string[]>> {
  const question = 'Networks to accept, separated by spaces (try base-sepolia first): '
  const nodes = new Map<KnownNetwork, readonly string[]>()
  for (const network of await askUntil(cli, question, parseNetworks)) {
    const { shortName } = network
    const parse = isOffline ? parseNodeUrl : nodeVerifier(network, cli)
    const [standard] = defaultNodesOf(network)
    const [hint, other] = standard === undefined ? ['https://…', ''] : [`empty: the public node ${standard}`, standard]
    const first = await askUntil(cli, `URL of a node of ${shortName} (${hint}): `, (text) => parse(text || other))
    const askSecond = `A second node of ${shortName}, from another provider (empty: none): `
    const second = await askUntil(cli, askSecond, (text) => {
      if (text === first) throw new ValidationError('this is the first node')
      return text === '' ? null : parse(text)
    })
    nodes.set(network, second === null ? [first] : [first, second])
  }
  return nodes
}

/** A node that does not respond is accepted when the same URL is entered again: it may start later. */
function nodeVerifier(network: KnownNetwork, { runtime }: Asker): (text: string) => Promise<string> {
  const silent = new Set<string>()
  return async (text) => {
    const url = parseNodeUrl(text)
    try {
      await verifyNode(network, url, runtime)
    } catch (error) {
      if (!(error instanceof SilentNodeError)) throw error
      if (!silent.has(url)) {
        silent.add(url)
        throw new ValidationError(`${error.message}; enter it again to use it all the same`)
      }
    }
    return url
  }
}

/** Offers the wallet of an earlier network of the same family. */
async function askForWallet(cli: Asker, network: KnownNetwork, wallets: ReadonlyMap<string, string>): Promise<string> {
  const { parseAddress, walletHint } = familyOf(network)
  const before = [...wallets.values()].find((address) => parseAddress(address) !== undefined)
  const hint = before === undefined ? walletHint : `empty: ${before}`
  const question = `Your wallet on ${network.shortName} (${hint}): `
  return await askUntil(cli, question, (text) => parseWallet(network, text || (before ?? '')))
}

const depositsHelp = (name: string) => `Customers on ${name} pay to one of these:
  1  an address of the service for each payment. The service forwards the money to your wallet, which costs gas.
  2  an address of your own wallet for each payment. No gas, no contract, no key of the service; you refund yourself.
Your choice (empty: 1; it can be changed later, for new payments): `

const askForDeposits = (cli: Asker, network: KnownNetwork, feeBps: number): Promise<DepositChoice> =>
  askUntil(cli, depositsHelp(network.name), (text) => {
    if (text === '' || text === '1') return 'forwarder'
    if (text === '2') return parseDeposits(network, 'xpub', feeBps)
    throw new ValidationError('answer 1 or 2')
  })

/** The first address proves that the key belongs to the wallet. Offers the account of an earlier network. */
async function askForAccount(cli: Asker, network: KnownNetwork, wallets: ReadonlyMap<string, string>): Promise<string> {
  const before = [...wallets.values()].find((text) => text.includes('@'))
  const hint = before === undefined ? 'xpub…, never xprv…' : `xpub…; empty: that of ${before.split('@').at(-1)}`
  const question = `Extended public key of an account of your wallet that nothing else is paid to (${hint}): `
  const key = await askUntil(cli, question, (text) =>
    text === '' && before !== undefined ? before : verifyAccountKey(text),
  )
  if (key === before) return parseWallet(network, before, 'xpub')
  return await askUntil(cli, 'The first address that the wallet shows for this account: ', (text) =>
    parseWallet(network, `${key}@${text}`, 'xpub'),
  )
}

const askForPublicUrl = (cli: Asker): Promise<string | null> =>
  askUntil(cli, 'URL for customers (https://…; empty: not known yet): ', (text) =>
    text === '' ? null : parsePublicUrl(text),
  )

const askForProxy = (cli: Asker): Promise<string> =>
  askUntil(cli, 'Address of the proxy that serves this URL (empty: 127.0.0.1, this machine): ', (text) =>
    parseProxy(text || '127.0.0.1'),
  )

const askForPort = (cli: Asker): Promise<number> =>
  askUntil(cli, `Port of the service on this machine (empty: ${portDefault}): `, async (text) => {
    const port = parsePort(text || String(portDefault))
    if (await isFree(port)) return port
    throw new ValidationError(`port ${port} is in use by another program`)
  })

const askForRelay = (cli: Asker): Promise<boolean> =>
  askUntil(cli, 'Let customers pay from other chains, through Relay (relay.link)? (y/N): ', (text) => {
    if (/^y(es)?$/i.test(text)) return true
    if (/^(no?)?$/i.test(text)) return false
    throw new ValidationError('answer y or n')
  })

/** Whether the port is free on this machine. A port forbidden to this user counts as free: another user may start the service. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)))
  })
  return code !== 'EADDRINUSE'
}
