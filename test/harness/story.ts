import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, isOnPostgres } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { getAddress, type Hex } from 'viem'
import { afterAll, afterEach, expect, inject } from 'vitest'
import { createMerchant, openBff, type PaymentBody, type Program, programOfRun, writeConfig } from './bff.ts'
import { confirmationsRequired, type NetworkName, openChain, type Where } from './chain.ts'
import { noGate, openGate } from './gate.ts'
import { openReceiver } from './receiver.ts'
import { openSolana } from './solana.ts'
import { openTempo } from './tempo.ts'
import { openTron } from './tron.ts'
import { until } from './until.ts'

/** Lines of the service's log shown when a story fails. */
const shownLines = 10
const shownChars = 400

/** 1.5 %. */
const feeBps = 150

/** EIP-712 domain of the test USDC. */
const usdcDomain = { name: 'USD Coin', version: '2' }

const logs = fileURLToPath(new URL('../.results/logs/', import.meta.url))

const logOf = (name: string) => join(logs, `${name}${isOnPostgres ? '-postgres' : ''}.log`)

/** The end of the service's log, the first thing to check when a story fails. */
function lastLinesOf(name: string): string {
  const lines = readFileSync(logOf(name), 'utf8').trimEnd().split('\n').slice(-shownLines)
  return [`${logOf(name)} ends with:`, ...lines.map((line) => `  ${line.slice(0, shownChars)}`), ''].join('\n')
}

const newWallet = () => getAddress(`0x${randomBytes(20).toString('hex')}` as Hex)

/** `solana`, `tempo`, `tron`: the service also takes payments on the local Solana, or on a local Tempo or Tron of the story's own; `unregistered`: on a Tempo whose registry does not know the merchant's wallet. `evmWallet`: the merchant's wallet on the EVM networks, where it is no plain address. `database`: a URL of PostgreSQL; where nothing is said, a database of its own of the run's kind. */
export type StoryOptions = {
  keepsPort?: boolean
  gated?: boolean
  program?: Program
  solana?: boolean
  tempo?: boolean | 'unregistered'
  euros?: boolean
  tron?: boolean
  evmWallet?: string
  database?: string
  settings?: Record<string, unknown>
  evmSettings?: Record<string, unknown>
  solanaSettings?: Record<string, unknown>
}

type StoryParts = Required<Omit<StoryOptions, 'database' | 'program'>> & {
  database: string | undefined
  program: Program | undefined
}

/** Seals the secrets where no file can be stored beside the database. */
const secretsKey = randomBytes(32).toString('base64')

/** No replica is alive: the next one need not wait until the killed one's leases expire. */
async function endLeasesOf(database: string): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query('update leases set ends_at_ms = 0').finally(() => client.end())
}

export type Story = Awaited<ReturnType<typeof openStory>>

/**
 * Everything for a file of stories: the service on its own database, a merchant whose wallets are empty, its server, and the
 * chains, which are restored afterwards. Ends with the file, even if a test failed.
 * @param name - Name of the service's log under `test/.results/logs`.
 * @param program - The program to start as a process; by default the service runs in this one.
 * @param keepsPort - A restarted service listens on the same port, for pages in a browser that know only that one.
 * @param gated - The service reaches each node of the EVM networks and of Solana through a gate, at the cost of another call for each.
 * @param euros - The service accepts EURC too.
 * @param settings - Additional settings of the service's configuration.
 * @param evmSettings - Additional settings of its EVM networks; `solanaSettings` of Solana.
 */
export async function openStory(
  name: string,
  {
    keepsPort = false,
    gated = false,
    program = programOfRun,
    solana = false,
    tempo = false,
    euros = false,
    tron = false,
    evmWallet = '',
    database,
    settings = {},
    evmSettings = {},
    solanaSettings = {},
  }: StoryOptions = {},
) {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  afterAll(close)
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(lastLinesOf(name))
  })
  try {
    const story = await build(
      name,
      {
        keepsPort,
        gated,
        program,
        solana,
        tempo,
        euros,
        tron,
        evmWallet,
        database,
        settings,
        evmSettings,
        solanaSettings,
      },
      closing,
    )
    await story.bff.start()
    return story
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  name: string,
  { keepsPort, gated, program, solana, tempo, euros, tron, evmWallet, database: given, ...changes }: StoryParts,
  closing: (() => unknown)[],
) {
  const { settings, evmSettings, solanaSettings } = changes
  const devnet = inject('devnet')
  const chain = openChain(devnet)
  await chain.catchUpWithClock()
  closing.push(await chain.remember())

  // In memory if there is room: every commit waits for the disk.
  const folder = mkdtempSync(join(process.env['TEST_DATABASE_FOLDER'] ?? tmpdir(), `stories-${name}-`))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(logs, { recursive: true })
  const logPath = logOf(name)
  rmSync(logPath, { force: true })

  const ofRun = isOnPostgres && given === undefined ? await createTestDatabase() : undefined
  if (ofRun) closing.push(ofRun.drop)
  const database = given ?? ofRun?.location

  const openNode = async (url: string) => {
    if (!gated) return { url, gate: noGate }
    const gate = await openGate(url)
    closing.push(gate.close)
    return { url: gate.url, gate }
  }
  const nodes = { devnet: await openNode(rpcUrl('devnet')), 'devnet-b': await openNode(rpcUrl('devnet-b')) }
  let secret = ''
  const receiver = await openReceiver(() => secret)
  closing.push(receiver.close)

  const wallets = { merchant: newWallet(), platform: newWallet() }
  const configPath = join(folder, 'bff.config.json')
  const databasePath = join(folder, 'checkout.sqlite')
  const networks = devnet.networks.map(({ shortName, name: title, family, chainId, factory, tokens }) => ({
    shortName,
    name: title,
    family,
    chainId,
    factory,
    isTestnet: true,
    pollMs: 50,
    rpcUrls: [nodes[shortName].url],
    confirmations: confirmationsRequired,
    platformWallet: wallets.platform,
    publicRpcUrls: [rpcUrl(shortName)],
    ...evmSettings,
    tokens: [
      { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC, permit: usdcDomain, authorization: usdcDomain },
      { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT, authorization: 'permit2' },
      ...(euros ? [{ symbol: 'EURC', name: 'EURC', ...tokens.EURC, authorization: 'permit2' }] : []),
    ],
  }))
  const onSolana = solana ? await openSolana(devnet, await openNode(devnet.solana.network.rpcUrl)) : null
  if (onSolana) networks.push({ ...onSolana.config, ...solanaSettings } as never)
  const onTempo = tempo ? await openTempo(devnet.customer, closing, tempo !== 'unregistered') : null
  if (onTempo) networks.push(onTempo.config as never)
  const onTron = tron ? await openTron(devnet.customer.privateKey, closing) : null
  if (onTron) networks.push(onTron.config as never)
  writeConfig(configPath, {
    port: 0,
    webhookTargets: 'any',
    rateLimits: 'off',
    platform: { feeBps },
    networks,
    ...settings,
  })
  const env: Record<string, string> = {
    BFF_CONFIG: configPath,
    ...(database === undefined ? { DATABASE_PATH: databasePath } : { DATABASE_URL: database, SECRETS_KEY: secretsKey }),
    OPERATOR_PRIVATE_KEY: devnet.operator.privateKey,
    ...onSolana?.env,
  }
  const endLeases = ofRun && (() => endLeasesOf(ofRun.location))
  const files = { configPath, databasePath, logPath, env, keepsPort, program, ...(endLeases && { endLeases }) }
  const merchant = await createMerchant(files, {
    devnet: evmWallet || wallets.merchant,
    'devnet-b': evmWallet || wallets.merchant,
    ...onSolana?.wallets,
    ...onTempo?.wallets,
    ...onTron?.wallets,
  })
  await onTempo?.forget()
  secret = merchant.webhookSecret
  const bff = openBff(files, merchant, receiver.url)
  closing.push(() => bff.kill())

  function rpcUrl(network: NetworkName): string {
    return devnet.networks.find(({ shortName }) => shortName === network)?.rpcUrl ?? ''
  }

  return {
    bff,
    chain,
    receiver,
    gates: { devnet: nodes.devnet.gate, 'devnet-b': nodes['devnet-b'].gate },
    wallets,
    devnet,
    folder,
    files,
    merchant,
    onSolana,
    onTempo,
    onTron,

    /** Watches both wallets. @returns what they have received since, in whole tokens, exactly. */
    async openTill({ token = 'USDC', network }: Where = {}) {
      const read = async () => [
        await chain.balance(token, wallets.merchant, network),
        await chain.balance(token, wallets.platform, network),
      ]
      const [merchantBefore = 0n, platformBefore = 0n] = await read()
      return async () => {
        const [ours = 0n, platform = 0n] = await read()
        const format = (amount: bigint) => chain.format(amount, token, network)
        return { merchant: format(ours - merchantBefore), platform: format(platform - platformBefore) }
      }
    },

    /** Waits until the service has applied the chain's newest block: what it has not seen by then, it has missed. */
    async caughtUp(network: NetworkName = 'devnet'): Promise<void> {
      const head = await chain.head(network)
      await until(`the watcher of ${network} to reach block ${head}`, async () => {
        const sql = 'select max(number) as newest from headers where network = ?'
        const [row] = await bff.query<{ newest: number | null }>(sql, network)
        return (row?.newest ?? -1) >= head
      })
    },

    /** Completes the sweeps of one network's paid deposits: they reach a block, and that block its confirmations. */
    async sweep(payments: readonly PaymentBody[], network?: NetworkName): Promise<void> {
      for (const { depositAddress } of payments) {
        await until(`the money of ${depositAddress} to be forwarded`, () => chain.hasCode(depositAddress, network))
      }
      await chain.mine(confirmationsRequired - 1, network)
      for (const { id } of payments) await bff.shows(id, { status: 'swept', settlement: { state: 'settled' } })
    },

    /** Waits until the merchant's server received exactly these events of the payment, each once and in this order. */
    async hears({ id }: { id: string }, types: readonly string[]): Promise<void> {
      await expect.poll(() => receiver.types(id)).toEqual(types)
      expect(receiver.events(id).map(({ sequence }) => sequence)).toEqual(types.map((_, index) => index + 1))
      expect(receiver.refusals).toEqual([])
    },
  }
}
