import { expect, test } from 'vitest'
import { createAttestationTurns, unattestedMax } from './attestation-turns.ts'

test('of many transfers that too few nodes confirm a pass asks about some, and the next passes about the others', () => {
  const turns = createAttestationTurns<number>(String)
  const waiting = Array.from({ length: unattestedMax + 5 }, (_, index) => index)
  const pass = () => {
    const asked: number[] = []
    for (const one of turns.order(waiting)) {
      if (turns.isOver()) break
      asked.push(one)
      turns.failed(one)
    }
    return asked
  }
  expect(pass()).toEqual(waiting.slice(0, unattestedMax))
  expect(pass().slice(0, 6)).toEqual([...waiting.slice(unattestedMax), 0])
  expect(new Set([...pass(), ...pass()]).size).toBe(waiting.length)
})

test('transfers that nodes confirm use up no turn, and one that waits no more is forgotten', () => {
  const turns = createAttestationTurns<string>((one) => one)
  expect(turns.order(['a', 'b'])).toEqual(['a', 'b'])
  turns.failed('a')
  expect(turns.isOver()).toBe(false)
  expect(turns.order(['a', 'b'])).toEqual(['b', 'a'])
  turns.order(['b'])
  expect(turns.order(['a', 'b'])).toEqual(['a', 'b'])
})
