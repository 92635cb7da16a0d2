import type { ReactiveController } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import { formatDuration } from '../locales/format.ts'
import { t } from '../locales/locale.ts'
import { type CheckoutHost, Part } from '../part.ts'

const minuteMs = 60_000

/** Remaining minutes that a screen reader announces. The ticking itself is silent. */
const announcedMinutes = [1, 5]

/** Announces to screen readers that the time to pay is nearly up. */
export class TimeAnnouncements extends Part implements ReactiveController {
  private leftBeforeMs = 0

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    host.addController(this)
  }

  hostUpdated(): void {
    const { following } = this
    const isOpen = following?.stage === 'awaiting' || following?.stage === 'underpaid'
    const leftMs = isOpen ? following.endsAtMs - performance.now() : 0
    const minutes = announcedMinutes.find((mark) => leftMs <= mark * minuteMs && this.leftBeforeMs > mark * minuteMs)
    this.leftBeforeMs = leftMs
    const region = this.host.renderRoot.querySelector('[role=status]')
    if (minutes && leftMs > 0 && region) region.textContent = t('minutesLeft', formatDuration(minutes * 60))
  }
}
