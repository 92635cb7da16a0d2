const key = 'mode'

/** Whether the pages show test payments instead of live ones. */
export const isTestMode = (): boolean => localStorage.getItem(key) === 'test'

/** The demo's month is test data, which a person who signs in by the demo's link should see first. */
export const startInTestMode = (): void => localStorage.setItem(key, 'test')

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
