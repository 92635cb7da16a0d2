import { afterAll, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const reload = vi.fn()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
})
vi.stubGlobal('location', { reload, pathname: '/dashboard/links' })
afterAll(() => vi.unstubAllGlobals())

/** Opens the dashboard in a tab of the browser. */
async function openTab() {
  vi.resetModules()
  return await import('./mode.ts')
}

test('a tab keeps the mode that it shows when another tab chooses the other one', async () => {
  const shown = await openTab()
  const other = await openTab()
  other.chooseMode(true)
  expect(reload).toHaveBeenCalledOnce()
  expect([shown.isTestMode(), (await openTab()).isTestMode()]).toEqual([false, true])
})

test('a person who signs in by the demo’s link sees test payments at once', async () => {
  stored.clear()
  const tab = await openTab()
  tab.startInTestMode()
  expect([tab.isTestMode(), (await openTab()).isTestMode()]).toEqual([true, true])
})
