import { existsSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import manifest from '../../../package.json' with { type: 'json' }
import { inspectNetwork } from '../../chain/connect-networks.ts'
import type { MerchantWallet } from '../../chain/connector.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { tokensOf } from '../../core/families.ts'
import type { Finding } from '../../core/finding.ts'
import { listLeases, listReplicas } from '../../db/lease-store.ts'
import { loadAccounts, loadWallets } from '../../merchant/account-store.ts'
import { parts } from '../../parts.ts'
import { instanceOf } from '../../system/instance.ts'
import type { Config } from '../config/config.ts'
import { examineAddresses } from '../doctor/examine-addresses.ts'
import { examineDatabase, examineFiles } from '../doctor/examine-database.ts'
import { examinePayouts } from '../doctor/examine-payouts.ts'
import { examineRates } from '../doctor/examine-rates.ts'
import { examineService } from '../doctor/examine-service.ts'
import {
  examineConfiguration,
  examineKeys,
  examineParts,
  examinePartsOff,
  examineSettings,
} from '../doctor/examine-settings.ts'
import { examineWebhooks } from '../doctor/examine-webhooks.ts'
import { type Cli, exitCodes, jsonOption } from './cli.ts'
import { ownUrl } from './ready.command.ts'
import { withDb, withVault } from './with-db.ts'

const description = `check everything that payments depend on, and show how to fix each problem

Checks nodes (chain, head, log ranges, history), contracts and their code, tokens (decimals, symbol, permit),
gas and how many sweeps it pays for, waiting payouts, wallets, clock, database, replicas, files, exchange rates, and the
running service as a browser sees it (address, TLS, CORS). Posts each webhook endpoint one signed and one
forged webhook.test, and the plug-in of each store one signed test delivery.

Exits with 1 if anything is bad, and with 0 if there are only warnings.`

/** Maximum merchants whose wallets are checked. */
const merchantsMax = 100

export function doctorCommand(cli: Cli) {
  return new Command('doctor')
    .summary('check everything that payments depend on')
    .description(description)
    .option('--no-webhooks', 'post nothing to webhook endpoints')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const findings = await examine(cli, options.webhooks)
        const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
        const counts = { bad: count('bad'), warnings: count('warning'), good: count('good') }
        const summary = `${counts.good} good, ${counts.warnings} warnings, ${counts.bad} bad`
        return {
          json: { ...counts, findings },
          text: [...findings.map(lineOf), summary].join('\n'),
          exitCode: counts.bad > 0 ? exitCodes.failed : exitCodes.done,
        }
      }),
    )
}

const marks = { good: 'ok  ', warning: 'warn', bad: 'BAD ' } as const

const lineOf = ({ state, check, subject, says, fix }: Finding): string =>
  `${marks[state]} ${check}: ${subject}: ${says}${fix === null ? '' : `\n     → ${fix}`}`

async function examine(cli: Cli, withWebhooks: boolean): Promise<Finding[]> {
  const config = cli.config('present')
  const { nowMs } = cli.runtime
  const { postgres } = parts
  const examined = {
    database: config.database,
    networks: [...config.networks.keys()],
    version: manifest.version,
    nowMs,
    mail: config.mail,
  }
  const database = postgres.isOn(config) ? await postgres.examine(examined) : await examineDatabase(config.database)
  const isThere = postgres.isOn(config) || existsSync(config.database)
  const isReadable = isThere && database.every(({ state }) => state !== 'bad')
  const wallets = isReadable ? await walletsOf(config) : new Map<string, MerchantWallet[]>()
  const networks = [...config.networks.values()].map(async (network) => {
    const { diagnose } = await inspectNetwork(network, commandPoolDeps(cli.runtime))
    return await diagnose({ payers: config, wallets: wallets.get(network.shortName) ?? [], nowMs })
  })
  const { publicUrl, trustedProxies } = config
  // No process is on a database that is not there: what responds on its port is another service.
  const instances = isReadable ? await instancesOf(config) : isThere ? null : new Set<string>()
  const service = examineService({ publicUrl, ownUrl: ownUrl(config), trustedProxies, nowMs, instances })
  const rates = examineRates(config.rates, tokensOf(config.networks.values()), cli.runtime)
  const mail = parts.mail.examine(examined)
  const webhooks = withWebhooks && isReadable ? await webhookFindings(cli, config) : []
  const payouts = isReadable ? await withDb(config, (db) => examinePayouts(db, config, cli.runtime)) : []
  const addresses = isReadable ? await withDb(config, (db) => examineAddresses(db, config.networks)) : []
  const partsOff = isReadable ? await withDb(config, (db) => examinePartsOff(db, config)) : []
  const files = [cli.env()['BFF_CONFIG'] ?? null, config.database, `${config.database}.key`, config.secretsFile]
  return [
    examineConfiguration(cli.env()['BFF_CONFIG'], cli.folder),
    ...examineKeys(config),
    examineParts(config),
    ...examineSettings(config),
    ...database,
    ...examineFiles(files),
    ...(await Promise.all(networks)).flat(),
    ...payouts,
    ...addresses,
    ...partsOff,
    ...(await service),
    ...(await rates),
    ...(await mail),
    ...webhooks,
  ]
}

const replicasMax = 1_000

/** The processes on the database: each replica and, on SQLite, the one process that holds the work. */
async function instancesOf(config: Config): Promise<Set<string>> {
  return await withDb(config, (db) =>
    db.read(async (tx) => {
      const replicas = await listReplicas(tx, replicasMax)
      const leases = await listLeases(tx)
      const ids = [...replicas.map(({ id }) => id), ...leases.flatMap(({ holder }) => holder ?? [])]
      return new Set(ids.map(instanceOf))
    }),
  )
}

/** The wallets of all merchants by network. A missing wallet is valid: the merchant may not accept that network. */
async function walletsOf(config: Config): Promise<Map<string, MerchantWallet[]>> {
  const byNetwork = new Map<string, MerchantWallet[]>()
  await withDb(config, (db) =>
    db.read(async (tx) => {
      for (const { id, name } of await loadAccounts(tx, merchantsMax)) {
        for (const { network, ...wallet } of await loadWallets(tx, id)) {
          byNetwork.set(network, [...(byNetwork.get(network) ?? []), { merchant: name, ...wallet }])
        }
      }
    }),
  )
  return byNetwork
}

async function webhookFindings({ runtime }: Cli, config: Config): Promise<Finding[]> {
  const { stablezact } = parts
  const clients = stablezact.isOn(config) ? await stablezact.load() : undefined
  const adaptCallback = clients?.createCallbackAdapter(config.networks)
  return await withVault(config, runtime, ({ db, vault }) =>
    examineWebhooks({ db, vault, runtime, targets: config.webhookTargets, adaptCallback }),
  )
}
