import { z } from 'zod'
import type { OperatorSource } from '../../chain/connector.ts'
import { checksumAddress } from '../../chain/evm/evm-family.ts'
import type { PayerKey } from '../../chain/family.ts'
import { parseSolanaKey } from '../../chain/solana/facts/solana-key.ts'
import { type RelaySettings, resolveRelay } from '../../checkout/cross-chain/relay-settings.ts'
import type { StablezactSettings } from '../../checkout/stablezact/stablezact-setting.ts'
import type { Networks } from '../../core/families.ts'
import '../../core/input-rules.ts'
import { isAddressOrNetwork } from '../../access/http/client-address.ts'
import { isSafeUrl } from '../../core/safe-url.ts'
import { databaseFault, isPostgres } from '../../db/location.ts'
import { parseKey } from '../../db/vault.ts'
import { type MailSettings, mailFault, resolveMail } from '../../notice/mail/mail-settings.ts'
import { parts as declared, type PartSettings } from '../../parts.ts'
import { ratesSetting, resolveRates } from '../../rates/rate-settings.ts'
import type { RatesSource } from '../../rates/read-rates.ts'
import { type Targets, webhookPortsDefault } from '../../webhook/send/target.ts'
import { environmentFaults, faultsOfFile, withPlace } from './faults.ts'
import { isKeyNeeded, networkFaults, networkSchema } from './network-config.ts'
import { partFaults, partsSetting, resolveParts } from './part-settings.ts'
import { ConfigError, type Env, openSecrets, pathsOf, readSource } from './source.ts'

const evmAddress = z
  .string()
  .refine((text) => checksumAddress(text) !== undefined, 'must be an address, with its checksum')

const databaseName = z.string().superRefine((text, context) => {
  const message = databaseFault(text)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

/** An external process that signs for an account. */
const remoteOperator = z.strictObject({
  signer: z
    .url({ protocol: /^https?$/ })
    .refine(isSafeUrl, 'must be https, unless it is on this machine: the signer’s token is sent to it'),
  address: evmAddress,
})

/** Each must report its account's nonce while transactions are pending. */
const formerOperatorsMax = 20

export const fileSchema = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8787),
  /** The SQLite file, or a PostgreSQL URL. */
  database: databaseName.min(1).optional(),
  /** The file of sealed secrets, each under the name of an environment variable. */
  secretsFile: z.string().min(1).optional(),
  /** An external process that signs for the operator. */
  operator: remoteOperator.optional(),
  /** External processes that sign for former operators. */
  formerOperators: z.array(remoteOperator).max(formerOperatorsMax).default([]),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** `any` allows webhooks to private addresses and over plain http: for development only. */
  webhookTargets: z.enum(['public', 'any']).default('public'),
  /** Ports of public targets. */
  webhookPorts: z
    .array(z.int().min(1).max(65_535))
    .min(1)
    .max(20)
    .default([...webhookPortsDefault]),
  platform: z.strictObject({ feeBps: z.int().min(0).max(10_000) }).default({ feeBps: 0 }),
  /** For merchants whose clients use an older interface. */
  lenientClients: z.boolean().default(false),
  /** `off` for load tests, or when a proxy in front limits calls. */
  rateLimits: z.enum(['on', 'off']).default('on'),
  /** Only these proxies' X-Forwarded headers are used. */
  trustedProxies: z
    .array(z.string().refine(isAddressOrNetwork, 'must be an IP address, or a network such as 10.0.0.0/8'))
    .default([]),
  contractPayments: z
    .strictObject({
      /** Window of a contract payment. */
      windowSeconds: z.int().min(60).max(86_400).default(1_800),
      /** How long /payments/process waits for confirmations before the client must ask again. */
      processWaitSeconds: z.int().min(0).max(300).default(25),
      /** Maximum concurrent waiting requests; others are answered at once. */
      processWaitsMax: z.int().min(0).max(10_000).default(200),
    })
    .prefault({}),
  rates: ratesSetting,
  /** The operator's port, which must not be public. */
  metrics: z
    .strictObject({ host: z.string().default('127.0.0.1'), port: z.int().min(0).max(65_535) })
    .nullable()
    .default(null),
  /** Retention of events and deliveries; null: unlimited. Payments are never deleted. */
  webhookRetentionDays: z.int().min(30).max(36_500).nullable().default(90),
  /** The folder of the built element; null: the one included with the program. */
  widgetFolder: z.string().min(1).nullable().default(null),
  /** The operator's Reown project: enables WalletConnect on the page behind payment links. */
  walletconnectProjectId: z
    .string()
    .regex(/^[\da-f]{32}$/, 'must be the id of a project at Reown: 32 hex digits')
    .nullable()
    .default(null),
  /** The URL for customers and their wallets, without a trailing slash. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null),
  ...declared.relay.settings,
  ...declared.mail.settings,
  ...declared.stablezact.settings,
  parts: partsSetting,
  networks: z.array(networkSchema).default([]),
})

const environmentSchema = z.object({
  DATABASE_URL: databaseName
    .refine(
      (text) => text === '' || isPostgres(text),
      'must begin with postgres://; set a SQLite file by DATABASE_PATH',
    )
    .optional(),
  OPERATOR_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .optional(),
  FORMER_OPERATOR_KEYS: z
    .string()
    .regex(
      /^0x[0-9a-fA-F]{64}([\s,]+0x[0-9a-fA-F]{64}){0,19}$/,
      'must be at most 20 comma-separated keys, each 0x and 64 hex digits',
    )
    .optional(),
  ...declared.solana.environment,
  SECRETS_KEY: z
    .string()
    .refine((text) => parseKey(text) !== undefined, 'must be 32 bytes as base64 or hex')
    .optional(),
  SECRETS_KEY_FILE: z.string().min(1).optional(),
  OPERATOR_SIGNER_TOKEN: z.string().min(1).max(4_096).optional(),
  ...declared.relay.environment,
  ...declared.mail.environment,
  LENIENT_CLIENTS: z.enum(['0', '1'], 'must be 0 or 1').optional(),
})

/** Secrets that can be sealed in `secretsFile`. */
export const sealableSecrets = environmentSchema.omit({
  DATABASE_URL: true,
  SECRETS_KEY: true,
  SECRETS_KEY_FILE: true,
  LENIENT_CLIENTS: true,
})

type Resolved =
  | 'operator'
  | 'formerOperators'
  | 'webhookTargets'
  | 'webhookPorts'
  | 'platform'
  | 'rates'
  | 'relay'
  | 'mail'
  | 'stablezact'
  | 'parts'
  | 'networks'

/** The resolved configuration: nothing is optional from here on. */
export type Config = Omit<z.infer<typeof fileSchema>, Resolved | 'database' | 'secretsFile'> & {
  /** Path of the SQLite file, or a PostgreSQL URL with its password. */
  database: string
  /** Null: not configured. */
  secretsFile: string | null
  webhookTargets: Targets
  feeBps: number
  rates: RatesSource
  /** The bridge for cross-chain payments; null: not configured. */
  relay: RelaySettings | null
  /** The mail server; null: no mail is sent. */
  mail: MailSettings | null
  /** For clients of Stablezact; null: not configured. */
  stablezact: StablezactSettings | null
  /** Which of the parts without other settings are on. */
  parts: PartSettings['parts']
  networks: Networks
  /** Pays the gas of sweeps and may refund; null without EVM networks. */
  operator: OperatorSource | null
  /** Former operators. They return the money of deposits whose terms name them, and do nothing else. */
  formerOperators: readonly OperatorSource[]
  /** 64 bytes. Pays the fees and the rent of deposits on Solana; null without Solana. */
  solanaFeePayerKey: Uint8Array | null
  /** Seals the secrets in the database; null: the key file beside the database does. */
  secretsKey: Uint8Array | null
}

export type Needs = 'all' | 'present' | 'operator' | 'key' | 'none'

/**
 * Reads the file named by `BFF_CONFIG` (all defaults when unset), and the secrets from the environment. `BFF_HOST`,
 * `BFF_PORT`, `DATABASE_URL`, `DATABASE_PATH` and `LENIENT_CLIENTS` override the file.
 * @param needs - The secrets that the caller uses; others are not read, and null in the result. `present`: all that are set,
 *   none required. `operator`: the operator's. `key`: the one that seals the secrets in the database.
 * @throws {ConfigError} with all faults.
 */
export function loadConfig(env: Env, needs: Needs = 'all'): Config {
  const path = env['BFF_CONFIG']
  const source = readSource(path)
  const file = fileSchema.safeParse(source.value)
  const paths = pathsOf(source.value, path, env)
  const opened = openNeeded(paths, env, needs)
  const environment = environmentSchema.safeParse({ ...onlyNeeded(opened.secrets, needs), ...onlyNeeded(env, needs) })
  const faults = [
    ...faultsOfFile(fileSchema, file.error, path ?? 'defaults', source),
    ...environmentFaults(environment.error),
    ...opened.faults,
  ]
  if (faults.length > 0 || !file.success || !environment.success) throw new ConfigError(faults)
  if (env['DATABASE_URL'] && env['DATABASE_PATH']) {
    faults.push('both DATABASE_URL and DATABASE_PATH are set: remove one')
  }
  const port = env['BFF_PORT'] ? Number(env['BFF_PORT']) : file.data.port
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push('BFF_PORT must be a port number')
  const operator = operatorOf(file.data.operator, environment.data)
  const isPayer = (name: PayerKey['variable']) => needs === 'all' && isKeyNeeded(file.data.networks, name)
  if (isPayer('OPERATOR_PRIVATE_KEY') && operator === null) {
    faults.push('OPERATOR_PRIVATE_KEY (environment, or secretsFile) is required: it pays the gas of sweeps')
  }
  if (file.data.operator !== undefined && environment.data.OPERATOR_PRIVATE_KEY !== undefined) {
    faults.push('both operator.signer and OPERATOR_PRIVATE_KEY are set: remove one')
  }
  const solanaFeePayerKey = parseSolanaKey(environment.data.SOLANA_FEE_PAYER_KEY ?? '') ?? null
  if (isPayer('SOLANA_FEE_PAYER_KEY') && solanaFeePayerKey === null) {
    faults.push('SOLANA_FEE_PAYER_KEY (environment) is required: it pays the fees and the rent of deposits on Solana')
  }
  const mail = resolveMail(file.data.mail, environment.data.SMTP_PASSWORD)
  const missing = needs === 'all' ? mailFault(mail) : null
  if (missing !== null) faults.push(missing)
  if (mail !== null && file.data.publicUrl === null) faults.push('mail: publicUrl is required: mails link to it')
  const lenient = environment.data.LENIENT_CLIENTS
  const parts = resolveParts(file.data.parts, file.data.networks)
  faults.push(...partFaults(parts).map((fault) => `${path ?? 'defaults'}:${source.at(['parts'])}: ${fault}`))
  faults.push(
    ...networkFaults(file.data.networks, file.data.platform.feeBps).map((fault) =>
      withPlace(fault, path ?? 'defaults', source),
    ),
  )
  if (faults.length > 0) throw new ConfigError(faults)
  const { platform, webhookPorts, formerOperators, ...settings } = file.data
  return {
    ...settings,
    host: env['BFF_HOST'] || settings.host,
    port,
    database: paths.database,
    secretsFile: paths.secretsFile,
    webhookTargets: settings.webhookTargets === 'any' ? 'any' : { ports: webhookPorts },
    feeBps: platform.feeBps,
    rates: resolveRates(settings.rates),
    parts,
    relay: resolveRelay(settings.relay, environment.data.RELAY_API_KEY),
    mail,
    stablezact: settings.stablezact ?? null,
    lenientClients: lenient === undefined ? settings.lenientClients : lenient === '1',
    networks: new Map(settings.networks.map((network) => [network.shortName, network])),
    operator,
    formerOperators: formerOperatorsOf(formerOperators, environment.data),
    solanaFeePayerKey,
    secretsKey: opened.key,
  }
}

function openNeeded(paths: ReturnType<typeof pathsOf>, env: Env, needs: Needs): ReturnType<typeof openSecrets> {
  if (needs === 'none') return { key: null, secrets: {}, faults: [] }
  return openSecrets(needs === 'key' ? { ...paths, secretsFile: null } : paths, env)
}

const operatorSecrets = ['OPERATOR_PRIVATE_KEY', 'OPERATOR_SIGNER_TOKEN']

/** A command that does not use a secret runs even if the secret is missing or malformed. */
function onlyNeeded(env: Env, needs: Needs): Env {
  if (needs === 'all' || needs === 'present') return env
  const unneeded = new Set([
    ...Object.keys(sealableSecrets.shape).filter((name) => needs !== 'operator' || !operatorSecrets.includes(name)),
    ...(needs === 'none' ? ['SECRETS_KEY', 'SECRETS_KEY_FILE'] : []),
  ])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unneeded.has(name)))
}

function operatorOf(
  setting: { signer: string; address: string } | undefined,
  { OPERATOR_PRIVATE_KEY: key, OPERATOR_SIGNER_TOKEN: token }: z.infer<typeof environmentSchema>,
): OperatorSource | null {
  if (setting) return { kind: 'signer', url: setting.signer, address: setting.address, token: token ?? null }
  return key === undefined ? null : { kind: 'key', privateKey: key }
}

function formerOperatorsOf(
  settings: readonly { signer: string; address: string }[],
  { FORMER_OPERATOR_KEYS: keys, OPERATOR_SIGNER_TOKEN: token }: z.infer<typeof environmentSchema>,
): OperatorSource[] {
  const remote = settings.map(({ signer: url, address }) => ({
    kind: 'signer' as const,
    url,
    address,
    token: token ?? null,
  }))
  const held = keys?.split(/[\s,]+/).map((privateKey) => ({ kind: 'key' as const, privateKey })) ?? []
  return [...remote, ...held]
}
