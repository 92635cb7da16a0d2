import type { z } from 'zod'
import type { OperatorSource } from '../../chain/connector.ts'
import type { PayerKey } from '../../chain/family.ts'
import { parseSolanaKey } from '../../chain/solana/facts/solana-key.ts'
import { type RelaySettings, resolveRelay } from '../../checkout/cross-chain/relay-settings.ts'
import type { StablezactSettings } from '../../checkout/stablezact/stablezact-setting.ts'
import type { Networks } from '../../core/families.ts'
import { type MailSettings, mailFault, resolveMail } from '../../notice/mail/mail-settings.ts'
import type { PartSettings } from '../../parts.ts'
import { resolveRates } from '../../rates/rate-settings.ts'
import type { RatesSource } from '../../rates/read-rates.ts'
import type { Targets } from '../../webhook/send/target.ts'
import { environmentFaults, faultsOfFile, withPlace } from './faults.ts'
import { isKeyNeeded, networkFaults } from './network-faults.ts'
import { partFaults, resolveParts } from './part-settings.ts'
import { environmentSchema, fileSchema, sealableSecrets } from './settings.ts'
import { ConfigError, type Env, openSecrets, pathsOf, readSource } from './source.ts'

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
