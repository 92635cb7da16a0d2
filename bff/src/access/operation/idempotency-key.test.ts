import { describe, expect, test } from 'vitest'
import { idempotencyKey } from './idempotency-key.ts'

const byOrderId = { idempotency: 'orderId' } as const

describe('the key of a request', () => {
  test('is what its operation declares', () => {
    const sent = { header: 'k1', orderId: 'order 1' }
    const named = { kind: 'header', value: 'k1' }
    expect(idempotencyKey({}, sent)).toBeUndefined()
    expect(idempotencyKey({ idempotency: 'key' }, sent)).toEqual(named)
    expect(idempotencyKey({ idempotency: 'key' }, { orderId: 'order 1' })).toBeUndefined()
    for (const idempotency of ['orderId', 'body'] as const) {
      expect(idempotencyKey({ idempotency }, sent)).toEqual(named)
      expect(idempotencyKey({ idempotency }, { orderId: 'order 1' })).toEqual({ kind: 'order', value: 'order 1' })
      expect(idempotencyKey({ idempotency }, {})).toBeUndefined()
    }
  })

  test('is the same with and without the quotes of RFC 8941, and quotes inside it are its own', () => {
    expect(idempotencyKey(byOrderId, { header: '"k1"' })).toEqual(idempotencyKey(byOrderId, { header: 'k1' }))
    for (const value of ['k"1', '"k1', 'k1"', '"', ' k "1" k ', 'a "b"', '"a" b']) {
      expect(idempotencyKey(byOrderId, { header: value })).toEqual({ kind: 'header', value })
    }
  })

  test('may have all printable ASCII and 200 characters, quotes counted', () => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('')
    for (const header of [printable, 'x'.repeat(200), `"${'x'.repeat(198)}"`]) {
      expect(idempotencyKey(byOrderId, { header })).toMatchObject({ kind: 'header' })
    }
  })

  test.each(['', '""', 'x'.repeat(201), `"${'x'.repeat(199)}"`, 'a\u0000b', '\u001fb', 'b\u007f', 'é', 'a\nb'])(
    'is refused where it is %j',
    (header) => {
      expect(() => idempotencyKey(byOrderId, { header, orderId: 'order 1' })).toThrow(
        'Idempotency-Key must be 1 to 200 printable ASCII characters',
      )
    },
  )
})
