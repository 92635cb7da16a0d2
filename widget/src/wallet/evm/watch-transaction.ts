import { sleep, timing } from '../../timing.ts'
import type { PendingTransaction } from '../pending-transactions.ts'
import type { EvmWallet } from './evm-wallet.ts'

/** Progress of a wallet's payment. `nonce`: required for a repeat, null for any. */
export type Verdict = {
  status: 'pending' | 'done' | 'reverted' | 'gone' | 'unsure'
  canRepeat: boolean
  nonce: number | null
}

type Watching = {
  client: EvmWallet
  pending: PendingTransaction
  isOver: () => boolean
  onVerdict: (verdict: Verdict) => void
  onHash: (hash: string) => void
}

/** Polls the wallet's node until the service has detected the payment. The service decides; this only explains. */
export async function watchTransaction({ client, pending, isOver, onVerdict, onHash }: Watching): Promise<void> {
  let { hash } = pending
  let goneAtMs = 0
  while (!isOver()) {
    const batch = pending.batchId ? await client.batchStatusOf(pending.batchId) : null
    if (batch?.hash && !hash) onHash(batch.hash)
    hash ||= batch?.hash ?? ''
    const status = batch?.status ?? (hash ? await client.statusOf(hash) : 'gone')
    goneAtMs = status === 'gone' ? goneAtMs || performance.now() : 0
    if (isOver()) return
    if (status === 'reverted') onVerdict({ status, canRepeat: true, nonce: null })
    else if (!hash && !batch) onVerdict({ status: 'unsure', ...(await repeatOf(client, pending, hash)) })
    else if (goneAtMs && performance.now() - goneAtMs > timing.goneMs)
      onVerdict({ status: 'gone', ...(await repeatOf(client, pending, hash)) })
    else onVerdict({ status: status === 'done' ? 'done' : 'pending', canRepeat: false, nonce: null })
    await sleep(timing.pollMs)
  }
}

/**
 * Whether the same request may be repeated. A plain transfer may still arrive as long as the chain does not rule it
 * out.
 */
async function repeatOf(client: EvmWallet, pending: PendingTransaction, hash: string) {
  const no = { canRepeat: false, nonce: null }
  // The splitter accepts the same terms once.
  if (pending.type === 'contract') return { canRepeat: true, nonce: null }
  if (pending.nonce === null) return no
  const [next, queued, balance] = await Promise.all([
    client.transactionCount(pending.account, 'latest'),
    client.transactionCount(pending.account, 'pending'),
    client.balance(pending.token, pending.account),
  ])
  if (next === null || queued === null || balance === null) return no
  // The nonce is used: by this payment or by its replacement. The account still holds its money only in the second
  // case.
  if (next > pending.nonce) return { canRepeat: balance >= BigInt(pending.balance), nonce: null }
  // Sent once and dropped: the wallet may resend it at any time. Never sent, as far as known: the customer can see
  // whether a request is open, and a repeat has the same nonce, so only one of them arrives.
  return hash || queued > pending.nonce ? no : { canRepeat: true, nonce: pending.nonce }
}
