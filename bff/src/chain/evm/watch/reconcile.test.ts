import { expect, test } from 'vitest'
import { isLagging, reconcile } from './reconcile.ts'

const header = (number: number, hash = `a${number}`) => ({ number, hash, timeMs: number * 1000 })
const block = (number: number, hash = `a${number}`, parentHash = `a${number - 1}`) => ({
  ...header(number, hash),
  parentHash,
})
const local = [header(5), header(8), header(9)]

test('watching starts at the first head', () => {
  expect(reconcile([], block(100))).toEqual({ type: 'start' })
})

test('the same head changes nothing', () => {
  expect(reconcile(local, block(9))).toEqual({ type: 'unchanged' })
})

test('a child of our newest header extends it', () => {
  expect(reconcile(local, block(10))).toEqual({ type: 'extended', ancestor: header(9) })
})

test('a gap requires a comparison of our headers with the chain, newest first', () => {
  expect(reconcile(local, block(20))).toEqual({ type: 'check', candidates: [header(9), header(8), header(5)] })
})

test('another parent may be a reorg', () => {
  expect(reconcile(local, block(10, 'b10', 'b9'))).toMatchObject({
    type: 'check',
    candidates: [{ number: 9 }, { number: 8 }, { number: 5 }],
  })
})

test('a block whose parent is our newest header, but whose number is not the next, may be a reorg', () => {
  expect(reconcile(local, block(11, 'b11', 'a9'))).toMatchObject({ type: 'check', candidates: [{ number: 9 }, {}, {}] })
})

test('another block of the same number may be a reorg, and only headers up to the head are compared', () => {
  expect(reconcile(local, block(8, 'b8'))).toEqual({ type: 'check', candidates: [header(8), header(5)] })
})

test('a lagging node on our chain is waited for', () => {
  expect(isLagging(local, block(8), header(8))).toBe(true)
  expect(isLagging(local, block(7), header(5))).toBe(true)
})

test('a shorter chain with other blocks is a reorg, not a lagging node', () => {
  expect(isLagging(local, block(8, 'b8'), header(5))).toBe(false)
})

test('a head beyond ours is never lagging', () => {
  expect(isLagging(local, block(10, 'b10', 'b9'), header(8))).toBe(false)
})

test('another block with our newest number is a reorg of one, and never lagging', () => {
  expect(isLagging(local, block(9, 'b9'), header(9))).toBe(false)
  expect(isLagging(local, block(10), header(9))).toBe(false)
})

test('without headers, or with none so old, nothing is lagging', () => {
  expect(isLagging([], block(9), header(9))).toBe(false)
  expect(isLagging(local, block(4), header(4))).toBe(false)
})
