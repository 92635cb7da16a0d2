import { randomBytes } from 'node:crypto'
import { tronAddressAt, tronAddressOf } from '@stablecoin-checkout/bff/testing/tron'
import { openTronChain } from '@stablecoin-checkout/rig/devnet/tron/tron'
import type { Hex } from 'viem'
import { HDKey } from 'viem/accounts'

/** Few, because a story makes the blocks. */
const confirmationsRequired = 3

/** Blocks after which a node reports a transfer as final. */
const finalAfterBlocks = 20

export type TronStory = Awaited<ReturnType<typeof openTron>>

/** The story's chain in Tron's form, with two nodes, and a merchant's wallet account. Only transactions make blocks. */
export async function openTron(customerKey: Hex, closing: (() => unknown)[]) {
  const tron = await openTronChain({ customerKey })
  closing.push(tron.stop)
  const { chainId, usdt, rpcUrl } = tron
  const [shortName, name] = ['tron', 'Tron']
  const source = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey
  return {
    ...tron,
    shortName,
    /** Formats an address as Tron does. */
    accountOf: tronAddressOf,
    finalize: () => tron.mine(finalAfterBlocks),
    /** The test customer's network: the chain behind the nodes. */
    network: { shortName, name, chainId, rpcUrl, tokens: { USDT: { address: usdt, decimals: 6 } } },
    config: {
      shortName,
      name,
      family: 'tron',
      chainId,
      isTestnet: true,
      pollMs: 50,
      explorerUrl: 'https://tronscan.org/#',
      rpcUrls: tron.nodes.map((node) => node.rpcUrl),
      confirmations: confirmationsRequired,
      tokens: [{ symbol: 'USDT', name: 'Tether USD', address: tronAddressOf(usdt), decimals: 6 }],
    },
    wallets: { [shortName]: `${source}@${tronAddressAt({ source, number: 0 })}` },
  }
}
