import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPostgres } from '@stablecoin-checkout/bff/testing/db'
import { tronAddressOf } from '@stablecoin-checkout/bff/testing/tron'
import type { Devnet, DevnetNetwork } from '@stablecoin-checkout/rig/devnet/devnet'
import type { SolanaNetwork } from '@stablecoin-checkout/rig/devnet/solana/solana'
import { masterSalt, type TempoNetwork } from '@stablecoin-checkout/rig/devnet/tempo'
import type { TronNetwork } from '@stablecoin-checkout/rig/devnet/tron/tron-devnet'
import { host } from '@stablecoin-checkout/rig/processes/ports'
import { writeWhole } from '@stablecoin-checkout/rig/processes/state'
import type { Command } from '@stablecoin-checkout/rig/processes/supervisor'
import { newWalletAccounts } from './merchant-wallet.ts'
import { demoRates } from './payment-link.ts'

const main = fileURLToPath(new URL('../bff/dist/main.js', import.meta.url))

/** 1.5 %, in basis points. */
const feeBps = 150
/** Three blocks of one second: long enough to watch confirmations arrive. */
const confirmations = 3
const pollMs = 500
/** 19 of the 27 witnesses. */
const tronConfirmations = 19
/** The local Solana finalizes six blocks behind; only displayed. */
const solanaConfirmations = 7

/** The EIP-712 domain of the test USDC, the same as on Circle's mainnets. */
const usdcDomain = { name: 'USD Coin', version: '2' }

/** Creating a merchant opens the database and writes a row. */
const createMerchantWithinMs = 30_000

export type Merchant = {
  merchantId: string
  publicKey: string
  testPublicKey: string
  apiKey: string
  apiSecret: string
  webhookSecret: string
}

/**
 * Writes the service's config file.
 * @param database - The URL of PostgreSQL, for replicas behind the balancer; without it a file of SQLite.
 * @returns the path of the config file.
 */
export function writeServiceConfig(
  dataDir: string,
  port: number,
  devnet: Devnet,
  relayUrl: string,
  database = join(dataDir, 'checkout.sqlite'),
): string {
  const path = join(dataDir, 'bff.config.json')
  writeWhole(path, {
    host,
    port,
    database,
    // The balancer forwards the customer's address.
    trustedProxies: isPostgres(database) ? [host] : [],
    logLevel: 'info',
    // The storefront's server listens on this machine without TLS; a real deployment leaves this out.
    webhookTargets: 'any',
    // Allows load tests.
    rateLimits: 'off',
    // A phone cannot reach this URL; the page shows the QR code anyway, as a real one does.
    publicUrl: `http://${host}:${port}`,
    platform: { feeBps },
    rates: demoRates,
    // Plug-ins for BTCPay Server connect at /btcpay, clients of Stablezact at /stablezact.
    parts: { stores: true },
    stablezact: {},
    // The emulator's URL; a real deployment uses `{}`, and sets its key as RELAY_API_KEY.
    relay: { baseUrl: relayUrl, pollMs, reindexAfterSeconds: 30 },
    networks: [
      ...devnet.networks.map(evmNetwork),
      ...(devnet.tempo ? [tempoNetwork(devnet.tempo.network)] : []),
      ...(devnet.tron ? [tronNetwork(devnet.tron.network)] : []),
      solanaNetwork(devnet.solana.network),
    ],
  })
  return path
}

/** Coins are cheap here, because a new chain starts with high fees. */
const signedPayments = {
  signatureGas: { coinPrice: '50', perPayer: 1_000, perAddress: 10_000, dailyBudget: '1000' },
}

/** Deposits go to addresses of the merchant's own wallet. */
const toOwnWallet = { deposits: 'xpub', platformShare: false, signatureGas: null }

function evmNetwork(network: DevnetNetwork) {
  const { shortName, name, family, chainId, rpcUrl, factory, platformWallet, tokens } = network
  return {
    shortName,
    name,
    family,
    chainId,
    isTestnet: true,
    rpcUrls: [rpcUrl],
    confirmations,
    pollMs,
    // Wallets that do not know the chain need its node's URL, which listens on this machine only.
    publicRpcUrls: [rpcUrl],
    nativeCurrency: { name: 'Test ether', symbol: 'ETH', decimals: 18 },
    explorerUrl: null,
    factory,
    platformWallet,
    ...(shortName === 'devnet-b' ? toOwnWallet : signedPayments),
    tokens: [
      { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC, permit: usdcDomain, authorization: usdcDomain },
      { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT, authorization: 'permit2' },
      { symbol: 'EURC', name: 'Euro Coin', ...tokens.EURC },
    ],
  }
}

/** The customer's own transfer pays the merchant in full: the platform takes no share. */
function tempoNetwork({ shortName, name, family, chainId, rpcUrl, platformWallet, tokens }: TempoNetwork) {
  return {
    shortName,
    name,
    family,
    chainId,
    deposits: 'virtual',
    platformShare: false,
    isTestnet: true,
    rpcUrls: [rpcUrl],
    publicRpcUrls: [rpcUrl],
    platformWallet,
    confirmations: 1,
    pollMs,
    explorerUrl: null,
    tokens: [
      { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC },
      { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
    ],
  }
}

function tronNetwork({ shortName, name, family, chainId, nodes, tokens }: TronNetwork) {
  return {
    shortName,
    name,
    family,
    chainId,
    platformShare: false,
    isTestnet: true,
    rpcUrls: nodes,
    confirmations: tronConfirmations,
    pollMs,
    explorerUrl: null,
    tokens: [
      {
        symbol: 'USDT',
        name: 'Tether USD',
        address: tronAddressOf(tokens.USDT.address),
        decimals: tokens.USDT.decimals,
      },
    ],
  }
}

function solanaNetwork({ shortName, name, family, genesisHash, rpcUrl, platformWallet, tokens }: SolanaNetwork) {
  return {
    shortName,
    name,
    family,
    genesisHash,
    isTestnet: true,
    rpcUrls: [rpcUrl],
    platformWallet,
    confirmations: solanaConfirmations,
    pollMs,
    explorerUrl: null,
    ...signedPayments,
    tokens: [
      { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC },
      { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
    ],
  }
}

/**
 * Starts the service with the config by file and the key by environment only. The environment overrides the file, so
 * variables that a shell may have set for another service are set again here.
 * @param own - Variables of this process alone.
 */
export function serviceCommand(
  configPath: string,
  devnet: Devnet,
  args: readonly string[] = [],
  own: Readonly<Record<string, string>> = {},
): Command {
  const { port, database } = JSON.parse(readFileSync(configPath, 'utf8')) as { port: number; database: string }
  const env = {
    BFF_CONFIG: configPath,
    BFF_PORT: String(port),
    DATABASE_PATH: isPostgres(database) ? '' : database,
    DATABASE_URL: isPostgres(database) ? database : '',
    OPERATOR_PRIVATE_KEY: devnet.operator.privateKey,
    SOLANA_FEE_PAYER_KEY: devnet.solana.operator.secretKey,
    ...own,
  }
  return { file: process.execPath, args: [main, ...args], env }
}

/**
 * Creates the shop's account before the service runs.
 * @throws {Error} with the command's output.
 */
export function createMerchant(
  configPath: string,
  devnet: Devnet,
  own: Readonly<Record<string, string>> = {},
): Merchant {
  const accounts = newWalletAccounts()
  const [devnetA, devnetB] = devnet.networks
  const named = [devnetA, devnet.solana.network].map(
    ({ shortName, merchantWallet }) => `${shortName}=${merchantWallet}`,
  )
  named.push(`${devnetB.shortName}=${accounts.evm}`)
  const onTempo = devnet.tempo?.network
  if (onTempo) named.push(`${onTempo.shortName}=${onTempo.merchantWallet}:${masterSalt}`)
  if (devnet.tron) named.push(`${devnet.tron.network.shortName}=${accounts.tron}`)
  const wallets = named.flatMap((wallet) => ['--wallet', wallet])
  const create = ['merchants', 'create', '--name', 'Corner Coffee', ...wallets, '--json']
  const command = serviceCommand(configPath, devnet, create, own)
  const run = spawnSync(command.file, command.args, {
    env: { ...process.env, ...command.env },
    encoding: 'utf8',
    timeout: createMerchantWithinMs,
  })
  if (run.status !== 0) throw new Error(`Creating the merchant failed:\n${run.stderr}${run.stdout}`)
  return JSON.parse(run.stdout) as Merchant
}

/**
 * A link that signs in to the dashboard without a passkey.
 * @throws {Error} with the command's output.
 */
export function createDashboardLink(
  configPath: string,
  devnet: Devnet,
  merchantId: string,
  own: Readonly<Record<string, string>> = {},
): string {
  const invite = ['dashboard', 'invite', merchantId, '--demo', '--name', 'Ada Lindholm', '--json']
  const command = serviceCommand(configPath, devnet, invite, own)
  const run = spawnSync(command.file, command.args, {
    env: { ...process.env, ...command.env },
    encoding: 'utf8',
    timeout: createMerchantWithinMs,
  })
  if (run.status !== 0) throw new Error(`Creating the dashboard link failed:\n${run.stderr}${run.stdout}`)
  return (JSON.parse(run.stdout) as { link: string }).link
}

/** Formats warnings and errors of the service's log for the terminal; `null` for everything else. */
export function warningOf(line: string, name = 'bff'): string | null {
  try {
    const { level, msg, method, route, status } = JSON.parse(line) as Record<string, unknown>
    const isWarning = typeof level === 'number' ? level >= 40 : /^(warn|error|fatal)$/.test(String(level))
    // A failed request is shown with its method and route.
    const request = method === undefined ? '' : ` ${String(method)} ${String(route)}: ${String(status)}`
    return isWarning ? `${name}: ${String(msg)}${request}` : null
  } catch {
    // Not a log line: Node's output when a process crashes.
    return `${name}: ${line}`
  }
}
