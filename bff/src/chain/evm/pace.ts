/**
 * A network's block time, and its fee for customers, by chain id. `fee` is `high` if a token transfer has often cost more than a
 * dollar, `low` if it costs cents at most. Block times are the networks' own: 12 s slots on Ethereum, 2 s on the OP Stack, 0.25 s
 * on Arbitrum, 2 s on Polygon, 0.45 s on BNB Chain, under 2 s on Avalanche, 1 s on Unichain and Plasma, less on Tempo.
 */
export const evmPaces: ReadonlyMap<number, { blockSeconds: number; fee: 'low' | 'high' }> = new Map([
  [1, { blockSeconds: 12, fee: 'high' }],
  [10, { blockSeconds: 2, fee: 'low' }],
  [56, { blockSeconds: 0.45, fee: 'low' }],
  [137, { blockSeconds: 2, fee: 'low' }],
  [130, { blockSeconds: 1, fee: 'low' }],
  [4_217, { blockSeconds: 1, fee: 'low' }],
  [8_453, { blockSeconds: 2, fee: 'low' }],
  [9_745, { blockSeconds: 1, fee: 'low' }],
  [42_161, { blockSeconds: 0.25, fee: 'low' }],
  [43_114, { blockSeconds: 2, fee: 'low' }],
])
