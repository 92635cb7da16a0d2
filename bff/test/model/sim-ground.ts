import type { Ground, ModelBlock, ModelTransfer } from './port.ts'

/** In-memory blocks. Hashes are never reused. `source`: the payments' token contract, and another. For tests. */
export function createSimGround(startMs: number, source: { ours: string; other: string }): Ground {
  let hashes = 0
  const genesis = { number: 0, hash: '0xb0', parentHash: '0x', timeMs: startMs, transactions: [], transfers: [] }
  return {
    genesis,
    async mine(parent, transactions, seconds): Promise<ModelBlock> {
      hashes += 1
      const number = parent.number + 1
      const transfers = transactions.flatMap(({ serial, pays }) => {
        const txId = `0x${serial.toString(16).padStart(64, '0')}`
        return pays.map((pay) => ({ ...pay, txId, source: pay.isOurToken ? source.ours : source.other }))
      })
      return {
        number,
        hash: `0xb${number}-${hashes}`,
        parentHash: parent.hash,
        transactions,
        timeMs: parent.timeMs + seconds * 1_000,
        transfers: transfers.map((transfer, logIndex): ModelTransfer => ({ ...transfer, logIndex })),
      }
    },
    cut: async () => undefined,
    restore: async () => undefined,
  }
}
