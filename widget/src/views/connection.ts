import { html, nothing, type TemplateResult } from 'lit'
import type { Line } from '../checkout.ts'
import { t } from '../locales/locale.ts'
import { icon } from '../ui/icon.ts'
import { viewButton, viewMessage } from './frame.ts'

/** The tag is invalid, or the service refused: shown until the chunk with the full screen is loaded. */
export function viewStopped(): TemplateResult {
  return viewMessage('warning', t('refused'), '', nothing, 'alert')
}

/** No response yet; the element keeps retrying. */
export function viewUnreached(line: Line, onRetry: () => void): TemplateResult {
  return html`${viewMessage('warning', t('loadFailed'), `${sayLine(line)} ${t('loadFailedText')}`, nothing, 'alert')}
    ${viewButton(t('tryAgain'), onRetry)}`
}

/** One lost response is not shown; two in a row are. */
const failuresShown = 2

/** Below everything else, so that no button moves under a finger when it appears. */
export function viewBanner(line: Line, isWalletMissing: boolean): TemplateResult | typeof nothing {
  if (!line.isOffline && line.failures < failuresShown && !isWalletMissing) return nothing
  return html`<p class="note panel" role="alert">${icon('warning')}${sayLine(line)} ${t('stillCounts')}</p>`
}

function sayLine({ isOffline }: Line): string {
  return isOffline ? t('offline') : t('unreachable')
}
