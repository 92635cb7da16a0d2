/** A file of its own: loaded only for a payment on Solana. The build writes its address here. */
export const loadSolana = (_attempt: number) => import('../solana/solana-path.ts')
