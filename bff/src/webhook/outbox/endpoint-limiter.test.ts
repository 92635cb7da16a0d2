import { describe, expect, test } from 'vitest'
import { createEndpointLimiter } from './endpoint-limiter.ts'

const limiterOf = (attemptsMax: number, perReceiverMax: number) =>
  createEndpointLimiter({
    attemptsMax,
    perMerchantMax: attemptsMax,
    perReceiverMax,
    callbacksMax: attemptsMax,
    callbacksPerMerchantMax: attemptsMax,
  })
type Limiter = ReturnType<typeof limiterOf>
/** How many attempts of one receiver may start beside those under way. */
const startAll = (limiter: Limiter, name: string, merchant = merchantOf(name)): number => {
  let started = 0
  while (limiter.enter(name, merchant)) started += 1
  return started
}
const merchantOf = (name: string): string => (name.includes(' ') ? (name.split(' ')[0] ?? '') : 'shop')

describe('attempts under way', () => {
  test('are bounded for each receiver, and in all', () => {
    const limiter = limiterOf(5, 2)
    expect([startAll(limiter, 'a'), startAll(limiter, 'b'), startAll(limiter, 'c')]).toEqual([2, 2, 1])
    expect([limiter.isFull(), limiter.enter('d', 'shop')]).toEqual([true, false])
    limiter.leave('a', true)
    expect([limiter.isFull(), limiter.enter('d', 'shop'), limiter.isFull()]).toEqual([false, true, true])
  })

  test('to callbackUrls, which anybody with a public key may name, leave room for endpoints and for other merchants', () => {
    const limiter = createEndpointLimiter({
      attemptsMax: 16,
      perMerchantMax: 16,
      perReceiverMax: 2,
      callbacksMax: 8,
      callbacksPerMerchantMax: 4,
    })
    const hosts = (merchant: string) => Array.from({ length: 20 }, (_, nth) => `${merchant} https://${nth}.example`)
    const flood = hosts('shop').filter((name) => limiter.enter(name, merchantOf(name)))
    expect(flood).toHaveLength(4)
    expect(startAll(limiter, 'other https://other.example')).toBe(2)
    for (const merchant of ['third', 'fourth']) for (const name of hosts(merchant)) limiter.enter(name, merchant)
    expect(startAll(limiter, 'fifth https://fifth.example'), 'half of all are callbacks').toBe(0)
    expect([startAll(limiter, 'we_1'), startAll(limiter, 'we_2')], 'endpoints').toEqual([2, 2])
    limiter.leave(flood[0] as string, false)
    expect(startAll(limiter, 'fifth https://fifth.example')).toBe(1)
    for (const name of flood.slice(1)) limiter.leave(name, undefined)
    expect(startAll(limiter, 'shop https://21.example')).toBe(2)
  })

  test('to the endpoints of one merchant, however many or new they are, leave room for those of others', () => {
    const limits = {
      attemptsMax: 16,
      perMerchantMax: 12,
      perReceiverMax: 2,
      callbacksMax: 8,
      callbacksPerMerchantMax: 4,
    }
    const limiter = createEndpointLimiter(limits)
    const endpoints = Array.from({ length: 20 }, (_, nth) => `we_${nth}`)
    const flood = endpoints.reduce((started, name) => started + startAll(limiter, name, 'flood'), 0)
    expect(flood).toBe(12)
    expect(startAll(limiter, 'we_shop', 'shop')).toBe(2)
    expect(startAll(limiter, 'we_new', 'flood')).toBe(0)
    for (const name of endpoints.slice(0, 4)) limiter.leave(name, false)
    expect(startAll(limiter, 'we_shop_2', 'shop')).toBe(2)
    expect(startAll(limiter, 'we_new', 'flood'), 'at most what the others leave').toBe(0)
    expect(startAll(limiter, 'we_third', 'third')).toBe(2)
  })

  test('that a refused start did not begin are not counted', () => {
    const limiter = limiterOf(2, 1)
    expect([limiter.enter('a', 'shop'), limiter.enter('a', 'shop'), limiter.enter('a', 'shop')]).toEqual([
      true,
      false,
      false,
    ])
    limiter.leave('unknown', true)
    expect([limiter.enter('b', 'shop'), limiter.isFull()]).toEqual([true, true])
  })
})

describe('a receiver that responds to nothing', () => {
  function silent() {
    const limiter = limiterOf(100, 3)
    for (let attempt = 0; attempt < 3; attempt++) limiter.enter('a', 'shop')
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
    limiter.enter('a', 'shop')
    limiter.leave('a', true)
    expect(startAll(limiter, 'a')).toBe(3)
  })

  test('gains and loses nothing by an attempt that was not made', () => {
    const limiter = silent()
    limiter.enter('a', 'shop')
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
        limiter.enter(name, 'shop')
        limiter.leave(name, false)
      }
    }
    fallSilent('busy')
    limiter.enter('busy', 'shop')
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
