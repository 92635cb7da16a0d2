import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import type { RelayConfig } from '@stablecoin-checkout/rig/devnet/relay/server'
import { chooseDevnetPorts, choosePorts, host } from '@stablecoin-checkout/rig/processes/ports'
import { takeDataDir, writeWhole } from '@stablecoin-checkout/rig/processes/state'
import { createSupervisor, type Supervisor } from '@stablecoin-checkout/rig/processes/supervisor'
import { StoppedError, untilAnswers } from '@stablecoin-checkout/rig/processes/until-answers'
import { buildWhatIsOld } from './build.mjs'
import { parseReplicas } from './command-line.ts'
import { payOnEachRail } from './rail-payments.ts'
import { type Service, type ShopAccount, startReplicas, startSingle } from './service.ts'
import type { StorefrontConfig } from './storefront/config.ts'
import { openProgress, welcome } from './terminal.ts'

// A test has its own folder, so that it can run beside a demo.
const folder = process.env['DEMO_FOLDER'] ?? fileURLToPath(new URL('.', import.meta.url))
const dataDir = join(folder, '.data')
const statePath = join(folder, '.state.json')
const scriptPath = fileURLToPath(new URL('../widget/dist/stablecoin-checkout.js', import.meta.url))
const relayMain = fileURLToPath(new URL('./dist/relay.js', import.meta.url))
const storefrontMain = fileURLToPath(new URL('./dist/storefront.js', import.meta.url))

const progress = openProgress()
const { say, step } = progress

const stopAsked = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopAsked.abort())
// `run.mjs` holds the other end: when it is closed, the terminal is gone.
if (process.env['DEMO_STDIN_WATCH'] === '1') process.stdin.on('end', () => stopAsked.abort()).resume()

// The watched standard input would keep the process alive.
process.exit(await runDemo())

async function runDemo(): Promise<number> {
  let publish = () => {}
  let withdraw = async () => {}
  const supervisor = createSupervisor({ onPids: () => publish(), report: say })
  try {
    const replicas = parseReplicas(process.argv.slice(2))
    const leaveDataDir = takeDataDir(dataDir)
    const removeState = () => rmSync(statePath, { force: true })
    removeState()
    withdraw = async () => {
      // First, so that readers of the file do not use parts that are ending.
      removeState()
      await supervisor.stop()
      leaveDataDir()
    }
    buildWhatIsOld(step)
    const parts = await startParts(supervisor, replicas)
    publish = () => writeWhole(statePath, stateOf(parts))
    publish()
    progress.clear()
    const { storefront, service } = parts
    const { dashboard, paymentLink, origin } = service
    process.stdout.write(welcome({ storefront, dashboard, service: origin, paymentLink, statePath: shown(statePath) }))
    await Promise.all([payRails(parts), untilStopAsked()])
    return 0
  } catch (error) {
    if (stopAsked.signal.aborted) return 0
    say(error instanceof Error ? error.message : String(error))
    return 1
  } finally {
    publish = () => {}
    if (stopAsked.signal.aborted) say('Stopping…')
    await withdraw()
  }
}

type Parts = { service: Service; relay: string; storefront: string; devnet: Devnet }

/** @param replicas - Number of replicas on PostgreSQL; null: one process with a SQLite file. */
async function startParts(supervisor: Supervisor, replicas: number | null): Promise<Parts> {
  const [bffPort, storefrontPort, solanaPort, relayPort, tempoPort, tronPort] = await choosePorts([
    { variable: 'BFF_PORT', preferred: 8787 },
    { variable: 'STOREFRONT_PORT', preferred: 8080 },
    { variable: 'SOLANA_DEVNET_PORT', preferred: 8899 },
    { variable: 'RELAY_PORT', preferred: 8090 },
    { variable: 'TEMPO_DEVNET_PORT', preferred: 8547 },
    { variable: 'TRON_DEVNET_PORT', preferred: 8548 },
  ])
  if (!bffPort || !storefrontPort || !solanaPort || !relayPort || !tempoPort || !tronPort)
    throw new Error('No free port was found.')
  const ports = await chooseDevnetPorts([bffPort, storefrontPort, solanaPort, relayPort, tempoPort, tronPort])
  const storefront = `http://${host}:${storefrontPort}`

  step('Starting five local chains and deploying contracts and test tokens…')
  const devnet = await startDevnet({ dataDir, ports, solanaPort, tempoPort, tronPort, supervisor })
  throwIfStopped()

  step(
    `Starting ${replicas === null ? 'the checkout service' : `PostgreSQL, ${replicas} replicas`} and the storefront…`,
  )
  const relay = `http://${host}:${relayPort}`
  const relayLog = join(dataDir, 'relay.log')
  await startRelay(supervisor, devnet, relayPort, relayLog)
  const { signal } = stopAsked
  const openShop = async (account: ShopAccount) => {
    const { port, origin } = { port: storefrontPort, origin: storefront }
    await startStorefront(supervisor, { devnet, relay, bff: `http://${host}:${bffPort}`, port, origin, ...account })
  }
  const setting = { supervisor, dataDir, devnet, relay, shop: storefront, openShop, port: bffPort, say, signal }
  const service = await (replicas === null ? startSingle(setting) : startReplicas(setting, replicas))
  await untilAnswers(`${relay}/chains`, { name: 'relay', logPath: relayLog, supervisor, signal })
  await service.untilUp()
  return { service, relay, storefront, devnet }
}

type Shop = ShopAccount & { devnet: Devnet; relay: string; bff: string; port: number; origin: string }

async function startStorefront(supervisor: Supervisor, shop: Shop) {
  const { devnet, relay, bff, port, origin, merchant, dashboard, paymentLink } = shop
  const config: StorefrontConfig = {
    port,
    bff,
    origin,
    publicKey: merchant.publicKey,
    apiKey: merchant.apiKey,
    apiSecret: merchant.apiSecret,
    webhookSecret: merchant.webhookSecret,
    journalPath: join(dataDir, 'storefront.journal.jsonl'),
    scriptPath,
    networks: shopNetworks(devnet),
    customerPrivateKey: devnet.customer.privateKey,
    relay,
    links: { dashboard, paymentLink },
    solana: { network: devnet.solana.network, customerSecretKey: devnet.solana.customer.secretKey },
  }
  const configPath = join(dataDir, 'storefront.config.json')
  writeWhole(configPath, config)
  const logPath = join(dataDir, 'storefront.log')
  await supervisor.start({
    name: 'storefront',
    command: () => ({ file: process.execPath, args: [storefrontMain], env: { STOREFRONT_CONFIG: configPath } }),
    logPath,
  })
  await untilAnswers(`${origin}/health`, { name: 'storefront', logPath, supervisor, signal: stopAsked.signal })
}

/** Keeps its orders across a restart. */
async function startRelay(supervisor: Supervisor, devnet: Devnet, port: number, logPath: string) {
  const path = join(dataDir, 'relay.config.json')
  const config: RelayConfig = { port, networks: devnet.networks, statePath: join(dataDir, 'relay.orders.json') }
  writeWhole(path, config)
  await supervisor.start({
    name: 'relay',
    command: () => ({
      file: process.execPath,
      args: [relayMain],
      env: { RELAY_CONFIG: path },
    }),
    logPath,
  })
}

function allNetworks({ networks, tempo, tron }: Devnet) {
  return [...networks, tempo?.network, tron?.network].filter((network) => network !== undefined)
}

/** Runs while the shop is already open. Refusals are reported, and stop nothing. */
async function payRails({ service, storefront, devnet }: Parts): Promise<void> {
  const { origin: bff, merchant } = service
  const { signal } = stopAsked
  await payOnEachRail({ bff, storefront, merchant, customer: devnet.customer.address, signal }).catch((error) => {
    if (!signal.aborted) say(`The first payments stopped: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** On Tempo only the test wallet's customer account has money, and EVM wallets do not support Tron. */
function shopNetworks({ networks, tempo, tron }: Devnet): StorefrontConfig['networks'] {
  const [first, second] = networks
  return [
    first,
    { ...second, note: 'addresses of the merchant’s own wallet' },
    ...(tempo ? [{ ...tempo.network, note: 'virtual addresses', wallet: 'customer' as const }] : []),
    ...(tron
      ? [{ ...tron.network, note: 'USDT, addresses of the merchant’s own wallet', wallet: 'none' as const }]
      : []),
  ]
}

/** `demo/.state.json`: facts about the running demo for tests and scripts. */
function stateOf({ service, relay, storefront, devnet }: Parts) {
  const { merchantId, publicKey, testPublicKey, apiKey, apiSecret, webhookSecret } = service.merchant
  return {
    bff: service.origin,
    relay,
    storefront,
    paymentLink: service.paymentLink,
    dashboard: service.dashboard,
    ...service.shared,
    publicKey,
    testPublicKey,
    apiKey,
    apiSecret,
    webhookSecret,
    merchantId,
    pids: { supervisor: process.pid, ...service.pids() },
    networks: [...allNetworks(devnet), devnet.solana.network].map(({ name: _, ...network }) => network),
    customer: {
      evmPrivateKey: devnet.customer.privateKey,
      evmAddress: devnet.customer.address,
      solanaSecretKey: devnet.solana.customer.secretKey,
      solanaAddress: devnet.solana.customer.address,
    },
  }
}

function shown(path: string): string {
  return relative(process.cwd(), path)
}

function throwIfStopped() {
  if (stopAsked.signal.aborted) throw new StoppedError('Stopped.')
}

function untilStopAsked(): Promise<void> {
  if (stopAsked.signal.aborted) return Promise.resolve()
  return new Promise((resolve) => stopAsked.signal.addEventListener('abort', () => resolve(), { once: true }))
}
