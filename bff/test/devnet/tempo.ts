import { join } from 'node:path'
import {
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  publicActions,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Supervisor } from '../processes/supervisor.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { devnetChain, type TestTokens } from './deploy.ts'
import { receiptOf } from './receipt.ts'

type Account = { privateKey: Hex; address: Hex }

export type TempoNetwork = {
  shortName: 'tempo-devnet'
  name: string
  family: 'evm'
  chainId: number
  rpcUrl: string
  /** Registered as the master of `masterId`, unless the options disable that. */
  merchantWallet: Hex
  masterId: Hex
  platformWallet: Hex
  tokens: TestTokens
}

export type TempoDevnet = {
  network: TempoNetwork
  /** Holds 100,000 of each token, and pays fees in the token that it sends. */
  customer: Account
  /** Key of the merchant's wallet, which pays refunds. */
  merchant: Account
  /** Another wallet, without a master id. */
  newcomer: Account
}

export type TempoOptions = {
  dataDir: string
  /** Default: any free port. */
  port?: number
  /** Seconds between blocks, in addition to one per transaction; `null`: transactions only. Default: 1. */
  blockTimeSeconds?: number | null
  customer?: Account
  /** Whether the merchant's wallet is registered as a master. Default: true. */
  isRegistered?: boolean
  /** Keeps the chain running; its owner stops it. Default: a new one. */
  supervisor?: Supervisor
}

const chainId = 31_339

/** The precompiled contracts of Tempo. */
const tempoContracts = {
  registry: '0xfdc0000000000000000000000000000000000000',
  tokenFactory: '0x20fc000000000000000000000000000000000000',
  feeManager: '0xfeec000000000000000000000000000000000000',
  pathUsd: '0x20c0000000000000000000000000000000000000',
} as const

/**
 * Key of anvil's first account, and a salt that registers it: the example in ox's documentation of TIP-1022. Mining a new
 * wallet's salt takes minutes.
 */
const masterKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const masterSalt: Hex = `0x${'0'.repeat(56)}abf52baf`
export const masterId: Hex = '0x58e21090'

const abi = parseAbi([
  'function registerVirtualMaster(bytes32 salt) returns (bytes4)',
  'function createToken(string name, string symbol, string currency, address quoteToken, address admin, bytes32 salt) returns (address)',
  'event TokenCreated(address indexed token, string name, string symbol, string currency, address quoteToken, address admin, bytes32 salt)',
  'function grantRole(bytes32 role, address account)',
])
const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount) returns (bool)',
])
const exchangeAbi = parseAbi([
  'function mint(address userToken, address validatorToken, uint256 amountValidatorToken, address to) returns (uint256)',
])

const decimals = 6
/** 100,000 of each token. */
const customerTokens = 100_000_000_000n
/** 1,000 of each, for refunds. */
const merchantTokens = 1_000_000_000n
/** A million pathUSD, so that fees can be paid in the test tokens. */
const liquidity = 1_000_000_000_000n
/** Each block is a second later than the previous one: a chain whose set-up mines many at once would be ahead of the clock. */
const setUpSeconds = 300
/** anvil checks a sender's coins against the gas, although Tempo has none. */
const coins = parseEther('1000000000')

/** Starts a chain with Tempo's rules, its test tokens, and a merchant's wallet registered as a master. */
export async function startTempo(options: TempoOptions): Promise<TempoDevnet & { anvil: Anvil }> {
  const { dataDir, port, supervisor, blockTimeSeconds } = options
  const shortName = 'tempo-devnet'
  const anvil = await startAnvil({
    chainId,
    name: shortName,
    isTempo: true,
    agoSeconds: setUpSeconds,
    statePath: join(dataDir, `${shortName}.chain.json`),
    logPath: join(dataDir, `${shortName}.log`),
    ...(port !== undefined && { port }),
    ...(supervisor && { supervisor }),
    ...(blockTimeSeconds === null ? {} : { blockTimeSeconds: blockTimeSeconds ?? 1 }),
  })
  const merchant = accountOf(masterKey)
  const customer = options.customer ?? accountOf(generatePrivateKey())
  const newcomer = accountOf(generatePrivateKey())
  const people = { merchant, customer, newcomer }
  const tokens = await setUp(anvil.rpcUrl, people, options.isRegistered ?? true).catch(async (error: unknown) => {
    await anvil.stop()
    throw error
  })
  const network = {
    shortName,
    name: 'Tempo Devnet',
    family: 'evm',
    chainId,
    rpcUrl: anvil.rpcUrl,
    merchantWallet: merchant.address,
    masterId,
    platformWallet: accountOf(generatePrivateKey()).address,
    tokens,
  } as const
  return { network, ...people, anvil }
}

type People = Pick<TempoDevnet, 'merchant' | 'customer' | 'newcomer'>

async function setUp(
  rpcUrl: string,
  { merchant, customer, newcomer }: People,
  isRegistered: boolean,
): Promise<TestTokens> {
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const node = createTestClient({ chain, transport, mode: 'anvil', pollingInterval: 50 }).extend(publicActions)
  const sender = createWalletClient({ chain, transport, account: privateKeyToAccount(merchant.privateKey) })
  for (const { address } of [merchant, customer, newcomer]) await node.setBalance({ address, value: coins })

  async function mined(hash: Hex) {
    const receipt = await receiptOf(node, hash)
    if (receipt.status !== 'success') throw new Error('Setting up the local Tempo failed.')
    return receipt
  }

  async function createToken(name: string, symbol: 'USDC' | 'USDT'): Promise<Hex> {
    const { tokenFactory, pathUsd, feeManager } = tempoContracts
    const args = [name, symbol, 'USD', pathUsd, merchant.address, keccak256(toHex(symbol))] as const
    const { logs } = await mined(
      await sender.writeContract({ address: tokenFactory, abi, functionName: 'createToken', args }),
    )
    const [created] = parseEventLogs({ abi, eventName: 'TokenCreated', logs })
    if (!created) throw new Error(`The local Tempo did not create ${symbol}.`)
    const address = created.args.token
    const issuer = [keccak256(toHex('ISSUER_ROLE')), merchant.address] as const
    await mined(await sender.writeContract({ address, abi, functionName: 'grantRole', args: issuer }))
    const given = [
      [customer.address, customerTokens],
      [merchant.address, merchantTokens],
      [newcomer.address, merchantTokens],
    ] as const
    for (const to of given)
      await mined(await sender.writeContract({ address, abi: tokenAbi, functionName: 'mint', args: to }))
    const pool = [address, pathUsd, liquidity, merchant.address] as const
    await mined(await sender.writeContract({ address: feeManager, abi: exchangeAbi, functionName: 'mint', args: pool }))
    return address
  }

  if (isRegistered) {
    const register = { address: tempoContracts.registry, abi, functionName: 'registerVirtualMaster' } as const
    await mined(await sender.writeContract({ ...register, args: [masterSalt] }))
  }
  const usdc = await createToken('USD Coin', 'USDC')
  const usdt = await createToken('Tether USD', 'USDT')
  const { timestamp } = await node.getBlock()
  await node.increaseTime({ seconds: Math.max(1, Math.floor(Date.now() / 1_000) - Number(timestamp)) })
  await node.mine({ blocks: 1 })
  return { USDC: { address: usdc, decimals }, USDT: { address: usdt, decimals } }
}

function accountOf(privateKey: Hex): Account {
  return { privateKey, address: privateKeyToAccount(privateKey).address }
}
