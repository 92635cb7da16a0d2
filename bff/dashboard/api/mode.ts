const key = 'mode'

/** Read once: what another tab of the browser chooses must not change what this page shows and sends. */
let isTestShown = localStorage.getItem(key) === 'test'

/** Whether the pages show test payments instead of live ones. */
export const isTestMode = (): boolean => isTestShown

/** The demo's month is test data, which a person who signs in by the demo's link should see first. */
export function startInTestMode(): void {
  localStorage.setItem(key, 'test')
  isTestShown = true
}

const list = '/dashboard/payments'

/**
 * Reloads the page with the payments of that mode. A payment's page goes back to the list: the payment has only one
 * mode.
 */
export function chooseMode(isTest: boolean): void {
  localStorage.setItem(key, isTest ? 'test' : 'live')
  if (location.pathname.startsWith(`${list}/`)) location.assign(list)
  else location.reload()
}
