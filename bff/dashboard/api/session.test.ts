import { afterAll, expect, test, vi } from 'vitest'

type Who = { person: string; merchant: string }

const reload = vi.fn()
vi.stubGlobal('localStorage', { getItem: () => null })
vi.stubGlobal('location', { reload })
afterAll(() => vi.unstubAllGlobals())

/** Opens the dashboard in a tab of the browser, whose session is of this person. */
async function openTab({ person, merchant }: Who) {
  const session = { person: { id: person, name: person }, merchant: { id: merchant }, role: 'owner', operations: [] }
  vi.stubGlobal('fetch', async () => Response.json({ session }))
  vi.resetModules()
  const { loadSession } = await import('./session.ts')
  await loadSession()
}

test('a tab reloads when another person signs in, or the same one for another shop', async () => {
  await openTab({ person: 'ada', merchant: 'cafe' })
  await openTab({ person: 'ada', merchant: 'cafe' })
  await openTab({ person: 'ada', merchant: 'books' })
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  await openTab({ person: 'bob', merchant: 'books' })
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(5))
})
