import { describe, expect, test } from 'vitest'
import { createEndpointLimiter } from './endpoint-limiter.ts'

const limiterOf = (attemptsMax: number, perReceiverMax: number) =>
  createEndpointLimiter({ attemptsMax, perReceiverMax })
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
