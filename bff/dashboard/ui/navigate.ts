/** Dispatched on `window` after `navigate` has changed the URL. */
export const navigatedEvent = 'navigated'

/**
 * Shows another page, or the same page with another query.
 * @param to - `/dashboard/…`, with or without a query.
 */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState({}, '', to)
  else history.pushState({}, '', to)
  window.dispatchEvent(new Event(navigatedEvent))
}
