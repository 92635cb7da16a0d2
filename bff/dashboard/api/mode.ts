const key = 'mode'

/** Whether the pages show test payments in place of live ones. */
export const isTestMode = (): boolean => localStorage.getItem(key) === 'test'

const list = '/dashboard/payments'

/** Shows the page again with the payments of that mode. The page of one payment gives way to the list: the payment is of one mode only. */
export function chooseMode(isTest: boolean): void {
  localStorage.setItem(key, isTest ? 'test' : 'live')
  if (location.pathname.startsWith(`${list}/`)) location.assign(list)
  else location.reload()
}
