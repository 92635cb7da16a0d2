import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openAnvilClient } from './anvil-client.ts'
import { startAnvil } from './devnet/anvil.ts'
import { deployNetwork } from './devnet/deploy.ts'
import { rpcCall } from './devnet/rpc.ts'
import { testUsdc } from './devnet/tokens.generated.ts'

/** Blocks after a loaded state: of earlier blocks, anvil knows no state, and cannot replace them. */
const blocksAfterLoad = 14

/** Chains with contracts and tokens, by chain id: deploying takes 0.5 s of work, loading the result 0.01 s. */
const deployed = new Map<number, ReturnType<typeof deploy>>()

/** A state of a chain with the real contracts and test tokens, and the keys of its participants. */
async function deploy(chainId: number) {
  const keys = { owner: generatePrivateKey(), operator: generatePrivateKey(), customer: generatePrivateKey() }
  const owner = privateKeyToAccount(keys.owner)
  const operator = privateKeyToAccount(keys.operator)
  const customer = privateKeyToAccount(keys.customer)
  const merchantAccount = privateKeyToAccount(generatePrivateKey())
  const platform = privateKeyToAccount(generatePrivateKey()).address
  const { rpcUrl, stop } = await startAnvil({ chainId })
  try {
    const { factory, tokens } = await deployNetwork({
      rpcUrl,
      chainId,
      people: {
        customer: customer.address,
        operator: operator.address,
        merchant: merchantAccount.address,
        platform,
      },
      tokenOwner: { privateKey: keys.owner, address: owner.address },
    })
    const { baseFeePerGas } = await openAnvilClient(rpcUrl, chainId).getBlock()
    const state = await rpcCall(rpcUrl, 'anvil_dumpState', [])
    return { keys, owner, operator, customer, merchantAccount, platform, factory, tokens, baseFeePerGas, state }
  } finally {
    await stop()
  }
}

/**
 * A real chain with the real contracts and test tokens, and an account for each participant. Chains of one id have the same
 * accounts. For tests.
 */
export async function openContractChain(chainId: number) {
  const known = deployed.get(chainId) ?? deploy(chainId)
  deployed.set(chainId, known)
  const { state, baseFeePerGas, ...parts } = await known
  const anvil = await startAnvil({ chainId })
  const { rpcUrl } = anvil
  const chain = openAnvilClient(rpcUrl, chainId)
  await rpcCall(rpcUrl, 'anvil_loadState', [state])
  await chain.mine({ blocks: blocksAfterLoad })
  if (baseFeePerGas !== null) await chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  return {
    keys: parts.keys,
    /** Mints tokens. */
    owner: parts.owner,
    operator: parts.operator,
    customer: parts.customer,
    merchant: parts.merchantAccount.address,
    /** Holds no coins until a test funds it. */
    merchantAccount: parts.merchantAccount,
    platform: parts.platform,
    rpcUrl,
    factory: parts.factory,
    tokens: parts.tokens,
    chain,
    balanceOf: (address: Address, token = parts.tokens.USDC.address) =>
      chain.readContract({ address: token, abi: testUsdc.abi, functionName: 'balanceOf', args: [address] }),
    /** Removes the newest blocks, with their transactions. */
    reorg: (depth: number) => chain.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    stop: () => anvil.stop(),
  }
}
