import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Devnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { choosePorts, host } from '@stablecoin-checkout/rig/processes/ports'
import { createPostgres, isReadyLine } from '@stablecoin-checkout/rig/processes/postgres'
import type { Supervisor } from '@stablecoin-checkout/rig/processes/supervisor'
import { untilAnswers, untilUp } from '@stablecoin-checkout/rig/processes/until-answers'
import type { Replica } from './balancer/balancer.ts'
import type { BalancerConfig } from './balancer/server.ts'
import {
  createDashboardLink,
  createMerchant,
  type Merchant,
  serviceCommand,
  warningOf,
  writeServiceConfig,
} from './checkout-service.ts'
import { seedMonth } from './seed.ts'

const balancerMain = fileURLToPath(new URL('./dist/balancer.js', import.meta.url))

const firstReplicaPort = 8801

type Pids = Record<string, number | number[]>

/** What the shop needs of the service. */
export type ShopAccount = {
  merchant: Merchant
  /** Signs in to the dashboard. */
  dashboard: string
  paymentLink: string
}

/** The running checkout service. */
export type Service = ShopAccount & {
  /** The URL for the shop and its customers. */
  origin: string
  /** With several replicas: their database, and each one's URL. */
  shared?: { database: string; replicas: string[] }
  /** Processes of all parts by name; replicas have one list. */
  pids(): Pids
  untilUp(): Promise<void>
}

type Setting = {
  supervisor: Supervisor
  dataDir: string
  devnet: Devnet
  /** The bridge emulator's URL. */
  relay: string
  /** The shop's origin. */
  shop: string
  /** Starts the shop, which receives webhooks: before the service, so that no delivery fails. */
  openShop: (account: ShopAccount) => Promise<void>
  /** The port of `origin`. */
  port: number
  say: (text: string) => void
  signal: AbortSignal
}

/** The shop's URLs in the month's data. */
const ofShop = (shop: string) => ({ testReceiver: `${shop}/test-webhooks`, returnUrl: `${shop}/` })

/** One process with a SQLite file. */
export async function startSingle({
  supervisor,
  dataDir,
  devnet,
  relay,
  shop,
  openShop,
  port,
  say,
  signal,
}: Setting): Promise<Service> {
  const configPath = writeServiceConfig(dataDir, port, devnet, relay)
  const merchant = createMerchant(configPath, devnet)
  const dashboard = createDashboardLink(configPath, devnet, merchant.merchantId)
  const { env = {} } = serviceCommand(configPath, devnet)
  const paymentLink = await seedMonth({ env, merchant, operator: devnet.operator.address, ...ofShop(shop) })
  await openShop({ merchant, dashboard, paymentLink })
  const logPath = join(dataDir, 'bff.log')
  await supervisor.start({
    name: 'bff',
    command: () => serviceCommand(configPath, devnet),
    logPath,
    onLine: (line) => {
      const warning = warningOf(line)
      if (warning !== null) say(warning)
    },
  })
  const origin = `http://${host}:${port}`
  return {
    origin,
    merchant,
    dashboard,
    paymentLink,
    pids: supervisor.pids,
    untilUp: () => untilAnswers(`${origin}/api/health`, { name: 'bff', logPath, supervisor, signal }),
  }
}

/** PostgreSQL, the given number of replicas, and the balancer in front of them. */
export async function startReplicas(setting: Setting, count: number): Promise<Service> {
  const { supervisor, dataDir, devnet, relay, shop, openShop, port, say, signal } = setting
  const wishes = Array.from({ length: count }, (_, index) => ({
    variable: `REPLICA_${index + 1}_PORT`,
    preferred: firstReplicaPort + index,
  }))
  const [postgresPort = 0, ...replicaPorts] = await choosePorts([
    { variable: 'POSTGRES_PORT', preferred: 5433 },
    ...wishes,
  ])
  const database = await startPostgres(setting, postgresPort)

  const configPath = writeServiceConfig(dataDir, port, devnet, relay, database)
  // A key file exists only beside a SQLite file.
  const key = { SECRETS_KEY: randomBytes(32).toString('base64') }
  const merchant = createMerchant(configPath, devnet, key)
  const dashboard = createDashboardLink(configPath, devnet, merchant.merchantId, key)
  const { env = {} } = serviceCommand(configPath, devnet, [], key)
  const paymentLink = await seedMonth({ env, merchant, operator: devnet.operator.address, ...ofShop(shop) })
  await openShop({ merchant, dashboard, paymentLink })
  const replicas: Replica[] = replicaPorts.map((replicaPort, index) => ({
    name: String(index + 1),
    url: `http://${host}:${replicaPort}`,
  }))
  const partName = ({ name }: Replica) => `replica-${name}`
  const logOf = (replica: Replica) => join(dataDir, `${partName(replica)}.log`)
  for (const [index, replica] of replicas.entries()) {
    const own = { ...key, BFF_PORT: String(replicaPorts[index]) }
    await supervisor.start({
      name: partName(replica),
      command: () => serviceCommand(configPath, devnet, [], own),
      logPath: logOf(replica),
      onLine: (line) => {
        const warning = warningOf(line, partName(replica))
        if (warning !== null) say(warning)
      },
    })
  }
  const balancerLog = join(dataDir, 'balancer.log')
  const config: BalancerConfig = { port, replicas }
  await supervisor.start({
    name: 'balancer',
    command: () => ({
      file: process.execPath,
      args: [balancerMain],
      env: { BALANCER_CONFIG: JSON.stringify(config) },
    }),
    logPath: balancerLog,
  })

  const origin = `http://${host}:${port}`
  return {
    origin,
    merchant,
    dashboard,
    paymentLink,
    shared: { database, replicas: replicas.map(({ url }) => url) },
    pids: () => {
      const { ...pids }: Pids = supervisor.pids()
      const own = replicas.flatMap((replica) => pids[partName(replica)] ?? [])
      for (const replica of replicas) delete pids[partName(replica)]
      return { ...pids, replicas: own }
    },
    async untilUp() {
      for (const replica of replicas) {
        const awaited = { name: partName(replica), logPath: logOf(replica), supervisor, signal }
        await untilAnswers(`${replica.url}/api/ready`, awaited)
      }
      await untilAnswers(`${origin}/api/ready`, { name: 'balancer', logPath: balancerLog, supervisor, signal })
    },
  }
}

/** @returns its database's URL, once it accepts connections. */
async function startPostgres({ supervisor, dataDir, signal }: Setting, port: number): Promise<string> {
  const { url, command, remove } = await createPostgres(port)
  // The supervisor has ended the server by then.
  process.once('exit', remove)
  const logPath = join(dataDir, 'postgres.log')
  let isUp = false
  await supervisor.start({
    name: 'postgres',
    command: () => command,
    logPath,
    onLine: (line) => {
      isUp ||= isReadyLine(line)
    },
  })
  await untilUp(() => isUp, { name: 'postgres', logPath, supervisor, signal })
  return url
}
