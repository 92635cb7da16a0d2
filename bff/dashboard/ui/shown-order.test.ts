import { expect, test } from 'vitest'
import { shownOrder } from './shown-order.ts'

test.each([
  ['A-1042', 'A-1042'],
  ['\u2067متجر 12\u2066', 'متجر 12'],
  // Would read as A25.00.
  ['A\u202e00.52\u202c', 'A 00.52'],
  ['a\nb', 'a b'],
  ['👩‍🍳', '👩‍🍳'],
  ['می‌خواهم', 'می‌خواهم'],
])('the order id %j is shown as %j', (orderId, shown) => {
  expect(shownOrder(orderId)).toBe(shown)
})

test.each([null, '', ' ', '\u200b', '\u200f\u200f', '\u3164', '\u2800\ufe0f', '\u202e\n'])(
  'an order id of which nothing can be seen counts as none, so that its link has a name: %j',
  (orderId) => {
    expect(shownOrder(orderId)).toBe(null)
  },
)
