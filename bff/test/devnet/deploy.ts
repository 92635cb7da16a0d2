import { readFileSync } from 'node:fs'
import { factoryAddress, paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { deployContracts } from '@stablecoin-checkout/bff/testing/evm'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { receiptOf } from './receipt.ts'
import { testEurc, testUsdc, testUsdt } from './tokens.generated.ts'

type Hex = `0x${string}`

/** The file documents its source. */
export const permit2 = JSON.parse(readFileSync(new URL('permit2.json', import.meta.url), 'utf8')) as {
  address: Hex
  code: Hex
}

type TestToken = { address: Hex; decimals: number }
export type TestTokens = { USDC: TestToken; USDT: TestToken }

type People = { customer: Hex; operator: Hex; merchant: Hex; platform: Hex }

export type DeployRequest = {
  rpcUrl: string
  chainId: number
  /** Deploys and owns the tokens. */
  tokenOwner: { privateKey: Hex; address: Hex }
  people: People
}

export type DeployedNetwork = { factory: Hex; splitter: Hex; tokens: TestTokens & { EURC: TestToken } }

const decimals = 6
const gasMoney = parseEther('1000')
/** 100,000 of each token. */
const customerTokens = 100_000_000_000n
/** 1.00 of each token: sweeps to a wallet that already holds the token cost less gas, as in production. */
const walletTokens = 1_000_000n

/** Deploys contracts and tokens on a new chain and funds the accounts. */
export async function deployNetwork(request: DeployRequest): Promise<DeployedNetwork> {
  const { rpcUrl, chainId, tokenOwner, people } = request
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 })
  const sender = createWalletClient({ chain, transport, account: privateKeyToAccount(tokenOwner.privateKey) })
  const node = createTestClient({ chain, transport, mode: 'anvil' })

  for (const address of [tokenOwner.address, people.operator, people.customer]) {
    await node.setBalance({ address, value: gasMoney })
  }
  // On real networks a token's address differs between chains; here the deployer's nonce ensures that.
  await node.setNonce({ address: tokenOwner.address, nonce: chainId })
  await deployContracts({ reader, sender })
  await node.setCode({ address: permit2.address, bytecode: permit2.code })

  const deploy = async (token: typeof testUsdc | typeof testUsdt | typeof testEurc): Promise<Hex> => {
    const { abi, bytecode } = token
    const hash = await sender.deployContract({ abi, bytecode })
    const { contractAddress } = await receiptOf(reader, hash)
    if (typeof contractAddress !== 'string') throw new Error(`Deploying a test token failed on chain ${chainId}.`)
    const shares = [
      { to: people.customer, amount: customerTokens },
      { to: people.merchant, amount: walletTokens },
      { to: people.platform, amount: walletTokens },
    ]
    for (const { to, amount } of shares) {
      const call = { address: contractAddress, abi: mintAbi, functionName: 'mint', args: [to, amount] } as const
      const receipt = await receiptOf(reader, await sender.writeContract(call))
      if (receipt.status !== 'success') throw new Error(`Minting test tokens failed on chain ${chainId}.`)
    }
    return getAddress(contractAddress)
  }

  const usdc = await deploy(testUsdc)
  const usdt = await deploy(testUsdt)
  const eurc = await deploy(testEurc)
  return {
    factory: factoryAddress,
    splitter: paymentSplitter.address,
    tokens: {
      USDC: { address: usdc, decimals },
      USDT: { address: usdt, decimals },
      EURC: { address: eurc, decimals },
    },
  }
}

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])

/**
 * The chain in viem's format. Replacement detection is off: while viem searches for a replacement it misses new blocks, and if
 * only transactions make blocks there is no later one, so waiting for a receipt would time out.
 */
export const devnetChain = (rpcUrl: string, chainId: number) =>
  defineChain({
    id: chainId,
    name: `Devnet ${chainId}`,
    nativeCurrency: { name: 'Test ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    supportsTransactionReplacementDetection: false,
  })
