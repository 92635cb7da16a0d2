import { sql, type Tx } from '../../db/db.ts'
import { fixed, integer, orNull, table, text } from '../../db/table.ts'
import type { MerchantRefundId } from '../../payment/merchant-refund.ts'
import type { MerchantId } from '../../payment/payment.ts'

/**
 * `rejected`: by the wallet. `failed`: the chain proves that it cannot pay. `released`: a person states that nothing was sent.
 */
type PromptEnd = 'arrived' | 'rejected' | 'failed' | 'released'

/** What a wallet was asked to sign for one refund. A prompt for several refunds has several rows with one id. */
export type RefundPrompt = {
  id: string
  refundId: MerchantRefundId
  account: string
  /** Id of the session or key that prompted the wallet. */
  askedBy: string
  /** Nonce of the transaction `txId`, as a node reports it; null if unknown. */
  nonce: number | null
  /** The splitter refuses the transaction afterwards; null if it never expires. */
  deadlineMs: number | null
  /** Null until the page reports it. */
  txId: string | null
  batchId: string | null
  askedAtMs: number
  endedAtMs: number | null
  endReason: PromptEnd | null
}

const columns = table('refund_prompts', {
  id: fixed(text()),
  refundId: fixed(text<MerchantRefundId>()),
  account: fixed(text()),
  askedBy: fixed(text()),
  nonce: orNull(integer()),
  deadlineMs: fixed(orNull(integer())),
  txId: orNull(text()),
  batchId: orNull(text()),
  askedAtMs: fixed(integer()),
  endedAtMs: orNull(integer()),
  endReason: orNull(text<PromptEnd>()),
})

/** Maximum prompts of one refund, including ended ones: more than anyone rejects, and few rows. */
export const promptsPerRefundMax = 20

export function insertPrompt(tx: Tx, prompt: RefundPrompt): void {
  tx.write(sql`insert into refund_prompts (${columns.names}) values (${columns.values(prompt)})`)
}

/** The prompts that can still pay these refunds, at most one per refund. */
export async function openPromptsOf(
  tx: Tx,
  refundIds: readonly MerchantRefundId[],
): Promise<Map<MerchantRefundId, RefundPrompt>> {
  if (refundIds.length === 0) return new Map()
  const rows = await tx.all<object>(sql`
      select * from refund_prompts where refund_id in ${refundIds} and ended_at_ms is null`)
  return new Map(rows.map(columns.parse).map((prompt) => [prompt.refundId, prompt]))
}

export async function openPromptOf(tx: Tx, refundId: MerchantRefundId): Promise<RefundPrompt | undefined> {
  return (await openPromptsOf(tx, [refundId])).get(refundId)
}

export async function countPrompts(tx: Tx, refundId: MerchantRefundId): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from refund_prompts where refund_id = ${refundId}`)
  return row?.count ?? 0
}

/** The open rows of a merchant's prompt. */
export async function openPrompts(tx: Tx, id: string, merchantId: MerchantId): Promise<RefundPrompt[]> {
  const rows = await tx.all<object>(sql`
      select p.* from refund_prompts p join merchant_refunds r on r.id = p.refund_id
       where p.id = ${id} and r.merchant_id = ${merchantId} and p.ended_at_ms is null`)
  return rows.map(columns.parse)
}

export function savePrompt(tx: Tx, prompt: RefundPrompt): void {
  tx.write(sql`
      update refund_prompts set ${columns.set(prompt)} where id = ${prompt.id} and refund_id = ${prompt.refundId}`)
}
