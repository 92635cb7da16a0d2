import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withTimeout } from '../bff/src/core/with-timeout.ts'
import { buildWhatIsOld } from './build.ts'
import { createMerchant, type Merchant, serviceCommand, warningOf, writeServiceConfig } from './checkout-service.ts'
import { type Devnet, startDevnet } from './devnet/devnet.ts'
import type { RelayConfig } from './devnet/relay/server.ts'
import { logTail } from './log-file.ts'
import { chooseDevnetPorts, choosePorts, host } from './ports.ts'
import { takeDataDir, writeWhole } from './state.ts'
import type { StorefrontConfig } from './storefront/config.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

const dataDir = fileURLToPath(new URL('./.data', import.meta.url))
const statePath = fileURLToPath(new URL('./.state.json', import.meta.url))
const scriptPath = fileURLToPath(new URL('../widget/dist/stablecoin-checkout.js', import.meta.url))
const relayMain = fileURLToPath(new URL('./devnet/relay/server.ts', import.meta.url))
const storefrontMain = fileURLToPath(new URL('./server.ts', import.meta.url))

/** A cold start on a busy laptop takes a few seconds. */
const answerWithinMs = 60_000
/** A part that dies this often before it has answered once will not come up by itself. */
const deathsMax = 3

const say = (text: string) => process.stdout.write(`${text}\n`)

const stopAsked = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopAsked.abort())
// `run.mjs` holds the other end: when it is gone, so is the terminal that asked for all this.
if (process.env['DEMO_STDIN_WATCH'] === '1') process.stdin.on('end', () => stopAsked.abort()).resume()

// Standard input is watched, and would keep the process alive.
process.exit(await runDemo())

async function runDemo(): Promise<number> {
  let publish = () => {}
  let withdraw = async () => {}
  const supervisor = createSupervisor({ onPids: () => publish(), report: say })
  try {
    const leaveDataDir = takeDataDir(dataDir)
    const removeState = () => rmSync(statePath, { force: true })
    removeState()
    withdraw = async () => {
      // First: who reads the file must not be sent to what is ending.
      removeState()
      await supervisor.stop()
      leaveDataDir()
    }
    buildWhatIsOld(say)
    const parts = await startParts(supervisor)
    publish = () => writeWhole(statePath, stateOf(parts, supervisor))
    publish()
    say(welcome(parts))
    await untilStopAsked()
    return 0
  } catch (error) {
    if (stopAsked.signal.aborted) return 0
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  } finally {
    publish = () => {}
    if (stopAsked.signal.aborted) say('Stopping…')
    await withdraw()
  }
}

type Parts = { bff: string; relay: string; storefront: string; merchant: Merchant; devnet: Devnet }

async function startParts(supervisor: Supervisor): Promise<Parts> {
  const [bffPort, storefrontPort, solanaPort, relayPort] = await choosePorts([
    { variable: 'BFF_PORT', preferred: 8787 },
    { variable: 'STOREFRONT_PORT', preferred: 8080 },
    { variable: 'SOLANA_DEVNET_PORT', preferred: 8899 },
    { variable: 'RELAY_PORT', preferred: 8090 },
  ])
  if (!bffPort || !storefrontPort || !solanaPort || !relayPort) throw new Error('No port is free.')
  const ports = await chooseDevnetPorts([bffPort, storefrontPort, solanaPort, relayPort])
  const bff = `http://${host}:${bffPort}`
  const storefront = `http://${host}:${storefrontPort}`

  say('Starting three local chains and deploying contracts and test tokens…')
  const devnet = await startDevnet({ dataDir, ports, solanaPort, supervisor })
  throwIfStopped()

  say('Starting the checkout service and the storefront…')
  const relay = `http://${host}:${relayPort}`
  const relayLog = join(dataDir, 'relay.log')
  await startRelay(supervisor, devnet, relayPort, relayLog)
  const configPath = writeServiceConfig(dataDir, bffPort, devnet, relay)
  const merchant = createMerchant(configPath, devnet)
  throwIfStopped()
  const bffLog = join(dataDir, 'bff.log')
  await supervisor.start({
    name: 'bff',
    command: () => serviceCommand(configPath, devnet),
    logPath: bffLog,
    onLine: (line) => {
      const warning = warningOf(line)
      if (warning !== null) say(warning)
    },
  })

  const shopConfig: StorefrontConfig = {
    port: storefrontPort,
    bff,
    origin: storefront,
    publicKey: merchant.publicKey,
    apiKey: merchant.apiKey,
    apiSecret: merchant.apiSecret,
    webhookSecret: merchant.webhookSecret,
    journalPath: join(dataDir, 'storefront.journal.jsonl'),
    scriptPath,
    networks: devnet.networks,
    customerPrivateKey: devnet.customer.privateKey,
    solana: { network: devnet.solana.network, customerSecretKey: devnet.solana.customer.secretKey },
  }
  const shopConfigPath = join(dataDir, 'storefront.config.json')
  writeWhole(shopConfigPath, shopConfig)
  const storefrontLog = join(dataDir, 'storefront.log')
  await supervisor.start({
    name: 'storefront',
    command: () => ({
      file: process.execPath,
      args: ['--import', import.meta.resolve('tsx'), storefrontMain],
      env: { STOREFRONT_CONFIG: shopConfigPath },
    }),
    logPath: storefrontLog,
  })

  await untilAnswers(`${relay}/chains`, 'relay', relayLog, supervisor)
  await untilAnswers(`${bff}/api/health`, 'bff', bffLog, supervisor)
  await untilAnswers(`${storefront}/health`, 'storefront', storefrontLog, supervisor)
  return { bff, relay, storefront, merchant, devnet }
}

/** Knows its orders again when it is started again. */
async function startRelay(supervisor: Supervisor, devnet: Devnet, port: number, logPath: string) {
  const path = join(dataDir, 'relay.config.json')
  const config: RelayConfig = { port, networks: devnet.networks, statePath: join(dataDir, 'relay.orders.json') }
  writeWhole(path, config)
  await supervisor.start({
    name: 'relay',
    command: () => ({
      file: process.execPath,
      args: ['--import', import.meta.resolve('tsx'), relayMain],
      env: { RELAY_CONFIG: path },
    }),
    logPath,
  })
}

async function untilAnswers(url: string, name: string, logPath: string, supervisor: Supervisor) {
  const deadlineMs = Date.now() + answerWithinMs
  for (;;) {
    throwIfStopped()
    const response = await withTimeout(1_000, [], (signal) => fetch(url, { signal })).catch(() => null)
    if (response?.ok) return
    if (supervisor.deaths(name) >= deathsMax || Date.now() > deadlineMs) {
      throw new Error(`The ${name} does not come up. The end of ${logPath}:\n${logTail(logPath)}`)
    }
    await sleep(50)
  }
}

/** `demo/.state.json`: what tests and scripts need to know about the running demo. */
function stateOf({ bff, relay, storefront, merchant, devnet }: Parts, supervisor: Supervisor) {
  const { merchantId, publicKey, testPublicKey, apiKey, apiSecret, webhookSecret } = merchant
  return {
    ...{ bff, relay, storefront, publicKey, testPublicKey, apiKey, apiSecret, webhookSecret, merchantId },
    pids: { supervisor: process.pid, ...supervisor.pids() },
    networks: [...devnet.networks, devnet.solana.network].map(({ name: _, ...network }) => network),
    customer: {
      evmPrivateKey: devnet.customer.privateKey,
      evmAddress: devnet.customer.address,
      solanaSecretKey: devnet.solana.customer.secretKey,
      solanaAddress: devnet.solana.customer.address,
    },
  }
}

function welcome({ bff, relay, storefront, devnet }: Parts): string {
  return `
  Corner Coffee is open:  ${storefront}

  Open it, then click "Pay as the test customer" under the address, or "Pay with wallet" and
  choose the test wallet: real test tokens move on a chain on this machine, and the page shows
  what the merchant's server is told.

  Checkout service  ${bff}
  Bridge emulator   ${relay}
  Chains            ${[...devnet.networks, devnet.solana.network].map(({ shortName, rpcUrl }) => `${shortName} ${rpcUrl}`).join(', ')}
  Keys and ids      demo/.state.json     Logs  demo/.data/

  Ctrl-C stops everything.
`
}

function throwIfStopped() {
  if (stopAsked.signal.aborted) throw new Error('Stopped.')
}

function untilStopAsked(): Promise<void> {
  if (stopAsked.signal.aborted) return Promise.resolve()
  return new Promise((resolve) => stopAsked.signal.addEventListener('abort', () => resolve(), { once: true }))
}
