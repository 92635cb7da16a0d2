import { factoryAddress, paymentSplitter } from '../../bff/src/chain/evm/deploy/contracts.generated.ts'
import type { EvmNetwork } from '../../bff/src/core/families.ts'
import type { Log } from '../../bff/src/core/log.ts'

export const operator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A network that is never asked: the HTTP side needs only its facts. */
export const benchNetwork: EvmNetwork = {
  shortName: 'devnet',
  name: 'Devnet',
  family: 'evm',
  chainId: 31_337,
  isTestnet: true,
  rpcUrls: ['http://127.0.0.1:1'],
  publicRpcUrls: [],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  confirmations: 3,
  highValue: null,
  sweepGas: null,
  finalityBlocks: 64,
  pollMs: 1_000,
  explorerUrl: null,
  factory: factoryAddress,
  splitter: paymentSplitter.address,
  platformWallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  tokens: [
    {
      symbol: 'USDC',
      name: 'USD Coin',
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      decimals: 6,
      permit: { name: 'USD Coin', version: '2' },
      authorization: { name: 'USD Coin', version: '2' },
    },
  ],
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** One measured line of the report. `target` is the bound that the project promises. */
export type Measure = { name: string; value: number; unit: string; target?: string; isGood?: boolean }
