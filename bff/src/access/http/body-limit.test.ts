import { expect, test } from 'vitest'
import { verifyDepth } from './body-limit.ts'

const nested = (levels: number): unknown =>
  levels === 0 ? 'text' : levels % 2 ? [nested(levels - 1)] : { a: nested(levels - 1) }

test('a body may have 32 levels, itself counted, and no more; the field is named', () => {
  expect(() => verifyDepth({ well: nested(31) })).not.toThrow()
  expect(() => verifyDepth({ well: nested(31), deep: nested(32) })).toThrow(
    'deep must be nested at most 32 levels deep',
  )
  for (const body of [undefined, null, 'text', 1, nested(32)]) expect(() => verifyDepth(body)).not.toThrow()
})
