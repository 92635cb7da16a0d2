#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from './config.ts'
import { openDb } from './db/open.ts'
import { PaymentError } from './errors.ts'
import { createMerchant } from './merchant/create.ts'
import { setMerchant } from './merchant/set.ts'
import { formatSettings, type MerchantSettings, parseLatePayments, parseTolerance } from './merchant/settings.ts'
import { openVault, VaultError } from './merchant/vault.ts'
import { systemRuntime } from './runtime.ts'
import { serve } from './serve.ts'
import { newWebhookSecret } from './webhook/sign.ts'

const usage = `Usage:
  main.js [serve]                                                    run the service
  main.js create-merchant --name NAME --wallet NETWORK=ADDRESS …     make a merchant; shows its keys once
  main.js set-merchant --merchant ID …                               change its settings, for payments from then on
Settings: --tolerance BPS,AMOUNT accepts payments that are short by up to BPS basis points, and by no more than AMOUNT.
          --late-payments report|accept says whether full money that comes late is only reported, or pays.
Options: --json prints one JSON object. Environment: BFF_CONFIG (path of the configuration), BFF_PORT, DATABASE_PATH, OPERATOR_PRIVATE_KEY, SECRETS_KEY.
`

/** A mistake of the caller: shown without a stack. */
class UsageError extends Error {}

const settingOptions = { tolerance: { type: 'string' }, 'late-payments': { type: 'string' } } as const

function settingsOf(given: { [Name in keyof typeof settingOptions]?: string | undefined }): Partial<MerchantSettings> {
  const { tolerance, 'late-payments': late } = given
  return {
    ...(tolerance === undefined ? {} : { tolerance: parseTolerance(tolerance) }),
    ...(late === undefined ? {} : { latePayments: parseLatePayments(late) }),
  }
}

async function runServe(): Promise<void> {
  const running = await serve(loadConfig(process.env), systemRuntime)
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function runCreateMerchant(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ name: { type: 'string' }, wallet: { type: 'string', multiple: true }, json: { type: 'boolean' } },
      ...settingOptions,
    },
  })
  if (!values.name) throw new UsageError('--name is needed')
  const wallets = (values.wallet ?? []).map((text): [string, string] => {
    const [network, address] = text.split('=')
    if (!network || !address) throw new UsageError(`--wallet must be NETWORK=ADDRESS, not "${text}"`)
    return [network, address]
  })
  const settings = settingsOf(values)
  const config = loadConfig(process.env)
  const db = openDb(config.database)
  try {
    const webhookSecret = newWebhookSecret(systemRuntime)
    const vault = await openVault({ db, database: config.database, key: config.secretsKey, runtime: systemRuntime })
    const deps = { db, networks: config.networks, runtime: systemRuntime, vault }
    const fields = { name: values.name, wallets: new Map(wallets), webhookSecret, settings }
    const merchant = await createMerchant(deps, fields)
    const lines = Object.entries(merchant).map(([name, value]) => `${name.padEnd(14)} ${value}`)
    process.stdout.write(
      values.json ? `${JSON.stringify(merchant)}\n` : `${lines.join('\n')}\nThe secrets are shown once.\n`,
    )
  } finally {
    await db.close()
  }
}

async function runSetMerchant(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, ...settingOptions } })
  if (!values.merchant) throw new UsageError('--merchant is needed')
  const changes = settingsOf(values)
  if (Object.keys(changes).length === 0) throw new UsageError('there is no setting to change')
  const db = openDb(loadConfig(process.env).database)
  try {
    const settings = await setMerchant(db, values.merchant, changes)
    process.stdout.write(`${formatSettings(settings)}\n`)
  } finally {
    await db.close()
  }
}

function run(command: string, args: string[]): Promise<void> {
  switch (command) {
    case 'serve':
      return runServe()
    case 'create-merchant':
      return runCreateMerchant(args)
    case 'set-merchant':
      return runSetMerchant(args)
    default:
      throw new UsageError(`there is no command "${command}"`)
  }
}

const [command = 'serve', ...args] = process.argv.slice(2)
try {
  await run(command, args)
} catch (error) {
  const explained = [ConfigError, PaymentError, UsageError, VaultError]
  const isExplained = explained.some((kind) => error instanceof kind)
  const isArgument = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const text = error instanceof Error ? (isExplained || isArgument ? error.message : error.stack) : String(error)
  process.stderr.write(`${text}\n${error instanceof UsageError || isArgument ? usage : ''}`)
  process.exitCode = 1
}
