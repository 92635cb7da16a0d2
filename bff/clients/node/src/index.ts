export type { components, operations, paths } from './api.generated.ts'
export { CheckoutError, type ErrorBody } from './checkout-error.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { ErrorCode } from './error-codes.generated.ts'
export {
  type SignedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventType,
  WebhookVerificationError,
} from './webhook.ts'
