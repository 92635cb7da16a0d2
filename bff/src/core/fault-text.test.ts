import { expect, test } from 'vitest'
import { faultText, loggedError } from './fault-text.ts'

const url = 'https://rpc.example/v2/a-key'
const ofNode = Object.assign(new Error(`HTTP request failed.\nURL: ${url}`), {
  shortMessage: 'HTTP request failed.',
  details: 'timeout',
})

test('an error of a node is one line without the URL, which holds a key', () => {
  expect(faultText(ofNode)).toBe('HTTP request failed. timeout')
  expect(faultText(new Error('plain'))).toBe('plain')
  expect(faultText('text')).toBe('text')
})

test('an error is logged whole, unless an error of a node is among its causes, however deep it lies', () => {
  const whole = (error: Error) => error.message
  expect(loggedError(new Error('plain', { cause: new Error('why') }), whole)).toBe('plain')
  const message = 'HTTP request failed. timeout'
  expect(loggedError(ofNode, () => 'whole')).toEqual({ type: 'Error', message })
  const nested = new Error('Reading failed', { cause: new Error('A read', { cause: ofNode }) })
  expect(loggedError(nested, () => 'whole')).toEqual({ type: 'Error', message: 'Reading failed' })
})
