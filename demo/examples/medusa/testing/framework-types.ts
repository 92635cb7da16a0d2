/** The parts of `@medusajs/framework/types` 2.21 that the provider uses: this repository's tests run without Medusa. */

export type BigNumberInput = number | string | { value: string | number; precision?: number }

type Given = { data?: Record<string, unknown>; context?: { idempotency_key?: string } }
type Returned = { data?: Record<string, unknown> }
type Status = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled' | 'pending_authorization'
type Action = 'authorized' | 'captured' | 'failed' | 'pending' | 'requires_more' | 'canceled' | 'not_supported'

export type InitiatePaymentInput = Given & { amount: BigNumberInput; currency_code: string }
export type InitiatePaymentOutput = Returned & { id: string; status?: Status }
export type UpdatePaymentInput = InitiatePaymentInput
export type UpdatePaymentOutput = Returned & { status?: Status }
export type AuthorizePaymentInput = Given
export type AuthorizePaymentOutput = Returned & { status: Status }
export type CapturePaymentInput = Given
export type CapturePaymentOutput = Returned
export type CancelPaymentInput = Given
export type CancelPaymentOutput = Returned
export type DeletePaymentInput = Given
export type DeletePaymentOutput = Returned
export type RetrievePaymentInput = Given
export type RetrievePaymentOutput = Returned
export type RefundPaymentInput = Given & { amount: BigNumberInput }
export type RefundPaymentOutput = Returned
export type GetPaymentStatusInput = Given
export type GetPaymentStatusOutput = Returned & { status: Status }
export type ProviderWebhookPayload = {
  payload: { data: Record<string, unknown>; rawData: string | Buffer; headers: Record<string, unknown> }
}
export type WebhookActionResult = { action: Action; data?: { session_id: string; amount: BigNumberInput } }
