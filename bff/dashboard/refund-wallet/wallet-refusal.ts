import type { Stop } from '../../../widget/src/wallet/wallet-state.ts'

/** What a wallet's refusal means for the person who asked it to sign. `message` comes from the wallet. */
export type WalletRefusal = { why: 'rejected' | 'busy' | 'locked' | 'network' } | { why: 'failed'; message: string }

/** Maps the element's reasons, which are more detailed, to those of these pages. */
export function refusalOf(stop: Stop): WalletRefusal {
  switch (stop.why) {
    case 'rejected':
    case 'busy':
    case 'locked':
    case 'network':
      return { why: stop.why }
    case 'unknownNetwork':
      return { why: 'network' }
    default:
      return { why: 'failed', message: 'message' in stop ? stop.message : stop.why }
  }
}
