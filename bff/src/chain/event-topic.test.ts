import { expect, test } from 'vitest'
import { addressHex, addressTopic, tronAddressBytes, tronAddressOf } from './event-topic.ts'

const usdt = { text: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', hex: '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c' }

test('an address of Tron is 20 bytes in Base58Check, and a wrong character is detected', () => {
  expect(tronAddressOf(usdt.hex)).toBe(usdt.text)
  expect(addressHex(usdt.text)).toBe(usdt.hex)
  const wrong = [
    usdt.text.slice(1),
    `${usdt.text}1`,
    usdt.text.toLowerCase(),
    usdt.text.replace('7', '8'),
    '',
    usdt.hex,
  ]
  for (const text of wrong) expect([text, tronAddressBytes(text)]).toEqual([text, undefined])
  expect(tronAddressBytes('1'.repeat(100_000))).toBeUndefined()
  expect(() => tronAddressOf('0x00')).toThrow(RangeError)
})

test('both notations of an account have the same topic', () => {
  const topic = `0x${'0'.repeat(24)}${usdt.hex.slice(2)}`
  expect([
    addressTopic(usdt.text),
    addressTopic(usdt.hex),
    addressTopic(usdt.hex.toUpperCase().replace('X', 'x')),
  ]).toEqual([topic, topic, topic])
})
