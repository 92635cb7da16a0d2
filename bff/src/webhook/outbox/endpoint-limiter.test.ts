import { describe, expect, test } from 'vitest'
import { createEndpointLimiter } from './endpoint-limiter.ts'

const limiterOf = (attemptsMax: number, perReceiverMax: number) =>
  createEndpointLimiter({
    attemptsMax,
    perReceiverMax,
    callbacksMax: attemptsMax,
    callbacksPerMerchantMax: attemptsMax,
  })
type Limiter = ReturnType<typeof limiterOf>
/** How many attempts of one receiver may start beside those under way. */
const startAll = (limiter: Limiter, name: string): number => {
  let started = 0
  while (limiter.enter(name)) started += 1
  return started
}

describe('attempts under way', () => {
  test('are bounded for each receiver, and in all', () => {
    const limiter = limiterOf(5, 2)
    expect([startAll(limiter, 'a'), startAll(limiter, 'b'), startAll(limiter, 'c')]).toEqual([2, 2, 1])
    expect([limiter.isFull(), limiter.enter('d')]).toEqual([true, false])
    limiter.leave('a', true)
    expect([limiter.isFull(), limiter.enter('d'), limiter.isFull()]).toEqual([false, true, true])
  })

  test('to callbackUrls, which anybody with a public key may name, leave room for endpoints and for other merchants', () => {
    const limiter = createEndpointLimiter({
      attemptsMax: 16,
      perReceiverMax: 2,
      callbacksMax: 8,
      callbacksPerMerchantMax: 4,
    })
    const hosts = (merchant: string) => Array.from({ length: 20 }, (_, nth) => `${merchant} https://${nth}.example`)
    const flood = hosts('shop').filter((name) => limiter.enter(name))
    expect(flood).toHaveLength(4)
    expect(startAll(limiter, 'other https://other.example')).toBe(2)
    for (const merchant of ['third', 'fourth']) for (const name of hosts(merchant)) limiter.enter(name)
    expect(startAll(limiter, 'fifth https://fifth.example'), 'half of all are callbacks').toBe(0)
    expect([startAll(limiter, 'we_1'), startAll(limiter, 'we_2')], 'endpoints').toEqual([2, 2])
    limiter.leave(flood[0] as string, false)
    expect(startAll(limiter, 'fifth https://fifth.example')).toBe(1)
    for (const name of flood.slice(1)) limiter.leave(name, undefined)
    expect(startAll(limiter, 'shop https://21.example')).toBe(2)
  })

  test('that a refused start did not begin are not counted', () => {
    const limiter = limiterOf(2, 1)
    expect([limiter.enter('a'), limiter.enter('a'), limiter.enter('a')]).toEqual([true, false, false])
    limiter.leave('unknown', true)
    expect([limiter.enter('b'), limiter.isFull()]).toEqual([true, true])
  })
})

describe('a receiver that responds to nothing', () => {
  function silent() {
    const limiter = limiterOf(100, 3)
    for (let attempt = 0; attempt < 3; attempt++) limiter.enter('a')
    for (let attempt = 0; attempt < 3; attempt++) limiter.leave('a', false)
    return limiter
  }

  test('has one attempt at a time, after as many as its share were left without a response', () => {
    const limiter = silent()
    expect(startAll(limiter, 'a')).toBe(1)
    expect(startAll(limiter, 'b')).toBe(3)
  })

  test('has its share again with its first response', () => {
    const limiter = silent()
    limiter.enter('a')
    limiter.leave('a', true)
    expect(startAll(limiter, 'a')).toBe(3)
  })

  test('gains and loses nothing by an attempt that was not made', () => {
    const limiter = silent()
    limiter.enter('a')
    limiter.leave('a', undefined)
    expect(startAll(limiter, 'a')).toBe(1)
  })
})

describe('silent receivers', () => {
  /** Two that fell silent first, one that did so before with an attempt under way, and others. */
  function withOthers(count: number) {
    const limiter = limiterOf(3, 2)
    const fallSilent = (name: string) => {
      for (let attempt = 0; attempt < 2; attempt++) {
        limiter.enter(name)
        limiter.leave(name, false)
      }
    }
    fallSilent('busy')
    limiter.enter('busy')
    for (const name of ['first', 'second']) fallSilent(name)
    for (let place = 0; place < count; place++) fallSilent(`receiver ${place}`)
    return limiter
  }

  test('are remembered, ten thousand of them', () => {
    expect(startAll(withOthers(10_000), 'first')).toBe(1)
  })

  test('are forgotten beyond that, the one that fell silent first, and none with an attempt under way', () => {
    expect(startAll(withOthers(10_001), 'first')).toBe(2)
    expect(startAll(withOthers(10_001), 'second')).toBe(1)
    expect(startAll(withOthers(10_001), 'busy')).toBe(0)
  })
})
