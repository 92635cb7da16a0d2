import { z } from 'zod'
import '../../core/input-rules.ts'
import { isAddressOrNetwork } from '../../access/http/client-address.ts'
import { checksumAddress } from '../../chain/evm/evm-family.ts'
import { isSafeUrl } from '../../core/safe-url.ts'
import { databaseFault, isPostgres } from '../../db/location.ts'
import { parseKey } from '../../db/vault.ts'
import { parts as declared } from '../../parts.ts'
import { ratesSetting } from '../../rates/rate-settings.ts'
import { webhookPortsDefault } from '../../webhook/send/target.ts'
import { networkSchema } from './network-schema.ts'
import { partsSetting } from './part-settings.ts'

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
    .refine(isSafeUrl, 'must be https, unless it is on this machine: the signer’s token is sent to it')
    .describe('https, except on this machine'),
  address: evmAddress.describe('the account, with its checksum'),
})

/** Each must report its account's nonce while transactions are pending. */
const formerOperatorsMax = 20

/** The configuration file. Descriptions and defaults are the page `docs/settings.md`: `npm run generate` writes it. */
export const fileSchema = z.strictObject({
  host: z.string().default('127.0.0.1').describe('the address to listen at. Put a TLS proxy in front'),
  port: z.int().min(0).max(65_535).default(8787).describe('the port to listen at; 0: a free one'),
  database: databaseName.min(1).optional().meta({
    description:
      'a SQLite file, created if missing, or the URL of a [PostgreSQL](configuration.md#postgresql) database',
    otherwise: '`data/checkout.sqlite`',
  }),
  secretsFile: z
    .string()
    .min(1)
    .optional()
    .describe(
      '[sealed secrets](configuration.md#secrets), each under the name of its [environment variable](#environment)',
    ),
  operator: remoteOperator
    .optional()
    .describe('a [remote signer](configuration.md#secrets) for the operator, in place of `OPERATOR_PRIVATE_KEY`'),
  formerOperators: z
    .array(remoteOperator)
    .max(formerOperatorsMax)
    .default([])
    .describe('remote signers of [earlier operators](operations.md#another-operator)'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('the least that is logged'),
  webhookTargets: z
    .enum(['public', 'any'])
    .default('public')
    .describe('`public` allows https to public addresses on `webhookPorts`; `any` is for development'),
  webhookPorts: z
    .array(z.int().min(1).max(65_535))
    .min(1)
    .max(20)
    .default([...webhookPortsDefault])
    .describe('ports of webhook receivers'),
  platform: z
    .strictObject({
      feeBps: z
        .int()
        .min(0)
        .max(10_000)
        .meta({ description: 'the platform’s share in basis points', otherwise: '`0`' }),
    })
    .default({ feeBps: 0 }),
  lenientClients: z.boolean().default(false).describe('for [older clients](moving-over.md#older-clients)'),
  rateLimits: z
    .enum(['on', 'off'])
    .default('on')
    .describe('[limits](configuration.md#limits); `off` for load tests, or if your proxy limits calls'),
  trustedProxies: z
    .array(z.string().refine(isAddressOrNetwork, 'must be an IP address, or a network such as 10.0.0.0/8'))
    .default([])
    .describe(
      'addresses or networks such as `10.0.0.0/8` whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted. Addresses in `X-Forwarded-For` may have a port',
    ),
  contractPayments: z
    .strictObject({
      windowSeconds: z.int().min(60).max(86_400).default(1_800).describe('the window of a contract payment'),
      processWaitSeconds: z
        .int()
        .min(0)
        .max(300)
        .default(25)
        .describe('how long `/payments/process` waits for confirmations before the client must ask again'),
      processWaitsMax: z
        .int()
        .min(0)
        .max(10_000)
        .default(200)
        .describe('for how many callers it waits at once; others are answered immediately'),
    })
    .prefault({}),
  rates: ratesSetting,
  metrics: z
    .strictObject({
      host: z.string().default('127.0.0.1').describe('the address to listen at'),
      port: z.int().min(0).max(65_535).describe('the port, such as 9464. It must not be public'),
    })
    .nullable()
    .default(null)
    .describe('[metrics and readiness](operations.md#health)'),
  webhookRetentionDays: z
    .int()
    .min(30)
    .max(36_500)
    .nullable()
    .default(90)
    .describe('how long events and deliveries are kept; `null`: forever. Payments are never deleted'),
  widgetFolder: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .meta({ description: 'the built element, read at the start', otherwise: 'included' }),
  walletconnectProjectId: z
    .string()
    .regex(/^[\da-f]{32}$/, 'must be the id of a project at Reown: 32 hex digits')
    .nullable()
    .default(null)
    .describe(
      'your [Reown](https://dashboard.reown.com) project, which must list the service’s origin: [WalletConnect](../widget/README.md#walletconnect) at `/pay/{id}`',
    ),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe(
      'where customers reach the service. Needed for Solana Pay codes of contract payments, for `logo` in webhooks and for `mail`',
    ),
  ...declared.relay.settings,
  ...declared.mail.settings,
  ...declared.stablezact.settings,
  parts: partsSetting,
  networks: z
    .array(networkSchema)
    .default([])
    .describe(
      '[networks](#networks). One with unfinished payments cannot be removed; to stop new ones, remove the merchants’ wallets for it',
    ),
})

/** Variables of the environment that the file does not have. Also on the page of settings. */
export const environmentSchema = z.object({
  DATABASE_URL: databaseName
    .refine(
      (text) => text === '' || isPostgres(text),
      'must begin with postgres://; set a SQLite file by DATABASE_PATH',
    )
    .optional()
    .describe('`postgres://user:password@host:5432/checkout`; overrides the file; not together with `DATABASE_PATH`'),
  OPERATOR_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .optional()
    .describe('pays gas for sweeps, and can refund what exceeds a payment'),
  FORMER_OPERATOR_KEYS: z
    .string()
    .regex(
      /^0x[0-9a-fA-F]{64}([\s,]+0x[0-9a-fA-F]{64}){0,19}$/,
      'must be at most 20 comma-separated keys, each 0x and 64 hex digits',
    )
    .optional()
    .describe('keys of [earlier operators](operations.md#another-operator), separated by commas'),
  ...declared.solana.environment,
  SECRETS_KEY: z
    .string()
    .refine((text) => parseKey(text) !== undefined, 'must be 32 bytes as base64 or hex')
    .optional()
    .describe(
      '32 bytes, base64 or hex: [what it opens](security-model.md#keys). Otherwise read from `SECRETS_KEY_FILE` or `<database>.key`, created at the first start. Store a copy apart from the backups',
    ),
  SECRETS_KEY_FILE: z.string().min(1).optional().describe('a file with `SECRETS_KEY`'),
  OPERATOR_SIGNER_TOKEN: z.string().min(1).max(4_096).optional().describe('bearer token for remote signers'),
  ...declared.relay.environment,
  ...declared.mail.environment,
  LENIENT_CLIENTS: z.enum(['0', '1'], 'must be 0 or 1').optional().describe('overrides `lenientClients`'),
})

/** Secrets that can be sealed in `secretsFile`. */
export const sealableSecrets = environmentSchema.omit({
  DATABASE_URL: true,
  SECRETS_KEY: true,
  SECRETS_KEY_FILE: true,
  LENIENT_CLIENTS: true,
})
