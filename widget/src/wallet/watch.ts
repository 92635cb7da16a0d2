import { pace, sleep } from './pace.ts'
import type { Sending } from './record.ts'
import type { WalletClient } from './wallet-client.ts'

/** Where a payment that the wallet was asked for has got to. `nonce`: the one that a repeat must have, null for any. */
export type Verdict = {
  fate: 'pending' | 'done' | 'reverted' | 'gone' | 'unsure'
  canRepeat: boolean
  nonce: number | null
}

type Watching = {
  client: WalletClient
  sending: Sending
  isOver: () => boolean
  tell: (verdict: Verdict) => void
  onHash: (hash: string) => void
}

/** Looks by the wallet's node until the service has seen the payment. The service's word decides; this only explains. */
export async function watchSending({ client, sending, isOver, tell, onHash }: Watching): Promise<void> {
  let { hash } = sending
  let goneAtMs = 0
  while (!isOver()) {
    const batch = sending.batchId ? await client.fateOfBatch(sending.batchId) : null
    if (batch?.hash && !hash) onHash(batch.hash)
    hash ||= batch?.hash ?? ''
    const fate = batch?.fate ?? (hash ? await client.fateOf(hash) : 'gone')
    goneAtMs = fate === 'gone' ? goneAtMs || performance.now() : 0
    if (isOver()) return
    if (fate === 'reverted') tell({ fate, canRepeat: true, nonce: null })
    else if (!hash && !batch) tell({ fate: 'unsure', ...(await repeatOf(client, sending, hash)) })
    else if (goneAtMs && performance.now() - goneAtMs > pace.goneMs)
      tell({ fate: 'gone', ...(await repeatOf(client, sending, hash)) })
    else tell({ fate: fate === 'done' ? 'done' : 'pending', canRepeat: false, nonce: null })
    await sleep(pace.lookMs)
  }
}

/** Whether the same may be asked for again. What was sent as one transfer may arrive as long as the chain does not rule it out. */
async function repeatOf(client: WalletClient, sending: Sending, hash: string) {
  const no = { canRepeat: false, nonce: null }
  // The splitter takes the same terms once.
  if (sending.type === 'contract') return { canRepeat: true, nonce: null }
  if (sending.nonce === null) return no
  const [next, queued, balance] = await Promise.all([
    client.transactionCount(sending.account, 'latest'),
    client.transactionCount(sending.account, 'pending'),
    client.balance(sending.token, sending.account),
  ])
  if (next === null || queued === null || balance === null) return no
  // Used up: by this payment or by what replaced it. The account still holds its money only in the second case.
  if (next > sending.nonce) return { canRepeat: balance >= BigInt(sending.balance), nonce: null }
  // Sent once and dropped: the wallet may send it anew at any time. Never sent, as far as anyone knows: the customer can
  // look whether a request is open, and a repeat has the same nonce, so that of two only one arrives.
  return hash || queued > sending.nonce ? no : { canRepeat: true, nonce: sending.nonce }
}
