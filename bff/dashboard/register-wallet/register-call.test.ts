import { registerCall as serviceCall } from '@stablecoin-checkout/bff/testing/evm'
import { expect, test } from 'vitest'
import { registerCall } from './register-call.ts'

const salt = `0x${'0'.repeat(56)}abf52baf` as const

test('the page asks the wallet for the call that the command sends', () => {
  expect(registerCall(salt)).toEqual(serviceCall(salt))
})

test.each(['', '0x', salt.slice(0, -1), `${salt}00`, salt.slice(2), `0x${'g'.repeat(64)}`])(
  '"%s" is no salt',
  (wrong) => {
    expect(() => registerCall(wrong)).toThrow(RangeError)
  },
)
