import { expect, test } from 'vitest'
import { hidesLogs, isBloomOf, mayHold, parseBloom } from './log-check.ts'

const token = `0x${'aa'.repeat(20)}`
const kind = `0x${'11'.repeat(32)}`
const target = `0x${'22'.repeat(32)}`
const log = { address: token, topics: [kind, `0x${'33'.repeat(32)}`, target] }
const empty = parseBloom(`0x${'00'.repeat(256)}`)
const full = parseBloom(`0x${'ff'.repeat(256)}`)

/** A filter for these logs, searched byte by byte. */
function bloomOf(logs: (typeof log)[]) {
  const bloom = new Uint8Array(256)
  for (let bit = 0; bit < 2_048; bit++) {
    const trial = Uint8Array.from(full)
    trial[bit >> 3] = 255 ^ (1 << (bit & 7))
    const isNeeded = logs.some(({ address, topics }) => [address, ...topics].some((item) => !mayHold(trial, item)))
    if (isNeeded) bloom[bit >> 3] = (bloom[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return bloom
}

const query = { address: [token], topics: [[kind], null, [target]] }

test('a filter that contains the query, without a matching log, shows that it is withheld', () => {
  expect(hidesLogs(bloomOf([log]), query, [])).toBe(true)
  expect(hidesLogs(bloomOf([log]), query, [log])).toBe(false)
  expect(hidesLogs(empty, query, [])).toBe(false)
  expect(hidesLogs(bloomOf([{ ...log, topics: [kind] }]), query, [])).toBe(false)
})

test('a full filter matches everything, and proves nothing', () => {
  expect(hidesLogs(full, query, [])).toBe(false)
})

test('with many watched topics only a block without any matching address counts', () => {
  const many = { ...query, topics: [[kind], null, Array.from({ length: 51 }, () => target)] }
  expect(hidesLogs(bloomOf([log]), many, [])).toBe(true)
  expect(hidesLogs(bloomOf([log]), many, [{ ...log, topics: [] }])).toBe(false)
})

test('a block’s logs fill its filter exactly: a missing or an invented one is detected', () => {
  const other = { ...log, topics: [kind, target, `0x${'44'.repeat(32)}`] }
  expect(isBloomOf(bloomOf([log, other]), [log, other])).toBe(true)
  expect(isBloomOf(bloomOf([log, other]), [log])).toBe(false)
  expect(isBloomOf(bloomOf([log]), [log, other])).toBe(false)
  expect(isBloomOf(empty, [])).toBe(true)
})
