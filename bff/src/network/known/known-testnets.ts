import type { KnownNetwork, KnownToken } from '../network-facts.ts'
import { l1FeeOracle } from './known-mainnets.ts'

/** Confirmations and reorgs of test money: an undone payment is only a test. */
const evmTestnet = { family: 'evm', isTestnet: true, confirmations: 5, finalityBlocks: 128, pollMs: 2_000 } as const

/**
 * Circle's own test tokens. Nobody issues a test USDT, and the lists disagree on a substitute, so there is none here; those
 * who need one deploy it and configure its address.
 */
const testUsdc = (address: string): readonly KnownToken[] => [
  { symbol: 'USDC', name: 'USD Coin (test)', address, decimals: 6 },
]

const testEurc = (address: string): KnownToken => ({
  symbol: 'EURC',
  name: 'EURC (test)',
  address,
  decimals: 6,
  isOffByDefault: true,
})

/** The letters beside the addresses name the lists in `known-mainnets.ts`. */
export const testnets: readonly KnownNetwork[] = [
  {
    ...evmTestnet,
    shortName: 'sepolia',
    name: 'Sepolia',
    chainId: 11_155_111,
    explorerUrl: 'https://sepolia.etherscan.io',
    logo: 'ethereum',
    publicRpcUrls: ['https://11155111.rpc.thirdweb.com'],
    // C A V W, and C V
    tokens: [
      ...testUsdc('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'),
      testEurc('0x08210F9170F89Ab7658F0B5E3fF39b0E03C594D4'),
    ],
  },
  {
    ...evmTestnet,
    shortName: 'base-sepolia',
    name: 'Base Sepolia',
    chainId: 84_532,
    explorerUrl: 'https://sepolia.basescan.org',
    logo: 'base',
    publicRpcUrls: ['https://sepolia.base.org'],
    l1FeeOracle,
    // C A V W, and C V
    tokens: [
      ...testUsdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
      testEurc('0x808456652fdb597867f38412077A9182bf77359F'),
    ],
  },
  {
    ...evmTestnet,
    shortName: 'arbitrum-sepolia',
    name: 'Arbitrum Sepolia',
    chainId: 421_614,
    explorerUrl: 'https://sepolia.arbiscan.io',
    logo: 'arbitrum',
    publicRpcUrls: ['https://sepolia-rollup.arbitrum.io/rpc'],
    // C A V W
    tokens: testUsdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'),
  },
  {
    ...evmTestnet,
    shortName: 'optimism-sepolia',
    name: 'OP Sepolia',
    chainId: 11_155_420,
    explorerUrl: 'https://optimism-sepolia.blockscout.com',
    logo: 'optimism',
    publicRpcUrls: ['https://sepolia.optimism.io'],
    l1FeeOracle,
    // C A V W
    tokens: testUsdc('0x5fd84259d66Cd46123540766Be93DFE6D43130D7'),
  },
  {
    ...evmTestnet,
    shortName: 'polygon-amoy',
    name: 'Polygon Amoy',
    chainId: 80_002,
    explorerUrl: 'https://amoy.polygonscan.com',
    logo: 'polygon',
    publicRpcUrls: ['https://polygon-amoy.drpc.org'],
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
    // C A V
    tokens: testUsdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'),
  },
  {
    ...evmTestnet,
    shortName: 'avalanche-fuji',
    name: 'Avalanche Fuji',
    chainId: 43_113,
    explorerUrl: 'https://testnet.snowtrace.io',
    logo: 'avalanche',
    publicRpcUrls: ['https://api.avax-test.network/ext/bc/C/rpc'],
    nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
    // C V W B
    tokens: testUsdc('0x5425890298aed601595a70AB815c96711a31Bc65'),
  },
  {
    shortName: 'solana-devnet',
    name: 'Solana Devnet',
    family: 'solana',
    chainId: 103,
    genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    isTestnet: true,
    confirmations: 32,
    pollMs: 2_000,
    explorerUrl: 'https://explorer.solana.com/?cluster=devnet',
    logo: 'solana',
    // C A W and the SPL token registry
    tokens: testUsdc('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'),
  },
]
