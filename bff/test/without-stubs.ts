import { afterAll, vi } from 'vitest'

// The files of a worker share its globals: none finds what an earlier one has put in their place.
afterAll(() => {
  vi.unstubAllGlobals()
})
