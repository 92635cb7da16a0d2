import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getAddress, type Hex } from 'viem'
import { afterAll, expect, inject } from 'vitest'
import { bundle, createMerchant, openBff, type PaymentBody, type Program, writeConfig } from './bff.ts'
import { type NetworkName, openChain, type Where } from './chain.ts'
import { openGate } from './gate.ts'
import { openReceiver } from './receiver.ts'
import { openSolana } from './solana.ts'
import { until } from './until.ts'

/** Head − block + 1 at which a transfer counts, and a sweep is final. */
const confirmationsRequired = 3

/** 1.5 %. */
const feeBps = 150

/** What the test USDC's signatures are bound to (EIP-712). */
const usdcDomain = { name: 'USD Coin', version: '2' }

const logs = fileURLToPath(new URL('../.results/logs/', import.meta.url))

const newWallet = () => getAddress(`0x${randomBytes(20).toString('hex')}` as Hex)

/** `solana`: the service also takes payments on the local Solana. */
type StoryOptions = {
  keepsPort?: boolean
  program?: Program
  solana?: boolean
  settings?: Record<string, unknown>
}

export type Story = Awaited<ReturnType<typeof openStory>>

/**
 * Everything a file of stories plays with: the service on a database of its own, a merchant whose wallets are empty, its
 * server, and the chains, which are put back as they were afterwards. Ends with the file, also when a test failed.
 * @param name - Of the service's log under `test/.results/logs`.
 * @param program - What is started; the bundle where nothing is said.
 * @param keepsPort - A service that is started again listens where it did: a page in a browser knows no other place.
 * @param settings - Of the service's configuration, beside those that every story has.
 */
export async function openStory(
  name: string,
  { keepsPort = false, program = bundle, solana = false, settings = {} }: StoryOptions = {},
) {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  afterAll(close)
  try {
    const story = await build(name, { keepsPort, program, solana, settings }, closing)
    await story.bff.start()
    return story
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  name: string,
  { keepsPort, program, solana, settings }: Required<StoryOptions>,
  closing: (() => unknown)[],
) {
  const devnet = inject('devnet')
  const chain = openChain(devnet)
  await chain.catchUpWithClock()
  closing.push(await chain.remember())

  const folder = mkdtempSync(join(tmpdir(), `stories-${name}-`))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(logs, { recursive: true })
  const logPath = join(logs, `${name}.log`)
  rmSync(logPath, { force: true })

  const gates = { devnet: await openGate(rpcUrl('devnet')), 'devnet-b': await openGate(rpcUrl('devnet-b')) }
  closing.push(gates.devnet.close, gates['devnet-b'].close)
  let secret = ''
  const receiver = await openReceiver(() => secret)
  closing.push(receiver.close)

  const wallets = { merchant: newWallet(), platform: newWallet() }
  const configPath = join(folder, 'bff.config.json')
  const databasePath = join(folder, 'checkout.sqlite')
  const networks = devnet.networks.map(({ shortName, name: title, family, chainId, factory, tokens }) => ({
    ...{ shortName, name: title, family, chainId, factory, isTestnet: true, pollMs: 50 },
    ...{ rpcUrls: [gates[shortName].url], confirmations: confirmationsRequired, platformWallet: wallets.platform },
    publicRpcUrls: [rpcUrl(shortName)],
    tokens: [
      { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC, permit: usdcDomain, authorization: usdcDomain },
      { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
    ],
  }))
  const onSolana = solana ? await openSolana(devnet, closing) : null
  if (onSolana) networks.push(onSolana.config as never)
  writeConfig(configPath, {
    ...{ port: 0, webhookTargets: 'any', rateLimits: 'off', platform: { feeBps }, networks },
    ...settings,
  })
  const env: Record<string, string> = {
    BFF_CONFIG: configPath,
    DATABASE_PATH: databasePath,
    OPERATOR_PRIVATE_KEY: devnet.operator.privateKey,
    ...onSolana?.env,
  }
  const files = { configPath, databasePath, logPath, env, keepsPort, program }
  const merchant = createMerchant(files, {
    devnet: wallets.merchant,
    'devnet-b': wallets.merchant,
    ...onSolana?.wallets,
  })
  secret = merchant.webhookSecret
  const bff = openBff(files, merchant, receiver.url)
  closing.push(() => bff.kill())

  function rpcUrl(network: NetworkName): string {
    return devnet.networks.find(({ shortName }) => shortName === network)?.rpcUrl ?? ''
  }

  return {
    ...{ bff, chain, receiver, gates, wallets, devnet, folder, files, onSolana },

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

    /** Waits until the service has applied the chain's newest block: what it has not seen by then, it has passed over. */
    async caughtUp(network: NetworkName = 'devnet'): Promise<void> {
      const head = await chain.head(network)
      await until(`the watcher of ${network} to reach block ${head}`, () => {
        const sql = 'select max(number) as newest from headers where network = ?'
        const [row] = bff.query<{ newest: number | null }>(sql, network)
        return (row?.newest ?? -1) >= head
      })
    },

    /** Sees paid deposits of one network through: their sweeps reach a block, and that block its confirmations. */
    async sweep(payments: readonly PaymentBody[], network?: NetworkName): Promise<void> {
      for (const { depositAddress } of payments) {
        await until(`the money of ${depositAddress} to be forwarded`, () => chain.hasCode(depositAddress, network))
      }
      await chain.mine(confirmationsRequired - 1, network)
      for (const { id } of payments) await bff.shows(id, { status: 'swept', settlement: { state: 'settled' } })
    },

    /** Waits until the merchant's server was told exactly this of the payment, each once and in this order. */
    async hears({ id }: { id: string }, types: readonly string[]): Promise<void> {
      await expect.poll(() => receiver.types(id)).toEqual(types)
      expect(receiver.events(id).map(({ sequence }) => sequence)).toEqual(types.map((_, index) => index + 1))
      expect(receiver.refusals).toEqual([])
    },
  }
}
