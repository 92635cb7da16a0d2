import { formatEther, formatUnits, type Hex, type PublicClient, parseAbi } from 'viem'
import type { EvmNetwork, Token } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import { bad, type Finding, found, good, nodePlace, type Place, warning } from '../../../core/finding.ts'
import type { FindingCode } from '../../../core/finding-codes.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import type { MerchantWallet } from '../../connector.ts'
import { NetworkMismatchError } from '../../network-fault.ts'
import { isDomain } from '../eip712.ts'
import { type EvmPool, poolReader } from '../rpc/evm-pool.ts'
import { verifyMaster } from '../virtual/registry.ts'
import { examineNode } from './examine-node.ts'
import { verifyFactory, verifyToken } from './verify-network.ts'
import { verifyContract, verifyDomain, verifyPermit2 } from './verify-splitter.ts'

const examineTimeoutMs = 30_000

/** Gas of a deposit settled in its own transaction, with a margin; in a batch it takes a third (`npm run bench -- gas`). */
const sweepGas = 250_000n

/** Warns when the balance pays for fewer sweeps: these are a small shop's day. */
const sweepsEnough = 100n

const blockedAbi = parseAbi([
  'function isBlacklisted(address) view returns (bool)',
  'function isBlackListed(address) view returns (bool)',
])

type Examined = {
  network: EvmNetwork
  pool: EvmPool
  /** Pays the gas; null: not configured. */
  operator: string | null
  wallets: readonly MerchantWallet[]
  nowMs: () => number
}

/** Checks a chain's nodes, contracts, tokens, gas and wallets. Never throws. */
export function examineNetwork(examined: Examined): Promise<Finding[]> {
  return withTimeout(examineTimeoutMs, [], (signal) => examine(examined, signal))
}

async function examine({ network, pool, operator, wallets, nowMs }: Examined, signal: AbortSignal): Promise<Finding[]> {
  const { name, rpcUrls } = network
  const nodes = await Promise.all(
    pool.nodes.map((node, index) => {
      const subject = nodePlace(name, index, rpcUrls.length)
      return examineNode({ network, pool, node, url: rpcUrls[index] ?? '', subject, nowMs }, signal)
    }),
  )
  if (nodes.every(([first]) => first?.state !== 'good')) return nodes.flat()
  const reader = poolReader(pool, signal)
  const checks = [
    ...(network.deposits === 'forwarder' ? contractChecks(reader, network) : []),
    ...network.tokens.flatMap((token) => tokenChecks(reader, network, token)),
    ...(network.tokens.some(({ authorization }) => authorization === 'permit2') && network.signatureGas !== null
      ? [
          verified(network, 'permit2', 'Permit2 is there', 'Set authorization of the token to null.', () =>
            verifyPermit2(reader, network),
          ),
        ]
      : []),
    ...(operator === null || network.deposits !== 'forwarder' ? [] : [examineGas(reader, network, operator as Hex)]),
    ...[{ merchant: null, address: network.platformWallet }, ...wallets].map((wallet) =>
      examineWallet(reader, network, wallet),
    ),
    ...(network.deposits === 'virtual' ? wallets.map((wallet) => examineMaster(pool, network, wallet, signal)) : []),
  ]
  const found = await Promise.all(checks.map((check) => check.catch((error: unknown) => unread(network, error))))
  return [...nodes.flat(), ...found]
}

const contractChecks = (reader: PublicClient, network: EvmNetwork): Promise<Finding>[] => [
  verified(network, 'factory', 'derives the expected deposit addresses', deployFix(network), () =>
    verifyFactory(reader, network),
  ),
  verified(network, 'splitter', 'is ours', deployFix(network), () => verifyContract(reader, network)),
]

const deployFix = ({ shortName }: EvmNetwork): string =>
  `Run "deploy ${shortName}", or set factory and splitter to the contracts you mean.`

function tokenChecks(reader: PublicClient, network: EvmNetwork, token: Token): Promise<Finding>[] {
  const { symbol, decimals, permit, authorization } = token
  const fix = `Compare the address of ${symbol} with its issuer's list, and set address, decimals and symbol of the token.`
  const domainFix = `Set permit and authorization of ${symbol} to the token's EIP-712 domain, or to null.`
  const says = `${symbol} matches its contract, with ${decimals} decimals`
  const domains = [...(permit ? [permit] : []), ...(isDomain(authorization) ? [authorization] : [])]
  return [
    verified(network, 'token', says, fix, () => verifyToken(reader, network, token)),
    ...(domains.length === 0
      ? []
      : [
          verified(network, 'permit', `${symbol} signs as configured`, domainFix, async () => {
            for (const domain of domains) await verifyDomain(reader, network, token, domain)
          }),
        ]),
  ]
}

/** A check that throws {@link NetworkMismatchError} for a problem. */
async function verified(
  network: EvmNetwork,
  check: 'factory' | 'splitter' | 'permit2' | 'token' | 'permit',
  says: string,
  fix: string,
  verify: () => Promise<void>,
): Promise<Finding> {
  try {
    await verify()
    return good(`${check}.good`, network.name, says)
  } catch (error) {
    if (error instanceof NetworkMismatchError) {
      const { message } = error
      return bad(found(`${check}.wrong`, message, network.shortName), network.name, message, fix)
    }
    throw error
  }
}

/** Removes node URLs from the error text, because they may contain a key. */
function unread({ name, rpcUrls }: EvmNetwork, error: unknown): Finding {
  const text = rpcUrls.reduce((shown, url) => shown.replaceAll(url, '…'), faultText(error)).slice(0, 200)
  return bad(
    found('rpc.unread'),
    name,
    `reading failed: ${text}`,
    'Run doctor again. If this repeats, replace the node in rpcUrls.',
  )
}

async function examineGas(reader: PublicClient, network: EvmNetwork, operator: Hex): Promise<Finding> {
  const balance = await reader.getBalance({ address: operator })
  const fee = await reader.estimateFeesPerGas().then(
    ({ maxFeePerGas }) => maxFeePerGas,
    () => reader.getGasPrice(),
  )
  const each = (fee > 0n ? fee : 1n) * sweepGas
  const sweeps = balance / each
  const { symbol, decimals } = network.nativeCurrency
  const needed = formatEther(each * sweepsEnough)
  const says = `the operator ${operator} holds ${formatUnits(balance, decimals)} ${symbol}: about ${sweeps} sweeps at today's fee`
  const fix = `Send ${needed} ${symbol} to ${operator}: enough for ${sweepsEnough} sweeps.`
  const what = (code: FindingCode) => found(code, formatUnits(balance, decimals), symbol, sweeps, needed, operator)
  if (sweeps === 0n) return bad(what('gas.empty'), network.name, says, `Deposits wait until there is gas. ${fix}`)
  return sweeps < sweepsEnough
    ? warning(what('gas.low'), network.name, says, fix)
    : good(what('gas.good'), network.name, says)
}

async function examineWallet(reader: PublicClient, network: EvmNetwork, wallet: Wallet): Promise<Finding> {
  const account = wallet.address as Hex
  const subject = placeOf(network, wallet)
  for (const { symbol, address } of network.tokens) {
    const ask = (functionName: 'isBlacklisted' | 'isBlackListed') =>
      reader
        .readContract({ address: address as Hex, abi: blockedAbi, functionName, args: [account] })
        .catch(() => false)
    if ((await ask('isBlacklisted')) || (await ask('isBlackListed'))) {
      const says = `${wallet.address} is on the block list of ${symbol}: it cannot receive payouts`
      return bad(
        found('wallet.blocked', wallet.address, symbol),
        subject,
        says,
        'Contact the issuer, or set another wallet ("wallets set" or platformWallet).',
      )
    }
  }
  return good(found('wallet.good', wallet.address), subject, `${wallet.address} can receive payouts`)
}

/** Verifies the wallet's registration, without which money for its deposit addresses would be refused or lost. */
async function examineMaster(
  pool: EvmPool,
  network: EvmNetwork,
  wallet: MerchantWallet,
  signal: AbortSignal,
): Promise<Finding> {
  const { address, source } = wallet
  const subject = placeOf(network, wallet)
  try {
    await verifyMaster(pool, network, { source: source ?? '', address }, signal)
    return good(found('wallet.good', address), subject, `${address} is registered for deposits`)
  } catch (error) {
    if (!(error instanceof NetworkMismatchError)) throw error
    const fix = `Run "deploy ${network.shortName} --wallet ${address}", then "wallets set".`
    return bad(found('wallet.unregistered', address, network.shortName), subject, error.message, fix)
  }
}

/** A merchant's wallet, or the platform's. */
type Wallet = { merchant: MerchantWallet['merchant'] | null; address: string }

const placeOf = ({ name }: EvmNetwork, { merchant }: Wallet): string | Place =>
  merchant === null ? { text: `${name}, the platform`, code: 'platform', values: [name] } : `${name}, ${merchant}`
