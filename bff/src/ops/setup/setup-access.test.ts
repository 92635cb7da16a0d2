import { expect, test } from 'vitest'
import { setupPageOf } from './setup-access.ts'

test.each([
  ['http://localhost.evil.example:8787', 'a name that only begins with localhost'],
  ['http://evil-localhost:8787', 'a name that only ends with localhost'],
  ['https://[::1]:8787', 'an IPv6 address, for which there are no passkeys'],
])('the page is not open at %s: %s', (origin) => {
  expect(() => setupPageOf(origin, new URL(origin).host)).toThrow(expect.objectContaining({ code: 'ADDRESS' }))
})

test('the page is open at localhost of any port, and at a name by https', () => {
  expect(setupPageOf('http://localhost:8787', 'LOCALHOST:8787')).toMatchObject({ rpId: 'localhost', isSecure: false })
  expect(setupPageOf('https://pay.example', 'pay.example')).toMatchObject({ rpId: 'pay.example', isSecure: true })
})
