/** For the rig, benchmarks and the demo. Payments as the API shows them, x402, the relay. */
export type { ContractSettings } from '../checkout/contract/contract-payments.routes.ts'
export { createRelay } from '../checkout/cross-chain/relay-provider.ts'
export { type RelaySettings, relaySetting, resolveRelay } from '../checkout/cross-chain/relay-settings.ts'
export { createSources } from '../checkout/cross-chain/sources.ts'
export { type ElementFiles, openElementFiles } from '../checkout/pay-page/element-files.ts'
export { paymentQr } from '../checkout/qr.ts'
export { createPaymentViewer } from '../checkout/read/payment-view.ts'
export type { PaymentRequired, Requirements, Settlement } from '../checkout/x402/x402-wire.ts'
