import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BaseUnits, formatAmount, parseAmount } from '@stablecoin-checkout/bff/testing/core'
import { registerCall } from '@stablecoin-checkout/bff/testing/evm'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { masterSalt, startTempo, type TempoDevnet } from '@stablecoin-checkout/rig/devnet/tempo'
import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { succeeded } from './chain.ts'

type TokenName = 'USDC' | 'USDT'

/** Decimals of both test tokens. */
const decimals = 6

/** Blocks are final immediately. */
const confirmationsRequired = 1

const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferWithMemo(address to, uint256 amount, bytes32 memo)',
  'function balanceOf(address account) view returns (uint256)',
])

export type TempoStory = Awaited<ReturnType<typeof openTempo>>

/** The story's local Tempo, and what a service needs to know of it. Only transactions make blocks. */
export async function openTempo(customer: TempoDevnet['customer'], closing: (() => unknown)[], isRegistered: boolean) {
  const dataDir = mkdtempSync(join(tmpdir(), 'stories-tempo-'))
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const { anvil, ...tempo } = await startTempo({ dataDir, customer, blockTimeSeconds: null, isRegistered })
  closing.push(anvil.stop)
  const { shortName, name, family, chainId, rpcUrl, platformWallet, tokens, merchantWallet } = tempo.network
  const forget = isRegistered ? () => {} : await registerForNow(rpcUrl, merchantWallet)
  return {
    shortName,
    merchant: tempo.merchant,
    chain: openChain(tempo),
    config: {
      shortName,
      name,
      family,
      chainId,
      isTestnet: true,
      deposits: 'virtual',
      pollMs: 50,
      rpcUrls: [rpcUrl],
      publicRpcUrls: [rpcUrl],
      confirmations: confirmationsRequired,
      platformWallet,
      tokens: [
        { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC },
        { symbol: 'USDT', name: 'Tether USD', ...tokens.USDT },
      ],
    },
    wallets: { [shortName]: `${merchantWallet}:${masterSalt}` },
    /** For stories without registration: makes the chain forget that the wallet was registered while the merchant was created. */
    forget,
  }
}

/**
 * Registers the wallet temporarily, because no merchant can set an unregistered one. @returns a function that restores the chain.
 */
async function registerForNow(rpcUrl: string, wallet: Hex): Promise<() => Promise<void>> {
  const before = await rpcCall(rpcUrl, 'evm_snapshot', [])
  await rpcCall(rpcUrl, 'eth_sendTransaction', [{ from: wallet, ...registerCall(masterSalt) }])
  return async () => {
    await rpcCall(rpcUrl, 'evm_revert', [before])
  }
}

type Payer = 'customer' | 'merchant'
type Transfer = { token?: TokenName; memo?: Hex; by?: Payer }

function openChain({ network, customer, merchant }: TempoDevnet) {
  const { rpcUrl, chainId, tokens } = network
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const reader = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 20 })
  const walletOf = (key: Hex) => createWalletClient({ chain, transport, account: privateKeyToAccount(key) })
  const wallets = { customer: walletOf(customer.privateKey), merchant: walletOf(merchant.privateKey) }
  const rpc = (method: string, ...params: unknown[]) => rpcCall(rpcUrl, method, params)

  function dataOf(to: string, amount: string, { memo }: Transfer): Hex {
    const units = parseAmount(amount, decimals)
    return memo === undefined
      ? encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to as Hex, units] })
      : encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithMemo', args: [to as Hex, units, memo] })
  }

  async function send(to: string, amount: string, how: Transfer, nonce?: number): Promise<Hex> {
    const { token = 'USDC', by = 'customer' } = how
    const request = { to: tokens[token].address, data: dataOf(to, amount, how), gas: 2_000_000n }
    return await wallets[by].sendTransaction({ ...request, ...(nonce !== undefined && { nonce }) })
  }

  return {
    network,
    rpc,
    node: () => ({ rpc, facts: network }),
    /** Pays; mined in its own block on return. @returns the transaction id. */
    async pay(to: string, amount: string, how: Transfer = {}): Promise<Hex> {
      const hash = await send(to, amount, how)
      await succeeded(reader, hash)
      return hash
    },
    /** Pays all in one block, in this order. */
    async payTogether(transfers: readonly (Transfer & { to: string; amount: string })[]): Promise<Hex[]> {
      const txIds: Hex[] = []
      await rpc('evm_setAutomine', false)
      try {
        let nonce = await reader.getTransactionCount({ address: customer.address, blockTag: 'pending' })
        for (const { to, amount, ...how } of transfers) txIds.push(await send(to, amount, how, nonce++))
        await rpc('evm_mine')
      } finally {
        await rpc('evm_setAutomine', true)
      }
      for (const hash of txIds) await succeeded(reader, hash)
      return txIds
    },
    /** Makes the next block this much later. */
    async travel(seconds: number): Promise<void> {
      await rpc('evm_increaseTime', seconds)
      await rpc('evm_mine')
    },
    mine: (blocks: number) => rpc('anvil_mine', `0x${blocks.toString(16)}`),
    /** Replaces the newest blocks with others, without their transactions. */
    reorg: (depth: number) => rpc('anvil_reorg', depth, []),
    head: async () => Number(await rpc('eth_blockNumber')),
    /** Whole tokens, exactly. */
    async balance(account: string, token: TokenName = 'USDC'): Promise<string> {
      const call = { address: tokens[token].address, abi: tokenAbi, functionName: 'balanceOf' } as const
      return formatAmount((await reader.readContract({ ...call, args: [account as Hex] })) as BaseUnits, decimals)
    },
  }
}
