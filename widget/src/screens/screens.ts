export type { CheckoutHost as ScreensHost } from '../host.ts'
