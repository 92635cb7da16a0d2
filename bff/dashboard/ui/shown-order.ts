/** Control characters, and marks that change the direction of the text around them. */
const turning = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Anything but spaces, marks and letters without a shape. */
const visible = /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u

/** An order id for people, because customers choose some; null when there is none, or nothing of it can be seen. */
export function shownOrder(orderId: string | null): string | null {
  const shown = orderId?.replaceAll(turning, ' ').trim() ?? ''
  return visible.test(shown) ? shown : null
}
