import type { EvmNetwork } from '@stablecoin-checkout/bff/testing/core'
import { devnetFacts } from '../devnet-facts.ts'
import { newPayment } from '../new-payment.ts'

export const confirmations = 3

/** Maximum reorg depth in the model: beyond finality, the watcher stops and a person must decide. */
export const reorgMax = 9

/** The payments' token contract, in lower case, and an unrelated one. */
export const token = newPayment().tokenAddress.toLowerCase()
export const otherToken = `0x${'fa'.repeat(20)}`

export const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Both tokens are configured, so that only the payment decides which one counts. */
export const network: EvmNetwork = {
  ...devnetFacts,
  rpcUrls: [],
  confirmations,
  finalityBlocks: 12,
  pollMs: 1,
  tokens: [
    {
      symbol: 'USDC',
      currency: 'USD',
      name: 'USD Coin',
      address: token,
      decimals: 6,
      permit: null,
      authorization: null,
    },
    {
      symbol: 'USDT',
      currency: 'USD',
      name: 'Tether USD',
      address: otherToken,
      decimals: 6,
      permit: null,
      authorization: null,
    },
  ],
}
