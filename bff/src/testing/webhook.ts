/** For the rig, benchmarks and the demo. Webhook endpoints, signing and delivery. */
export { insertEndpoint } from '../webhook/endpoints/endpoint-store.ts'
export { examplePayment } from '../webhook/example-payment.ts'
export { createDispatcher } from '../webhook/outbox/dispatcher.ts'
export { newWebhookSecret, signWebhook } from '../webhook/send/sign.ts'
