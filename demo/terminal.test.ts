import { expect, test } from 'vitest'
import { openProgress, welcome } from './terminal.ts'

test('the demo prints five lines: shop, dashboard, reference, payment link, how to stop', () => {
  const text = welcome({
    storefront: 'http://127.0.0.1:8080',
    dashboard: 'http://localhost:8787/dashboard#demo=token',
    service: 'http://127.0.0.1:8787',
    paymentLink: 'http://127.0.0.1:8787/pay/pl_1',
    statePath: 'demo/.state.json',
  })
  expect(text.trimEnd().split('\n')).toEqual([
    'Shop          http://127.0.0.1:8080',
    'Dashboard     http://localhost:8787/dashboard#demo=token',
    'API           http://127.0.0.1:8787/docs',
    'Payment link  http://127.0.0.1:8787/pay/pl_1',
    'Ctrl-C stops everything. Keys, ids and ports: demo/.state.json',
  ])
})

test('progress leaves no line on a terminal, and whole lines in a file', () => {
  const written = (isTTY: boolean) => {
    let text = ''
    const progress = openProgress({ isTTY, write: (more: string) => (text += more) })
    progress.step('Building…')
    progress.step('Starting…')
    progress.say('bff: slow')
    progress.clear()
    return text
  }
  expect(written(true)).toBe('Building…\r\u001b[KStarting…\r\u001b[Kbff: slow\n')
  expect(written(false)).toBe('Building…\nStarting…\nbff: slow\n')
})
