import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Network, Networks } from './chain/networks.ts'

/**
 * Blocks below the head that a reorg can still replace. Ethereum finalises after two epochs of 32 blocks; we keep
 * double of that, because keeping a header costs a row and stopping the watcher costs a night.
 */
const finalityBlocksDefault = 128

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')

const tokenSchema = z.strictObject({
  symbol: z.enum(['USDC', 'USDT']),
  name: z.string().min(1),
  address,
  decimals: z.int().min(0).max(36),
})

const networkSchema = z.strictObject({
  shortName: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be lower-case letters, digits and hyphens'),
  name: z.string().min(1),
  family: z.literal('evm'),
  chainId: z.int().positive(),
  isTestnet: z.boolean().default(false),
  rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  confirmations: z.int().min(1).max(1_000),
  finalityBlocks: z.int().min(1).max(10_000).default(finalityBlocksDefault),
  pollMs: z.int().min(50).max(60_000).default(2_000),
  explorerUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  factory: address,
  platformWallet: address,
  tokens: z.array(tokenSchema).min(1),
})

const fileSchema = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8787),
  database: z.string().min(1).default('data/checkout.sqlite'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** `any` lets webhooks reach private addresses and plain http: for development only. */
  webhookTargets: z.enum(['public', 'any']).default('public'),
  platform: z.strictObject({ feeBps: z.int().min(0).max(10_000) }).default({ feeBps: 0 }),
  networks: z.array(networkSchema).default([]),
})

const environmentSchema = z.object({
  OPERATOR_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .optional(),
})

/** Everything that can be set, resolved once: no optionals beyond this point. */
export type Config = {
  host: string
  port: number
  database: string
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  webhookTargets: 'public' | 'any'
  feeBps: number
  networks: Networks
  /** Pays the gas of sweeps and may refund; null when no network is configured. */
  operatorKey: `0x${string}` | null
}

/** Lists every fault at once; never contains a secret's value. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n- ${faults.join('\n- ')}`,
    )
    this.name = 'ConfigError'
  }
}

/**
 * Reads the file named by `BFF_CONFIG` (all defaults when unset), and the secrets from the environment.
 * `BFF_PORT` and `DATABASE_PATH` win over the file.
 * @throws {ConfigError} with all faults.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const path = env['BFF_CONFIG']
  const file = fileSchema.safeParse(path === undefined ? {} : readJson(path))
  const environment = environmentSchema.safeParse(env)
  const faults = [...faultsOf(file.error, path ?? 'defaults'), ...faultsOf(environment.error, 'environment')]
  if (!file.success || !environment.success) throw new ConfigError(faults)
  const port = env['BFF_PORT'] === undefined ? file.data.port : Number(env['BFF_PORT'])
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push('BFF_PORT must be a port number')
  const operatorKey = (environment.data.OPERATOR_PRIVATE_KEY ?? null) as Config['operatorKey']
  if (file.data.networks.length > 0 && operatorKey === null) {
    faults.push('OPERATOR_PRIVATE_KEY (environment) is needed: it pays the gas of forwarding deposits')
  }
  faults.push(...networkFaults(file.data.networks))
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    host: file.data.host,
    port,
    database: env['DATABASE_PATH'] ?? file.data.database,
    logLevel: file.data.logLevel,
    webhookTargets: file.data.webhookTargets,
    feeBps: file.data.platform.feeBps,
    networks: new Map(file.data.networks.map((network) => [network.shortName, network])),
    operatorKey,
  }
}

function readJson(path: string): unknown {
  if (!existsSync(path)) throw new ConfigError([`BFF_CONFIG: there is no file ${path}`])
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError([`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function faultsOf(error: z.ZodError | undefined, source: string): string[] {
  return (error?.issues ?? []).map((issue) => `${source}: ${issue.path.join('.') || 'the file'}: ${issue.message}`)
}

/** What a schema of one network cannot see. */
function networkFaults(networks: readonly Network[]): string[] {
  const faults: string[] = []
  for (const [index, network] of networks.entries()) {
    const before = networks.slice(0, index)
    const at = `networks.${index} (${network.shortName})`
    if (before.some((other) => other.shortName === network.shortName)) faults.push(`${at}: shortName is used twice`)
    if (before.some((other) => other.chainId === network.chainId)) faults.push(`${at}: chainId is used twice`)
    const symbols = network.tokens.map((token) => token.symbol)
    if (new Set(symbols).size !== symbols.length) faults.push(`${at}: a token symbol is used twice`)
    if (network.finalityBlocks < network.confirmations) faults.push(`${at}: finalityBlocks is less than confirmations`)
  }
  return faults
}
