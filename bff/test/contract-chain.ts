import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openAnvilClient } from './anvil-client.ts'
import { startAnvil } from './devnet/anvil.ts'
import { deployNetwork } from './devnet/deploy.ts'
import { testUsdc } from './devnet/tokens.generated.ts'

/** A real chain with the real contracts and test tokens, and an account for each participant. For tests. */
export async function openContractChain(chainId: number) {
  const keys = { owner: generatePrivateKey(), operator: generatePrivateKey(), customer: generatePrivateKey() }
  const owner = privateKeyToAccount(keys.owner)
  const operator = privateKeyToAccount(keys.operator)
  const customer = privateKeyToAccount(keys.customer)
  const merchantAccount = privateKeyToAccount(generatePrivateKey())
  const merchant = merchantAccount.address
  const platform = privateKeyToAccount(generatePrivateKey()).address
  const anvil = await startAnvil({ chainId })
  const { rpcUrl } = anvil
  const { factory, tokens } = await deployNetwork({
    rpcUrl,
    chainId,
    people: { customer: customer.address, operator: operator.address, merchant, platform },
    tokenOwner: { privateKey: keys.owner, address: owner.address },
  })
  const chain = openAnvilClient(rpcUrl, chainId)
  return {
    keys,
    /** Mints tokens. */
    owner,
    operator,
    customer,
    merchant,
    /** Holds no coins until a test funds it. */
    merchantAccount,
    platform,
    rpcUrl,
    factory,
    tokens,
    chain,
    balanceOf: (address: Address, token = tokens.USDC.address) =>
      chain.readContract({ address: token, abi: testUsdc.abi, functionName: 'balanceOf', args: [address] }),
    /** Removes the newest blocks, with their transactions. */
    reorg: (depth: number) => chain.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    stop: () => anvil.stop(),
  }
}
