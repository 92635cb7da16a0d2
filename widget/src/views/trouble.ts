import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Fault } from '../api.ts'
import type { Line } from '../checkout.ts'
import type { Problem } from '../terms.ts'
import { icon } from '../ui/icon.ts'
import { say } from '../words/say.ts'
import { viewButton, viewMessage } from './frame.ts'

/** The tag is wrong: which attributes, while the file with their rules has not come. */
export function viewMisconfigured(problems: Problem[]): TemplateResult {
  const names = problems.map(({ attribute }) => attribute).join(', ')
  return viewMessage('warning', say('refused'), names, nothing, 'alert')
}

/** The service said no, in its own words: all that is said while the file with the whole screen has not come. */
export function viewRefused({ message }: Fault, onRetry: () => void): TemplateResult {
  return html`${viewMessage('warning', say('refused'), message, nothing, 'alert')} ${viewButton(say('tryAgain'), onRetry)}`
}

/** Nothing to show yet and no answer; the element goes on trying by itself. */
export function viewUnreached(line: Line, onRetry: () => void): TemplateResult {
  return html`${viewMessage('warning', say('loadFailed'), `${sayLine(line)} ${say('loadFailedText')}`, nothing, 'alert')}
    ${viewButton(say('tryAgain'), onRetry)}`
}

/** One lost answer in between is no news; two in a row are. */
const failuresShown = 2

/** Stands below all else, so that no button moves under a finger when it comes. */
export function viewBanner(line: Line, isWalletMissing: boolean): TemplateResult | typeof nothing {
  if (!line.isOffline && line.failures < failuresShown && !isWalletMissing) return nothing
  return html`<p class="note panel" role="alert">${icon('warning')}${sayLine(line)} ${say('stillCounts')}</p>`
}

function sayLine({ isOffline }: Line): string {
  return isOffline ? say('offline') : say('unreachable')
}
