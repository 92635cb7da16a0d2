import type { EvmNetwork } from '@stablecoin-checkout/bff/testing/core'
import { devnetFacts } from '../devnet-facts.ts'
import { newPayment } from '../new-payment.ts'

export const confirmations = 3

/** No chain of the model goes back further: beyond finality the watcher stops, and a person is asked. */
export const reorgMax = 9

/** The contract that payments are due in, in lower case, and one that is none of theirs. */
export const token = newPayment().tokenAddress.toLowerCase()
export const otherToken = `0x${'fa'.repeat(20)}`

export const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Both tokens are configured, so that only the payment says which of them counts. */
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
