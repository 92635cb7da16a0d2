import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asker, createFairShares } from './fair-shares.ts'

const shares = { perClient: 60, perMerchant: 200, all: 300 }

function open() {
  const fair = createFairShares(shares)
  /** @returns how many of so many the asker got. */
  const take = (merchantId: string, client: string | null, times = 1_000) =>
    Array.from({ length: times }, () => fair.take({ client, merchantId })).filter((isTaken) => isTaken).length
  return { ...fair, take }
}

test('a merchant who is alone has its whole part, and the rest stays with the others', () => {
  const { take } = open()
  expect(take('corner', null)).toBe(200)
  expect(take('other', null)).toBe(50)
  expect(take('third', null)).toBe(25)
})

test('five merchants together leave something to the sixth', () => {
  const { take } = open()
  for (const merchant of ['a', 'b', 'c', 'd', 'e']) take(merchant, null)
  expect(take('late', null)).toBeGreaterThan(0)
})

test('two who ask by turns have the same, and a third finds half of what they leave', () => {
  const { take } = open()
  for (let turn = 0; turn < 500; turn++) {
    take('one', null, 1)
    take('two', null, 1)
  }
  expect(take('one', null)).toBe(0)
  expect(take('third', null)).toBe(50)
})

test('a client has one share, whosever payments it asks for, and some clients leave something to the next', () => {
  const { take } = open()
  expect(take('corner', 'flood')).toBe(60)
  expect(take('other', 'flood')).toBe(0)
  expect([take('corner', 'second'), take('corner', 'third'), take('corner', 'fourth')]).toEqual([60, 40, 20])
  expect(take('corner', 'shopper', 1)).toBe(1)
  expect(take('other', 'visitor'), 'half of what its merchant may have').toBe(29)
})

test('what is refused takes nothing, what is given back is there for others, and no more is taken than there is', () => {
  const fair = createFairShares({ perClient: 2, perMerchant: 2, all: 4 })
  const corner = { client: 'one', merchantId: 'corner' }
  expect([fair.take(corner), fair.take(corner)]).toEqual([true, false])
  const others = Array.from({ length: 20 }, (_, index) => ({ client: null, merchantId: `merchant ${index}` }))
  expect(others.filter((other) => fair.take(other))).toHaveLength(3)
  fair.release(corner)
  expect(fair.take({ client: null, merchantId: 'merchant 19' })).toBe(true)
  fair.clear()
  expect(fair.take(corner)).toBe(true)
})

test('after everything is given back at once, each merchant and client has its whole share again', () => {
  const { take, clear } = open()
  expect([take('corner', 'flood'), take('corner', null)]).toEqual([60, 140])
  clear()
  expect([take('corner', 'flood'), take('corner', null)]).toEqual([60, 140])
})

test('whatever is taken and given back, in any order, nobody has more than may be had, and a newcomer finds something', () => {
  const names = ['a', 'b', 'c', 'd']
  const asker = fc.record({
    client: fc.constantFrom(null, ...names),
    merchantId: fc.constantFrom(...names),
  })
  const bounds = fc.record({
    perClient: fc.integer({ min: 1, max: 5 }),
    perMerchant: fc.integer({ min: 1, max: 8 }),
    all: fc.integer({ min: 1, max: 12 }),
  })
  const steps = fc.array(fc.record({ asker, isRelease: fc.boolean() }), { maxLength: 60 })
  fc.assert(
    fc.property(bounds, steps, (shares, history) => {
      const fair = createFairShares(shares)
      const held: Asker[] = []
      const countOf = (isOne: (asker: Asker) => boolean) => held.filter(isOne).length
      for (const { asker, isRelease } of history) {
        if (isRelease && held.length > 0) fair.release(held.shift() as Asker)
        else if (fair.take(asker)) held.push(asker)
        expect(held.length).toBeLessThanOrEqual(shares.all)
        for (const name of names) {
          expect(countOf(({ client }) => client === name)).toBeLessThanOrEqual(shares.perClient)
          expect(countOf(({ merchantId }) => merchantId === name)).toBeLessThanOrEqual(shares.perMerchant)
        }
      }
      const newcomer = { client: null, merchantId: 'newcomer' }
      expect(fair.take(newcomer)).toBe(held.length < shares.all)
      if (held.length < shares.all) fair.release(newcomer)
      // With everything given back, it is as at the start.
      for (const asker of held) fair.release(asker)
      const fresh = createFairShares(shares)
      for (const { asker } of history) expect(fair.take(asker)).toBe(fresh.take(asker))
    }),
  )
})
