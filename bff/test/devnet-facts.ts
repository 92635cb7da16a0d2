import { factoryAddress, paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import type { EvmNetwork } from '@stablecoin-checkout/bff/testing/core'

/** A network that no test or benchmark calls: the HTTP side needs only its facts. */
export const devnetFacts: EvmNetwork = {
  shortName: 'devnet',
  name: 'Devnet',
  family: 'evm',
  chainId: 31_337,
  isTestnet: true,
  deposits: 'forwarder',
  rpcUrls: ['http://127.0.0.1:1'],
  publicRpcUrls: [],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  confirmations: 3,
  highValue: null,
  sweepGas: null,
  signatureGas: null,
  finalityBlocks: 64,
  pollMs: 1_000,
  explorerUrl: null,
  factory: factoryAddress,
  splitter: paymentSplitter.address,
  platformWallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  tokens: [
    {
      symbol: 'USDC',
      currency: 'USD',
      name: 'USD Coin',
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      decimals: 6,
      permit: { name: 'USD Coin', version: '2' },
      authorization: { name: 'USD Coin', version: '2' },
    },
  ],
}
