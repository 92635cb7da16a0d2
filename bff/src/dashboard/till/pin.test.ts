import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { createVault } from '../../db/vault.ts'
import { attemptsLeftOf, createPins, weekMs, weekWrongPinsMax, wrongPinsMax } from './pin.ts'

const beganAtMs = 1_700_000_000_000

test('the attempts left are the fewer of those in a row and those in the week', () => {
  const till = fc.record({
    wrongPins: fc.integer({ min: 0, max: wrongPinsMax }),
    weekWrongPins: fc.integer({ min: 0, max: weekWrongPinsMax }),
    ageMs: fc.integer({ min: 0, max: 2 * weekMs }),
  })
  fc.assert(
    fc.property(till, ({ ageMs, ...wrong }) => {
      const left = attemptsLeftOf({ ...wrong, weekBeganAtMs: beganAtMs }, beganAtMs + ageMs)
      const inRow = wrongPinsMax - wrong.wrongPins
      const inWeek = weekWrongPinsMax - wrong.weekWrongPins
      expect(left).toBe(ageMs < weekMs && inWeek < inRow ? inWeek : inRow)
    }),
  )
})

test('two tills with the same PIN do not store the same text, so that a copy of the database shows no equal PINs', () => {
  const pins = createPins(createVault(Buffer.alloc(32, 7), systemRuntime))
  expect(pins.macOf('one', '204816')).not.toBe(pins.macOf('other', '204816'))
  expect(pins.isRight('one', '204816', pins.macOf('other', '204816'))).toBe(false)
  expect(pins.isRight('one', '204816', pins.macOf('one', '204816'))).toBe(true)
})
