import type { KnownNetwork } from '../network-facts.ts'

/*
 * Sources of the addresses, each checked against at least the lists named beside it:
 * C Circle bridge-kit 1.15.1, https://developers.circle.com/stablecoins/usdc-contract-addresses and …/eurc-contract-addresses,
 * U Uniswap default token list 22.21.0, A Across constants 3.1.127, S Stargate definitions, V viem/tokens, W Wormhole sdk-base,
 * B Aave address book.
 */

const usdc = { symbol: 'USDC', name: 'USD Coin' } as const
/** Circle's own, on the mainnets that x402 lists: https://github.com/circlefin/stablecoin-evm (FiatTokenV2) and x402's list of assets. */
const circleDomain = { name: 'USD Coin', version: '2' } as const
const circleUsdc = { ...usdc, permit: circleDomain, authorization: circleDomain } as const
/** Permit2 has the same address on every mainnet whose token uses it: https://docs.uniswap.org/contracts/v3/reference/deployments */
const usdt = { symbol: 'USDT', name: 'Tether USD', authorization: 'permit2' } as const

/** The same address on every chain of the OP Stack. */
export const l1FeeOracle = '0x420000000000000000000000000000000000000F'

/**
 * Off by default, because without rates a shop cannot convert its dollar prices. Uses only Permit2: the lists disagree on the
 * token's name, so its signing domain is not proven.
 */
const plainEurc = { symbol: 'EURC', name: 'EURC', decimals: 6, isOffByDefault: true } as const
const eurc = { ...plainEurc, authorization: 'permit2' } as const

/** For chains where Permit2 is not proven to exist, or is not used. */
const plainUsdt = { symbol: 'USDT', name: 'Tether USD' } as const

export const mainnets: readonly KnownNetwork[] = [
  {
    shortName: 'ethereum',
    name: 'Ethereum',
    family: 'evm',
    chainId: 1,
    isTestnet: false,
    // 2.4 minutes; BVNK and OpenZeppelin's relayer also use 12.
    confirmations: 12,
    // Finality after two epochs of 32 blocks, doubled.
    finalityBlocks: 128,
    pollMs: 4_000,
    explorerUrl: 'https://etherscan.io',
    logo: 'ethereum',
    publicRpcUrls: ['https://ethereum.reth.rs/rpc'],
    tokens: [
      // C U A V W S B
      { ...circleUsdc, address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
      // U A W S B
      { ...usdt, address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
      // C U V
      { ...eurc, address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c' },
      // U and the issuer's https://github.com/paxosglobal/pyusd-contract
      {
        symbol: 'PYUSD',
        name: 'PayPal USD',
        address: '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8',
        decimals: 6,
        authorization: 'permit2',
        isOffByDefault: true,
      },
    ],
  },
  {
    shortName: 'base',
    name: 'Base',
    family: 'evm',
    chainId: 8_453,
    isTestnet: false,
    // 20 seconds; BVNK and Hyperlane also use 10.
    confirmations: 10,
    finalityBlocks: 256,
    pollMs: 2_000,
    explorerUrl: 'https://basescan.org',
    logo: 'base',
    publicRpcUrls: ['https://mainnet.base.org'],
    l1FeeOracle,
    tokens: [
      // C U A V W S B
      { ...circleUsdc, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
      // A W and the OP token list, but not Circle, Uniswap or Stargate: bridged, so off by default.
      { ...usdt, address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6, isOffByDefault: true },
      // C U V
      { ...eurc, address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' },
    ],
  },
  {
    shortName: 'arbitrum',
    name: 'Arbitrum One',
    family: 'evm',
    chainId: 42_161,
    isTestnet: false,
    // A minute of 0.25 s blocks; ponder also uses 240, BVNK 300.
    confirmations: 240,
    finalityBlocks: 512,
    pollMs: 1_000,
    explorerUrl: 'https://arbiscan.io',
    logo: 'arbitrum',
    publicRpcUrls: ['https://arb1.arbitrum.io/rpc'],
    tokens: [
      // C U A V W S B
      { ...circleUsdc, address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
      // C U A W S B; the same address is USDT0 today.
      { ...usdt, address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', decimals: 6 },
    ],
  },
  {
    shortName: 'optimism',
    name: 'OP Mainnet',
    family: 'evm',
    chainId: 10,
    isTestnet: false,
    // As on Base, which runs the same software.
    confirmations: 10,
    finalityBlocks: 256,
    pollMs: 2_000,
    explorerUrl: 'https://optimistic.etherscan.io',
    logo: 'optimism',
    publicRpcUrls: ['https://mainnet.optimism.io'],
    l1FeeOracle,
    tokens: [
      // C U A V W S B
      { ...circleUsdc, address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', decimals: 6 },
      // C U A W S B: the bridged USDT that people hold, not USDT0 (0x01bF…1071).
      { ...usdt, address: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', decimals: 6 },
    ],
  },
  {
    shortName: 'polygon',
    name: 'Polygon PoS',
    family: 'evm',
    chainId: 137,
    isTestnet: false,
    // The longest reorgs exceeded a hundred blocks (157 in February 2023, before milestones); 4.3 minutes.
    confirmations: 128,
    finalityBlocks: 512,
    pollMs: 2_000,
    explorerUrl: 'https://polygonscan.com',
    logo: 'polygon',
    publicRpcUrls: ['https://polygon.drpc.org'],
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
    tokens: [
      // C U A V W S B
      { ...circleUsdc, address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
      // C U A W S B
      { ...usdt, address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 },
    ],
  },
  {
    shortName: 'bsc',
    name: 'BNB Smart Chain',
    family: 'evm',
    chainId: 56,
    isTestnet: false,
    // 10 seconds of 0.45 s blocks; two thirds of 21 validators have then built on the block.
    confirmations: 21,
    finalityBlocks: 128,
    pollMs: 1_000,
    explorerUrl: 'https://bscscan.com',
    logo: 'bsc',
    publicRpcUrls: ['https://56.rpc.thirdweb.com'],
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    tokens: [
      // Both are Binance-Peg tokens with 18 decimals: Circle and Tether issue none here. U A W S B and Binance's documents.
      { ...usdc, authorization: 'permit2', address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
      { ...usdt, address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
    ],
  },
  {
    shortName: 'avalanche',
    name: 'Avalanche C-Chain',
    family: 'evm',
    chainId: 43_114,
    isTestnet: false,
    // A block is final when it is accepted; the rest guards against a single faulty node.
    confirmations: 12,
    finalityBlocks: 128,
    pollMs: 1_000,
    explorerUrl: 'https://snowtrace.io',
    logo: 'avalanche',
    publicRpcUrls: ['https://api.avax.network/ext/bc/C/rpc'],
    nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
    tokens: [
      // C U A V W S B
      { ...circleUsdc, address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', decimals: 6 },
      // C U A W S B
      { ...usdt, address: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', decimals: 6 },
      // C U V
      { ...eurc, address: '0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD' },
    ],
  },
  {
    shortName: 'unichain',
    name: 'Unichain',
    family: 'evm',
    chainId: 130,
    isTestnet: false,
    // 20 seconds of 1 s blocks, as on Base, which runs the same software.
    confirmations: 20,
    finalityBlocks: 256,
    pollMs: 1_000,
    explorerUrl: 'https://uniscan.xyz',
    logo: 'unichain',
    publicRpcUrls: ['https://mainnet.unichain.org/'],
    l1FeeOracle,
    tokens: [
      // C U V
      { ...usdc, authorization: 'permit2', address: '0x078D782b760474a361dDA0AF3839290b0EF57AD6', decimals: 6 },
      // C U: USDT0; not the bridged USDT (0x588C…5518).
      { ...usdt, address: '0x9151434b16b9763660705744891fA906F660EcC5', decimals: 6 },
    ],
  },
  {
    shortName: 'plasma',
    name: 'Plasma',
    family: 'evm',
    chainId: 9_745,
    isTestnet: false,
    // Circle's bridge waits for 3; a block is final when the validators have voted for it.
    confirmations: 3,
    finalityBlocks: 128,
    pollMs: 1_000,
    explorerUrl: 'https://plasmascan.to',
    logo: 'plasma',
    publicRpcUrls: ['https://rpc.plasma.to'],
    nativeCurrency: { name: 'Plasma', symbol: 'XPL', decimals: 18 },
    tokens: [
      // C V
      { ...usdc, address: '0x2d661C89D812261039AF9764eceaAee884f5F67F', decimals: 6 },
      // USDT0: https://docs.chainstack.com/docs/plasma-tutorial-monitor-usdt-flows-with-web3py, https://docs.semanticpay.io/supported-chains
      { ...plainUsdt, address: '0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb', decimals: 6 },
      // C V
      { ...plainEurc, address: '0x3EE196E78d4d4248b849B8E1C7F44C5457FAFD2C' },
    ],
  },
  {
    shortName: 'tempo',
    name: 'Tempo',
    family: 'evm',
    deposits: 'virtual',
    chainId: 4_217,
    isTestnet: false,
    // Blocks are final within a second, and reorgs are not expected: https://docs.tempo.xyz
    confirmations: 1,
    finalityBlocks: 128,
    pollMs: 1_000,
    explorerUrl: 'https://explore.tempo.xyz',
    logo: 'tempo',
    publicRpcUrls: ['https://rpc.tempo.xyz'],
    // The chain has no coin: fees are paid in tokens. Wallets still require a coin with 18 decimals.
    nativeCurrency: { name: 'US Dollar', symbol: 'USD', decimals: 18 },
    tokens: [
      // V: bridged by Stargate, and the USDC of this chain; its contract calls it USDC.e.
      {
        symbol: 'USDC',
        name: 'Bridged USDC (Stargate)',
        address: '0x20C000000000000000000000b9537d11c60E8b50',
        decimals: 6,
      },
      // U V
      { ...plainUsdt, address: '0x20C00000000000000000000014f22CA97301EB73', decimals: 6 },
    ],
  },
  {
    shortName: 'solana',
    name: 'Solana',
    family: 'solana',
    chainId: 101,
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    isTestnet: false,
    // The commitment `finalized`: 32 slots of 0.4 s.
    confirmations: 32,
    pollMs: 2_000,
    explorerUrl: 'https://explorer.solana.com',
    logo: 'solana',
    tokens: [
      // C W U and the SPL token registry; both of the classic Token program.
      { ...usdc, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
      { ...plainUsdt, address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
      // C, and BitGo's list: https://github.com/BitGo/BitGoJS/pull/6810
      { ...plainEurc, address: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr' },
    ],
  },
]
