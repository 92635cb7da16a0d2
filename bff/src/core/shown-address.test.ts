import { expect, test } from 'vitest'
import { shownAddress } from './shown-address.ts'

test('an address is shown whole, and of what is longer only the beginning: it may be a private key', () => {
  for (const address of ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'B5H6htbfUViMbgR6LSyW4BLCm7ASwx2nmLrkkCSbNtze'])
    expect(shownAddress(address)).toBe(address)
  expect(shownAddress(`0x4c0883${'a'.repeat(58)}`)).toBe('0x4c0883…')
  expect(shownAddress(`4c088312${'a'.repeat(56)}`)).toBe('4c088312…')
})
