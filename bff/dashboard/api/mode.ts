const key = 'mode'

/** Whether the pages show test payments in place of live ones. */
export const isTestMode = (): boolean => localStorage.getItem(key) === 'test'

/** Shows the page anew with the payments of that mode. */
export function chooseMode(isTest: boolean): void {
  localStorage.setItem(key, isTest ? 'test' : 'live')
  location.reload()
}
