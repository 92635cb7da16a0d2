import { expect, test } from 'vitest'
import { isLagging, reconcile } from './reconcile.ts'

const header = (number: number, hash = `a${number}`) => ({ number, hash, timeMs: number * 1000 })
const block = (number: number, hash = `a${number}`, parentHash = `a${number - 1}`) => ({
  ...header(number, hash),
  parentHash,
})
const local = [header(5), header(8), header(9)]

test('the first head is where watching starts', () => {
  expect(reconcile([], block(100))).toEqual({ type: 'start' })
})

test('the same head changes nothing', () => {
  expect(reconcile(local, block(9))).toEqual({ type: 'unchanged' })
})

test('a child of our newest header extends it', () => {
  expect(reconcile(local, block(10))).toEqual({ type: 'extended', ancestor: header(9) })
})

test('a gap asks the chain whether our headers are still there, newest first', () => {
  expect(reconcile(local, block(20))).toEqual({ type: 'check', candidates: [header(9), header(8), header(5)] })
})

test('another parent is a reorg to be looked into', () => {
  expect(reconcile(local, block(10, 'b10', 'b9'))).toMatchObject({
    type: 'check',
    candidates: [{ number: 9 }, { number: 8 }, { number: 5 }],
  })
})

test('a block that names our newest header as its parent, and is not the next, is looked into', () => {
  expect(reconcile(local, block(11, 'b11', 'a9'))).toMatchObject({ type: 'check', candidates: [{ number: 9 }, {}, {}] })
})

test('another block of the same number is looked into, and only headers up to the head are asked for', () => {
  expect(reconcile(local, block(8, 'b8'))).toEqual({ type: 'check', candidates: [header(8), header(5)] })
})

test('a node that is behind but on our chain is waited for', () => {
  expect(isLagging(local, block(8), header(8))).toBe(true)
  expect(isLagging(local, block(7), header(5))).toBe(true)
})

test('a shorter chain with other blocks is a reorg, not a lagging node', () => {
  expect(isLagging(local, block(8, 'b8'), header(5))).toBe(false)
})

test('a head beyond ours is never lagging', () => {
  expect(isLagging(local, block(10, 'b10', 'b9'), header(8))).toBe(false)
})

test('another block of the number of our newest is a reorg of one, and never lagging', () => {
  expect(isLagging(local, block(9, 'b9'), header(9))).toBe(false)
  expect(isLagging(local, block(10), header(9))).toBe(false)
})

test('without headers, or with none so old, nothing is lagging', () => {
  expect(isLagging([], block(9), header(9))).toBe(false)
  expect(isLagging(local, block(4), header(4))).toBe(false)
})
