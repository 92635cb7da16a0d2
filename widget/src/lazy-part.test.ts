import { expect } from '@open-wc/testing'
import { importChunk, LazyPart } from './lazy-part.ts'
import { waitUntil } from './test/wait-until.ts'

const there = new URL('./deadline.ts', import.meta.url).href
const failed = (url: string) => new TypeError(`Failed to fetch dynamically imported module: ${url}`)

/** An element on the page. */
function host() {
  let updates = 0
  return {
    isConnected: true,
    addController() {},
    requestUpdate: () => {
      updates++
    },
    updates: () => updates,
  }
}

suite('a chunk that fails to load', () => {
  test('is requested at another URL, because the browser caches the failure', async () => {
    const load = () => Promise.reject<{ withDeadline: unknown }>(failed(there))
    expect(await importChunk(load, 0).catch(String)).to.include('Failed to fetch')
    expect((await importChunk(load, 1)).withDeadline).to.be.a('function')
    const last = performance.getEntriesByType('resource').at(-1)
    expect(last?.name).to.equal(`${there}?attempt=1`)
  })

  test('rejects with the original error if it names no URL', async () => {
    const load = () => Promise.reject(new Error('Importing a module script failed.'))
    expect(await importChunk(load, 3).catch(String)).to.equal('Error: Importing a module script failed.')
  })
})

suite('a lazily loaded part', () => {
  test('is loaded once for all callers', async () => {
    let loads = 0
    const part = new LazyPart(
      host(),
      async () => ++loads,
      (count) => ({ count }),
    )
    const [one, other] = await Promise.all([part.load(), part.load(true)])
    part.want()
    expect(one).to.equal(other).and.equal(part.part)
    expect(loads).to.equal(1)
  })

  test('counts failures that the customer waits for, but not those of preloading', async () => {
    const element = host()
    const part = new LazyPart(
      element,
      () => Promise.reject(new Error('offline')),
      () => ({}),
    )
    expect(await part.load(true)).to.equal(null)
    expect(part.failures).to.equal(0)
    expect(await part.load()).to.equal(null)
    expect(part.failures).to.equal(1)
    expect(element.updates()).to.equal(2)
  })

  test('required by the screen is not requested at every update, nor after the element was removed', async () => {
    let loads = 0
    const part = new LazyPart(
      host(),
      () => {
        loads++
        return Promise.reject(new Error('offline'))
      },
      () => ({}),
    )
    part.want()
    part.want()
    await waitUntil(() => part.failures === 1)
    part.want()
    part.hostDisconnected()
    expect(loads).to.equal(1)
  })
})
