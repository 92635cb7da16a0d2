import { sleep, timing } from '../../timing.ts'
import type { Stop } from '../wallet-state.ts'
import type { EvmWallet } from './evm-wallet.ts'

type Approval = {
  token: string
  owner: string
  spender: string
  /** Base units; 0 when revoking. */
  wanted: bigint
  /** Hash of the approval's transaction. */
  hash: string
  isOver: () => boolean
}

/**
 * Waits for the token's allowance, not only for the transaction: a wallet may speed it up under another hash.
 * @returns null once the allowance suffices or the transaction is mined: a wallet may have granted less than requested.
 */
export async function waitForAllowance(client: EvmWallet, approval: Approval): Promise<Stop | null> {
  const { token, owner, spender, wanted, hash, isOver } = approval
  let goneAtMs = 0
  for (;;) {
    const allowance = await client.allowance(token, owner, spender)
    if (allowance !== null && (wanted === 0n ? allowance === 0n : allowance >= wanted)) return null
    const status = await client.statusOf(hash)
    if (status === 'reverted') return { why: 'reverted' }
    if (status === 'done') {
      await sleep(timing.pollMs)
      return null
    }
    goneAtMs = status === 'gone' ? goneAtMs || performance.now() : 0
    if (goneAtMs && performance.now() - goneAtMs > timing.goneMs) return { why: 'gone' }
    if (isOver()) return { why: 'late' }
    await sleep(timing.pollMs)
  }
}
