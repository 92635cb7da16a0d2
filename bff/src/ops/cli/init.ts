import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { PayerKey } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { createMerchant, type NewMerchant } from '../../merchant/accounts.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import type { KnownNetwork } from '../../network/network-facts.ts'
import type { ProviderName } from '../../rates/providers.ts'
import { newWebhookSecret } from '../../webhook/send/sign.ts'
import { loadConfig } from '../config/config.ts'
import { configurationName } from '../config/source.ts'
import { createSecrets, keyOfEnvironment, writeSecret } from '../secrets/secrets-file.ts'
import { withFolderLock } from './folder-lock.ts'
import { withVault } from './with-db.ts'

/** What customers pay to on a network: an address of the service, or one of the merchant's own wallet. */
export type DepositChoice = 'forwarder' | 'xpub'

/** Values from options or from the user. */
export type Answers = {
  folder: string
  name: string
  /** Nodes by network, in the order of preference. */
  rpcUrls: ReadonlyMap<string, readonly string[]>
  /** What customers pay to, by network. Default: addresses of the service. */
  deposits: ReadonlyMap<string, DepositChoice>
  /** The merchant's wallets by network; `xpub…@address` where deposits go to addresses of the merchant's own wallet. */
  wallets: ReadonlyMap<string, string>
  /** By network; `''` applies to every EVM network without an entry. Default: the merchant's wallet. */
  platformWallets: ReadonlyMap<string, string>
  feeBps: number
  port: number
  /** The URL for customers; null: not known yet. */
  publicUrl: string | null
  /** Addresses or networks whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: readonly string[]
  /** Whether customers may pay from other chains. */
  relay: boolean
  /** Whether plug-ins of shops may connect; default: no. */
  stores?: boolean
  /** Null: a stablecoin counts as a dollar. */
  rates: ProviderName | null
}

type Env = Readonly<Record<string, string | undefined>>

export type Initialised = {
  files: { configuration: string; database: string; key: string | null; secrets: string }
  /** The address that pays gas on EVM networks; null without EVM networks. */
  operator: string | null
  /** The address that pays fees on Solana; null without Solana. */
  feePayer: string | null
  networks: string[]
  /** Networks that need contracts. */
  contractNetworks: string[]
  merchant: NewMerchant
}

/** Networks supported by `init`. Others must be configured by hand with all their settings. */
export const initNetworks: readonly string[] = [...knownNetworks.values()]
  .filter(({ deposits }) => deposits === undefined)
  .map(({ shortName }) => shortName)

export const unknownNetwork = (name: string): string =>
  `"${name.slice(0, 40)}" is unknown (known: ${initNetworks.join(', ')}); configure others in the file`

/** In whole tokens. From this amount on, two nodes must agree, if the configured nodes are on two hosts. */
const highValueAmount = '1000'

const relayTestnets = 'https://api.testnets.relay.link'

/** The name of the configuration until all other files are written. Renaming it comes last and completes the folder. */
export const draftName = `${configurationName}.unfinished`

/** The folder contains a service, or parts of one. */
export class FilesExistError extends ValidationError {}

type New = { db: Db; vault: Vault; merchant: NewMerchant }

/** The files of a service in a folder, and those that SQLite keeps beside its database. */
function filesOf(folder: string) {
  const at = (name: string) => join(folder, name)
  const database = at('checkout.sqlite')
  const paths = { configuration: at(configurationName), database, secrets: at('checkout.secrets.json') }
  return { paths, draft: at(draftName), all: [...Object.values(paths), ...besideDatabase.map((end) => database + end)] }
}

const besideDatabase = ['.key', '-wal', '-shm']

/**
 * The files of a service in a folder. Files that a crash left while creating a service do not count: there is a draft but no configuration
 * then.
 */
export function serviceFilesIn(folder: string): string[] {
  const { paths, draft, all } = filesOf(folder)
  if (existsSync(draft) && !existsSync(paths.configuration)) return []
  return [...all, draft].filter((path) => existsSync(path))
}

/** Key files that a crash left before they were renamed. */
const halfWrittenIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^checkout\.(sqlite\.key|secrets\.json)\.[0-9a-f-]{36}$/.test(name))
    .map((name) => join(folder, name))

/**
 * Creates everything that a service needs in one folder, or nothing. Files that a crash left half written are replaced.
 * @param also - Writes more into the new database.
 * @throws {FilesExistError} when one of the files exists: nothing is overwritten.
 * @throws {FolderBusyError} while another process creates a service in the folder.
 * @throws {ValidationError} or {ConfigError} when an answer breaks a rule.
 */
export async function initialise(
  answers: Answers,
  env: Env,
  runtime: Runtime,
  also: (made: New) => Promise<void> = async () => {},
): Promise<Initialised> {
  // A refusal here leaves no folder behind.
  const networks = verifyNetworks(answers)
  const keys = newSecrets(networks, answers, env, runtime)
  const keyEnv = { SECRETS_KEY: env['SECRETS_KEY'], SECRETS_KEY_FILE: env['SECRETS_KEY_FILE'] }
  const prepared = { networks, keys, keyEnv, secretsKey: keyOfEnvironment(keyEnv), also }
  const folder = resolve(answers.folder)
  return await withFolderLock(folder, () => writeFiles({ ...answers, folder }, prepared, runtime))
}

type Prepared = {
  networks: readonly KnownNetwork[]
  keys: ReturnType<typeof newSecrets>
  keyEnv: Env
  secretsKey: ReturnType<typeof keyOfEnvironment>
  also: (made: New) => Promise<void>
}

async function writeFiles(
  answers: Answers,
  { networks, keys: { secrets, operator, feePayer }, keyEnv, secretsKey, also }: Prepared,
  runtime: Runtime,
): Promise<Initialised> {
  const { paths, draft, all } = filesOf(answers.folder)
  const { database } = paths
  const there = serviceFilesIn(answers.folder)
  if (there.length > 0) {
    throw new FilesExistError(`nothing was created, because these files exist: ${there.join(', ')}`)
  }
  // The draft marks the other files as unfinished, so it is deleted last and written first.
  for (const path of [...all, ...halfWrittenIn(answers.folder), draft]) rmSync(path, { force: true })
  // A node's URL often contains a key.
  const text = `${JSON.stringify(configurationOf(answers, networks), null, 2)}\n`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    const merchant = await withVault({ database, secretsKey }, runtime, async ({ db, vault }) => {
      chmodSync(database, 0o600)
      const sealing = { key: secretsKey, database, runtime }
      createSecrets(paths.secrets, runtime)
      for (const [name, secret] of secrets) writeSecret(paths.secrets, sealing, name, secret)
      const config = loadConfig({ ...keyEnv, BFF_CONFIG: draft })
      const fields = { name: answers.name, wallets: answers.wallets, webhookSecret: newWebhookSecret(runtime) }
      const created = await createMerchant({ db, networks: config.networks, runtime, vault }, fields)
      await also({ db, vault, merchant: created })
      return created
    })
    renameSync(draft, paths.configuration)
    const key = existsSync(`${database}.key`) ? `${database}.key` : null
    return {
      files: { ...paths, key },
      operator,
      feePayer,
      networks: networks.map(({ shortName }) => shortName),
      contractNetworks: networks
        .filter((network) => familyOf(network).hasContracts && isSwept(answers, network))
        .map(({ shortName }) => shortName),
      merchant,
    }
  } catch (error) {
    // All of these files are new, so deleting them loses nothing.
    for (const path of [...all, draft]) rmSync(path, { force: true })
    throw error
  }
}

/** @returns the known networks, in the given order. */
function verifyNetworks(answers: Answers): KnownNetwork[] {
  const { rpcUrls, wallets, platformWallets, relay } = answers
  if (rpcUrls.size === 0) throw new ValidationError('network: at least one is required')
  const networks = [...rpcUrls.keys()].map((name) => {
    const known = knownNetworks.get(name)
    if (!known) throw new ValidationError(`network: ${unknownNetwork(name)}`)
    if (!wallets.has(name)) throw new ValidationError(`wallet: missing for ${name}`)
    return known
  })
  for (const [option, named] of Object.entries({ wallet: wallets, 'platform-wallet': platformWallets })) {
    const other = [...named.keys()].find((name) => name !== '' && !rpcUrls.has(name))
    if (other !== undefined) throw new ValidationError(`${option}: no node is given for ${other}`)
  }
  if (relay && !networks.some((network) => familyOf(network).receivesBridged && isSwept(answers, network))) {
    throw new ValidationError('relay: needs an EVM network with addresses of the service to pay to, and none is given')
  }
  return networks
}

/** Whether the service sweeps a network's deposits, which needs its key, gas and contracts. */
const isSwept = ({ deposits }: Answers, { shortName }: KnownNetwork): boolean => deposits.get(shortName) !== 'xpub'

/** The keys that the networks need, by variable name: from the environment or generated. */
function newSecrets(networks: readonly KnownNetwork[], answers: Answers, env: Env, runtime: Runtime) {
  const { relay } = answers
  const secrets = new Map<string, string>()
  const payers = new Map<PayerKey['variable'], string>()
  const swept = networks.filter((network) => isSwept(answers, network))
  for (const payerKey of new Set(swept.flatMap((network) => familyOf(network).payerKey ?? []))) {
    const { variable, create, addressOf, format } = payerKey
    const key = env[variable] ?? create(runtime)
    const address = addressOf(key)
    if (address === undefined) throw new ValidationError(`${variable} must be ${format}`)
    secrets.set(variable, key)
    payers.set(variable, address)
  }
  const relayKey = env['RELAY_API_KEY']
  if (relay && relayKey !== undefined) secrets.set('RELAY_API_KEY', relayKey)
  return {
    secrets,
    operator: payers.get('OPERATOR_PRIVATE_KEY') ?? null,
    feePayer: payers.get('SOLANA_FEE_PAYER_KEY') ?? null,
  }
}

function configurationOf(answers: Answers, networks: readonly KnownNetwork[]) {
  const { wallets, platformWallets, feeBps, port, publicUrl, trustedProxies, relay, stores, rates } = answers
  const parts = {
    // Keeps these parts on when a network with real money is added.
    ...(networks.every(({ isTestnet }) => isTestnet) && { tools: true, x402: true }),
    ...(stores && { stores }),
  }
  const onTestnets = networks.every((network) => network.isTestnet || !familyOf(network).receivesBridged)
  return {
    host: '127.0.0.1',
    port,
    ...(publicUrl !== null && { publicUrl }),
    ...(trustedProxies.length > 0 && { trustedProxies }),
    database: 'checkout.sqlite',
    secretsFile: 'checkout.secrets.json',
    platform: { feeBps },
    ...(rates !== null && { rates: { provider: rates } }),
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(relay && { relay: onTestnets ? { baseUrl: relayTestnets } : {} }),
    networks: networks.map((network) => {
      const { shortName } = network
      const rpcUrls = answers.rpcUrls.get(shortName) ?? []
      const ofFamily = familyOf(network).sharesPlatformWallet ? platformWallets.get('') : undefined
      // For an account, its first address.
      const wallet = wallets.get(shortName)?.split('@').at(-1)
      const platformWallet = platformWallets.get(shortName) ?? ofFamily ?? wallet
      const highValue = hostsOf(rpcUrls) > 1 ? { highValue: highValueOf(network) } : {}
      const deposits = isSwept(answers, network) ? {} : { deposits: 'xpub' }
      return { shortName, rpcUrls, ...deposits, platformWallet, ...highValue }
    }),
  }
}

/** A text that is not a URL counts as a host; the configuration refuses it later. */
const hostsOf = (urls: readonly string[]): number =>
  new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).host : url))).size

/** A known network's `finalityBlocks` is twice the chain's finality. Solana's default is finality itself. */
function highValueOf({ confirmations, finalityBlocks }: KnownNetwork) {
  if (finalityBlocks === undefined) return { amount: highValueAmount }
  return { amount: highValueAmount, confirmations: Math.max(confirmations, Math.ceil(finalityBlocks / 2)) }
}
