import { expect, test } from 'vitest'
import { ownUrl } from './ready.command.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8787'],
  ['0.0.0.0', 'http://127.0.0.1:8787'],
  ['::', 'http://[::1]:8787'],
  ['::1', 'http://[::1]:8787'],
  ['checkout.internal', 'http://checkout.internal:8787'],
])('a service that listens on %s is called at %s', (host, url) => {
  expect(ownUrl({ host, port: 8787 })).toBe(url)
  expect(URL.canParse(url)).toBe(true)
})
