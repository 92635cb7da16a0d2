import type { Network } from '../../../core/families.ts'

type Pace = { blockSeconds: number; fee: 'low' | 'high' }

/**
 * What a customer may expect of a network, by chain id. `fee` is `high` where a token transfer has often cost more than a
 * dollar, `low` where it costs cents at the most. Block times are those the networks state: 12 s slots on Ethereum, 2 s on
 * the OP Stack, 0.25 s on Arbitrum, 2 s on Polygon, 0.45 s on BNB Chain, under 2 s on Avalanche.
 */
const paces: ReadonlyMap<number, Pace> = new Map([
  [1, { blockSeconds: 12, fee: 'high' }],
  [10, { blockSeconds: 2, fee: 'low' }],
  [56, { blockSeconds: 0.45, fee: 'low' }],
  [137, { blockSeconds: 2, fee: 'low' }],
  [8_453, { blockSeconds: 2, fee: 'low' }],
  [42_161, { blockSeconds: 0.25, fee: 'low' }],
  [43_114, { blockSeconds: 2, fee: 'low' }],
])

/** A slot of 0.4 s. */
const solana: Pace = { blockSeconds: 0.4, fee: 'low' }

/**
 * How long a payment waits for its confirmations and how much sending it costs, roughly; nothing is said of a chain that
 * nothing is known of, so that nobody is told a guess.
 */
export function typicalCost({ chainId, family, confirmations }: Pick<Network, 'chainId' | 'family' | 'confirmations'>) {
  const pace = family === 'evm' ? paces.get(chainId) : solana
  return {
    confirmations,
    confirmSeconds: pace ? Math.ceil(confirmations * pace.blockSeconds) : null,
    feeLevel: pace?.fee ?? null,
  }
}
