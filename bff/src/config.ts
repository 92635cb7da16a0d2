import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { networkFaults, networkSchema } from './chain/network-config.ts'
import type { Network, Networks } from './chain/networks.ts'
import { parseSolanaKey } from './chain/solana-key.ts'
import { type RelaySettings, relaySetting, resolveRelay } from './cross-chain/settings.ts'
import { isAddressOrNetwork } from './http/client-address.ts'
import { parseKey } from './merchant/vault.ts'
import type { RatesSource } from './rates/rates.ts'
import { ratesSetting, resolveRates } from './rates/settings.ts'

/** From the sources and from the bundle alike. */
const builtWidget = fileURLToPath(new URL('../../widget/dist', import.meta.url))

const fileSchema = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8787),
  database: z.string().min(1).default('data/checkout.sqlite'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** `any` lets webhooks reach private addresses and plain http: for development only. */
  webhookTargets: z.enum(['public', 'any']).default('public'),
  platform: z.strictObject({ feeBps: z.int().min(0).max(10_000) }).default({ feeBps: 0 }),
  /** For merchants who move over with clients of an older interface; strict is safer and the default. */
  lenientClients: z.boolean().default(false),
  /** `off` for load tests, or where a proxy in front does it. */
  rateLimits: z.enum(['on', 'off']).default('on'),
  /** Only these may say, by X-Forwarded-For, for whom they call. */
  trustedProxies: z
    .array(z.string().refine(isAddressOrNetwork, 'must be an IP address, or a network such as 10.0.0.0/8'))
    .default([]),
  contractPayments: z
    .strictObject({
      /** How long a contract payment may be paid. */
      windowSeconds: z.int().min(60).max(86_400).default(1_800),
      /** How long /payments/process waits for confirmations before it tells the client to ask again. */
      processWaitSeconds: z.int().min(0).max(300).default(25),
      /** Requests that wait so at once; further ones are told at once. */
      processWaitsMax: z.int().min(0).max(10_000).default(200),
    })
    .default({ windowSeconds: 1_800, processWaitSeconds: 25, processWaitsMax: 200 }),
  rates: ratesSetting,
  /** A port of its own, for the operator: never the one that the world reaches. */
  metrics: z
    .strictObject({ host: z.string().default('127.0.0.1'), port: z.int().min(0).max(65_535) })
    .nullable()
    .default(null),
  /** How long what merchants were told is kept, to look at and to repeat; null: for good. Payments are never forgotten. */
  webhookRetentionDays: z.int().min(30).max(36_500).nullable().default(90),
  /** Where the built element is: the service hands out its script, and the page behind payment links. */
  widgetFolder: z.string().min(1).default(builtWidget),
  /** Where customers' wallets reach the service: it is in Solana Pay's codes. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null),
  relay: relaySetting,
  networks: z.array(networkSchema).default([]),
})

const environmentSchema = z.object({
  OPERATOR_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .optional(),
  SOLANA_FEE_PAYER_KEY: z
    .string()
    .refine(
      (text) => parseSolanaKey(text) !== undefined,
      'must be a secret key of 64 bytes: base58, or the JSON array that solana-keygen stores',
    )
    .optional(),
  SECRETS_KEY: z
    .string()
    .refine((text) => parseKey(text) !== undefined, 'must be 32 bytes as base64 or hex')
    .optional(),
  /** Of Relay, the bridge of cross-chain payments. */
  RELAY_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable and without spaces')
    .optional(),
  LENIENT_CLIENTS: z.enum(['0', '1'], 'must be 0 or 1').optional(),
})

/** Everything that can be set, resolved once: no optionals beyond this point. */
export type Config = {
  host: string
  port: number
  database: string
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  webhookTargets: 'public' | 'any'
  feeBps: number
  rateLimits: 'on' | 'off'
  trustedProxies: readonly string[]
  contractPayments: { windowSeconds: number; processWaitSeconds: number; processWaitsMax: number }
  rates: RatesSource
  webhookRetentionDays: number | null
  widgetFolder: string
  /** Where customers' wallets reach the service, without a slash at its end; null: nobody has said. */
  publicUrl: string | null
  /** The bridge of cross-chain payments; null: there is none. */
  relay: RelaySettings | null
  lenientClients: boolean
  metrics: { host: string; port: number } | null
  networks: Networks
  /** Pays the gas of sweeps and may refund; null when no network of the Ethereum family is configured. */
  operatorKey: `0x${string}` | null
  /** 64 bytes: pays the fees and the rent of deposits on Solana; null when no network of it is configured. */
  solanaFeePayerKey: Uint8Array | null
  /** Seals the secrets in the database; null: the key file beside it does. */
  secretsKey: Uint8Array | null
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
 * `BFF_PORT`, `DATABASE_PATH` and `LENIENT_CLIENTS` win over the file.
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
  const has = (family: Network['family']) => file.data.networks.some((network) => network.family === family)
  if (has('evm') && operatorKey === null) {
    faults.push('OPERATOR_PRIVATE_KEY (environment) is needed: it pays the gas of forwarding deposits')
  }
  const solanaFeePayerKey = environment.data.SOLANA_FEE_PAYER_KEY ?? null
  if (has('solana') && solanaFeePayerKey === null) {
    faults.push('SOLANA_FEE_PAYER_KEY (environment) is needed: it pays the fees and the rent of deposits on Solana')
  }
  const lenient = environment.data.LENIENT_CLIENTS
  const secretsKey = environment.data.SECRETS_KEY
  faults.push(...networkFaults(file.data.networks))
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    host: file.data.host,
    port,
    database: env['DATABASE_PATH'] ?? file.data.database,
    logLevel: file.data.logLevel,
    webhookTargets: file.data.webhookTargets,
    feeBps: file.data.platform.feeBps,
    rateLimits: file.data.rateLimits,
    trustedProxies: file.data.trustedProxies,
    contractPayments: file.data.contractPayments,
    rates: resolveRates(file.data.rates),
    webhookRetentionDays: file.data.webhookRetentionDays,
    widgetFolder: file.data.widgetFolder,
    publicUrl: file.data.publicUrl,
    relay: resolveRelay(file.data.relay, environment.data.RELAY_API_KEY),
    lenientClients: lenient === undefined ? file.data.lenientClients : lenient === '1',
    metrics: file.data.metrics,
    networks: new Map(file.data.networks.map((network) => [network.shortName, network])),
    operatorKey,
    solanaFeePayerKey: solanaFeePayerKey === null ? null : (parseSolanaKey(solanaFeePayerKey) ?? null),
    secretsKey: secretsKey === undefined ? null : (parseKey(secretsKey) ?? null),
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
