import type { MerchantRefund } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { notifyTabs } from '../ui/live-list.ts'

/** The open request to the wallet, as the page shows it. `allowed`, `sent`: the wallet has answered, and the page waits for the network. */
export type WalletAsk = 'connect' | 'switch' | 'approve' | 'allowed' | 'pay' | 'sent'

/** Why a wallet does not pay. Amounts are base units of `token`, a token's address; `message` comes from the wallet. */
export type WalletStop =
  | { why: 'rejected' | 'busy' | 'locked' | 'network' | 'mismatch' | 'fee' | 'givenUp' }
  | { why: 'account' | 'holder'; account: string }
  | { why: 'scattered'; token: string; needed: bigint }
  | { why: 'funds'; token: string; held: bigint; needed: bigint }
  | { why: 'failed'; message: string }

/** Called with each request to the wallet, and the refunds whose sum it names; null: none is open. */
export type OnAsk = (ask: WalletAsk | null, refunds?: readonly MerchantRefund[]) => void

/** A wallet of this browser. */
export type RefundWallet = {
  name: string
  /**
   * Pays refunds of one network. Resolves once the service knows what the wallet sent, or why it did not.
   * @throws {Fault} when the service refuses.
   */
  pay(refunds: readonly MerchantRefund[], onAsk: OnAsk): Promise<WalletStop | null>
}

export type Prompted = { prompt: { id: string; transaction: string | null }; refunds: MerchantRefund[] }

/** Records at the service, confirmed by passkey, that the wallet is about to be asked. @throws {Fault} */
export const promptFor = (refunds: readonly MerchantRefund[], asked: { account: string }) =>
  requestConfirmed<Prompted>('refunds/prompts', {
    method: 'POST',
    body: { refundIds: refunds.map(({ id }) => id), ...asked },
  }).finally(notifyTabs)

type Report = { transactionHash: string } | { batchId: string } | { isRejected: true } | { isGivenUp: true }

/** Continues when the page is left, because the next page must know. */
export const reportPrompt = (id: string, body: Report) =>
  request(`refunds/prompts/${id}`, { method: 'POST', body, keepalive: true }).finally(notifyTabs)

/** The person says that the wallet sent nothing. */
export const releasePrompt = (id: string) =>
  requestConfirmed(`refunds/prompts/${id}/release`, { method: 'POST' }).finally(notifyTabs)
