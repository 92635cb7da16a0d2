import { z } from 'zod'
import { checksumAddress } from '../../chain/evm/evm-address.ts'
import type { OperatorSource } from '../../chain/evm/signer/operator.ts'
import type { PayerKey } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import { parseSolanaKey } from '../../chain/solana/signer/secret-key.ts'
import { type RelaySettings, relaySetting, resolveRelay } from '../../checkout/cross-chain/relay-settings.ts'
import type { Networks } from '../../core/families.ts'
import { isAddressOrNetwork } from '../../http/client-address.ts'
import { parseKey } from '../../merchant/vault.ts'
import { networkFaults, networkSchema } from '../../network/network-config.ts'
import { ratesSetting, resolveRates } from '../../rates/rate-settings.ts'
import type { RatesSource } from '../../rates/rates.ts'
import { type Targets, webhookPortsDefault } from '../../webhook/outbox/target.ts'
import { environmentFaults, faultsOfFile, withPlace } from './faults.ts'
import { isSafeUrl } from './safe-url.ts'
import { ConfigError, type Env, openSecrets, pathsOf, readSource } from './source.ts'

const evmAddress = z
  .string()
  .refine((text) => checksumAddress(text) !== undefined, 'must be an address, with its checksum')

const fileSchema = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8787),
  database: z.string().min(1).optional(),
  /** Sealed secrets, each by the name of the variable that it stands for. */
  secretsFile: z.string().min(1).optional(),
  /** Where another process signs for the operator. */
  operator: z
    .strictObject({
      signer: z
        .url({ protocol: /^https?$/ })
        .refine(isSafeUrl, 'must be https, unless it is on this machine: the signer’s token is sent to it'),
      address: evmAddress,
    })
    .optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** `any` lets webhooks reach private addresses and plain http: for development only. */
  webhookTargets: z.enum(['public', 'any']).default('public'),
  /** Of public targets. */
  webhookPorts: z
    .array(z.int().min(1).max(65_535))
    .min(1)
    .max(20)
    .default([...webhookPortsDefault]),
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
  widgetFolder: z.string().min(1).nullable().default(null),
  /** Where customers and their wallets reach the service: it is in Solana Pay's codes. */
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
  SECRETS_KEY_FILE: z.string().min(1).optional(),
  OPERATOR_SIGNER_TOKEN: z.string().min(1).max(4_096).optional(),
  /** Of Relay, the bridge of cross-chain payments. */
  RELAY_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable and without spaces')
    .optional(),
  LENIENT_CLIENTS: z.enum(['0', '1'], 'must be 0 or 1').optional(),
})

/** Secrets that may lie sealed in `secretsFile`, each with its rule. */
export const sealableSecrets = environmentSchema.omit({
  SECRETS_KEY: true,
  SECRETS_KEY_FILE: true,
  LENIENT_CLIENTS: true,
})

/** Everything that can be set, resolved once: no optionals beyond this point. */
export type Config = {
  host: string
  port: number
  database: string
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  webhookTargets: Targets
  feeBps: number
  rateLimits: 'on' | 'off'
  trustedProxies: readonly string[]
  contractPayments: { windowSeconds: number; processWaitSeconds: number; processWaitsMax: number }
  rates: RatesSource
  webhookRetentionDays: number | null
  /** Null: the one that comes with the program. */
  widgetFolder: string | null
  /** Where customers' wallets reach the service, without a slash at its end; null: nobody has said. */
  publicUrl: string | null
  /** The bridge of cross-chain payments; null: there is none. */
  relay: RelaySettings | null
  lenientClients: boolean
  metrics: { host: string; port: number } | null
  networks: Networks
  /** Pays the gas of sweeps and may refund; null when no network of the Ethereum family is configured. */
  operator: OperatorSource | null
  /** 64 bytes: pays the fees and the rent of deposits on Solana; null when no network of it is configured. */
  solanaFeePayerKey: Uint8Array | null
  /** Seals the secrets in the database; null: the key file beside it does. */
  secretsKey: Uint8Array | null
  /** Null: there is none. */
  secretsFile: string | null
}

/**
 * Reads the file named by `BFF_CONFIG` (all defaults when unset), and the secrets from the environment.
 * `BFF_PORT`, `DATABASE_PATH` and `LENIENT_CLIENTS` win over the file.
 * @throws {ConfigError} with all faults.
 */
export function loadConfig(env: Env): Config {
  const path = env['BFF_CONFIG']
  const source = readSource(path)
  const file = fileSchema.safeParse(source.value)
  const paths = pathsOf(source.value, path, env)
  const opened = openSecrets(paths, env)
  const environment = environmentSchema.safeParse({ ...opened.secrets, ...env })
  const faults = [
    ...faultsOfFile(fileSchema, file.error, path ?? 'defaults', source),
    ...environmentFaults(environment.error),
    ...opened.faults,
  ]
  if (faults.length > 0 || !file.success || !environment.success) throw new ConfigError(faults)
  const port = env['BFF_PORT'] === undefined ? file.data.port : Number(env['BFF_PORT'])
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push('BFF_PORT must be a port number')
  const operator = operatorOf(file.data.operator, environment.data)
  const isPayer = (name: PayerKey['variable']) =>
    file.data.networks.some((network) => familyOf(network).payerKey.variable === name)
  if (isPayer('OPERATOR_PRIVATE_KEY') && operator === null) {
    faults.push('OPERATOR_PRIVATE_KEY (environment, or secretsFile) is needed: it pays the gas of forwarding deposits')
  }
  if (file.data.operator !== undefined && environment.data.OPERATOR_PRIVATE_KEY !== undefined) {
    faults.push('both operator.signer and OPERATOR_PRIVATE_KEY are set: leave one out')
  }
  const solanaFeePayerKey = environment.data.SOLANA_FEE_PAYER_KEY ?? null
  if (isPayer('SOLANA_FEE_PAYER_KEY') && solanaFeePayerKey === null) {
    faults.push('SOLANA_FEE_PAYER_KEY (environment) is needed: it pays the fees and the rent of deposits on Solana')
  }
  const lenient = environment.data.LENIENT_CLIENTS
  faults.push(...networkFaults(file.data.networks).map((fault) => withPlace(fault, path ?? 'defaults', source)))
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    host: file.data.host,
    port,
    database: paths.database,
    publicUrl: file.data.publicUrl,
    logLevel: file.data.logLevel,
    webhookTargets: file.data.webhookTargets === 'any' ? 'any' : { ports: file.data.webhookPorts },
    feeBps: file.data.platform.feeBps,
    rateLimits: file.data.rateLimits,
    trustedProxies: file.data.trustedProxies,
    contractPayments: file.data.contractPayments,
    rates: resolveRates(file.data.rates),
    webhookRetentionDays: file.data.webhookRetentionDays,
    widgetFolder: file.data.widgetFolder,
    relay: resolveRelay(file.data.relay, environment.data.RELAY_API_KEY),
    lenientClients: lenient === undefined ? file.data.lenientClients : lenient === '1',
    metrics: file.data.metrics,
    networks: new Map(file.data.networks.map((network) => [network.shortName, network])),
    operator,
    solanaFeePayerKey: solanaFeePayerKey === null ? null : (parseSolanaKey(solanaFeePayerKey) ?? null),
    secretsKey: opened.key,
    secretsFile: paths.secretsFile,
  }
}

function operatorOf(
  setting: { signer: string; address: string } | undefined,
  { OPERATOR_PRIVATE_KEY: key, OPERATOR_SIGNER_TOKEN: token }: z.infer<typeof environmentSchema>,
): OperatorSource | null {
  if (setting) return { kind: 'signer', url: setting.signer, address: setting.address, token: token ?? null }
  return key === undefined ? null : { kind: 'key', privateKey: key }
}
