import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const path = fileURLToPath(new URL('../public/notices-worker.js', import.meta.url))
const source = readFileSync(path, 'utf8')

const origin = 'https://pay.example'
const notice = {
  ...{ title: 'Paid: 25.00 USDC', body: 'Order A-1042', tag: 'payment-1', lang: 'en' },
  ...{
    url: `${origin}/dashboard/payments/1`,
    stopUrl: `${origin}/notices/stop?token=t`,
    stopLabel: 'Stop these notices',
  },
}

/** Runs the worker as a browser does, with what it may call. */
function startWorker() {
  type Handler = (event: object) => void
  const handlers = new Map<string, Handler>()
  const calls: unknown[][] = []
  const note =
    (name: string) =>
    (...given: unknown[]) => {
      calls.push([name, ...given])
      return Promise.resolve()
    }
  const self = {
    location: { origin },
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    registration: { showNotification: note('show') },
    clients: { openWindow: note('open') },
  }
  runInNewContext(source, { self, URL, fetch: note('fetch') }, { filename: path })
  /** @returns what the worker called, and how much of it the browser waits for. */
  const dispatch = (type: string, event: object) => {
    calls.length = 0
    let awaited = 0
    handlers.get(type)?.({ ...event, waitUntil: () => awaited++ })
    return { calls: [...calls], awaited }
  }
  return {
    types: [...handlers.keys()],
    push: (sent: object) => dispatch('push', { data: { json: () => sent } }),
    click: (data: object, action = '') =>
      dispatch('notificationclick', { action, notification: { data, close: note('close') } }),
  }
}

test('a push is shown with its text, in the direction of its language, and can be stopped', () => {
  const { push } = startWorker()
  const { title, body, tag, url, stopUrl } = notice
  const actions = [{ action: 'stop', title: 'Stop these notices' }]
  expect(push(notice)).toEqual({
    calls: [['show', title, { body, tag, lang: 'en', dir: 'ltr', actions, data: { url, stopUrl } }]],
    awaited: 1,
  })
  expect(push({ ...notice, lang: 'ar' }).calls[0]?.[2]).toMatchObject({ dir: 'rtl' })
})

test('a press opens its page, and "stop" ends the notices without opening anything', () => {
  const { click } = startWorker()
  expect(click(notice)).toEqual({ calls: [['close'], ['open', notice.url]], awaited: 1 })
  expect(click(notice, 'stop')).toEqual({
    calls: [['close'], ['fetch', notice.stopUrl, { method: 'POST' }]],
    awaited: 1,
  })
})

test.each(['https://evil.example/', 'javascript:alert(1)', '//evil.example', '', undefined])(
  'an address of another site is neither offered, opened nor called: %s',
  (foreign) => {
    const { push, click } = startWorker()
    const pushed = { ...notice, url: foreign, stopUrl: foreign }
    expect(push(pushed).calls[0]?.[2]).toMatchObject({ actions: [] })
    expect(click(pushed).calls).toEqual([['close']])
    expect(click(pushed, 'stop').calls).toEqual([['close']])
  },
)

test('it answers no request, so that pages always come from the service', () => {
  expect(startWorker().types).toEqual(['push', 'notificationclick'])
})
