import type { createSolanaNode } from '../../devnet/solana/node.ts'
import type { RpcRequest } from '../service/served-nodes.ts'

/** A node's fault, until another is set. `call` counts its responses from 0. */
export type SolanaFault =
  | { type: 'none' }
  | { type: 'down' }
  | { type: 'fails'; call: number }
  /** Has the height, and no history of transactions. */
  | { type: 'forgets' }
  /** Has no history, and reports a height far ahead: transactions that it does not know seem expired. */
  | { type: 'says-expired' }
  /** Is behind by this many blocks, in all its responses. */
  | { type: 'lags'; blocks: number }
  /** Accepts transactions and passes them on to nobody. */
  | { type: 'swallows' }

/** JSON-RPC of a node with configurable faults. */
export function createLyingSolanaNode(node: ReturnType<typeof createSolanaNode>) {
  let fault: SolanaFault = { type: 'none' }
  let calls = 0
  const lag = (blocks: number) => void node.answer({ id: 1, method: 'devnet_lag', params: [blocks] })

  /** The nodes share one chain, so the lag applies to this response only. */
  function answerOf(request: RpcRequest): unknown {
    if (fault.type !== 'lags') return node.answer(request)
    lag(fault.blocks)
    try {
      return node.answer(request)
    } finally {
      lag(0)
    }
  }

  return {
    tell(next: SolanaFault): void {
      fault = next
      calls = 0
    },
    async respond(request: RpcRequest): Promise<object | undefined> {
      const call = calls
      calls += 1
      if (fault.type === 'down' || (fault.type === 'fails' && fault.call === call)) return undefined
      const isForgetful = fault.type === 'forgets' || fault.type === 'says-expired'
      const base = { jsonrpc: '2.0', id: request.id }
      if (fault.type === 'says-expired' && request.method === 'getBlockHeight')
        return { ...base, result: 1_000_000_000 }
      if (fault.type === 'swallows' && request.method === 'sendTransaction') return { ...base, result: '1'.repeat(64) }
      const answer = answerOf(request) as { result?: { value?: unknown[] } }
      if (isForgetful && request.method === 'getSignatureStatuses') {
        const value = (answer.result?.value ?? []).map(() => null)
        return { ...answer, result: { ...answer.result, value } }
      }
      return answer
    },
  }
}
