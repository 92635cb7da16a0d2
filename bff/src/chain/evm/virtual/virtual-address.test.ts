import fc from 'fast-check'
import type { Hex } from 'viem'
import { VirtualAddress, VirtualMaster } from 'viem/tempo'
import { expect, test } from 'vitest'
import { masterIdOf, mayBeMaster, parseVirtualAddress, registrationHash, virtualAddress } from './virtual-address.ts'

/** The example of ox's documentation of TIP-1022. */
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt = `0x${'0'.repeat(56)}abf52baf` as Hex

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((any) => `0x${Buffer.from(any).toString('hex')}` as Hex)

test('any address equals that of ox, and returns its parts', () => {
  fc.assert(
    fc.property(bytes(4), bytes(6), (masterId, tag) => {
      const address = virtualAddress({ masterId, tag })
      expect(address.toLowerCase()).toBe(VirtualAddress.from({ masterId, userTag: tag }))
      expect(parseVirtualAddress(address)).toEqual({ masterId, tag })
      expect(VirtualAddress.parse(address.toLowerCase())).toEqual({ masterId, userTag: tag })
    }),
  )
})

test('the address has a checksum', () => {
  expect(virtualAddress({ masterId: '0x58e21090', tag: '0x0000000000a1' })).toBe(
    '0x58E21090FDFdfDFDFdFdFdFdfdfd0000000000a1',
  )
})

test('an address without the marker has no parts', () => {
  expect(parseVirtualAddress(wallet)).toBeUndefined()
  expect(parseVirtualAddress('0x58e21090fdfdfdfdfdfdfdfdfdfc0000000000a1')).toBeUndefined()
  expect(parseVirtualAddress('0x58e21090fdfdfdfdfdfdfdfdfdfd0000000000a100')).toBeUndefined()
})

test('a salt has the hash and the master id of ox', () => {
  expect(registrationHash(wallet, salt)).toBe(VirtualMaster.getRegistrationHash({ address: wallet, salt }))
  expect(masterIdOf(wallet, salt)).toBe('0x58e21090')
  const other = `0x${'0'.repeat(56)}abf52bae` as Hex
  expect(VirtualMaster.validateSalt({ address: wallet, salt: other })).toBe(false)
  expect(() => masterIdOf(wallet, other)).toThrow('does not start with 4 zero bytes')
})

test.each([
  ['masterId', { masterId: '0x58e210', tag: '0x0000000000a1' }],
  ['tag', { masterId: '0x58e21090', tag: '0xa1' }],
] as const)('a %s of another length is refused', (name, parts) => {
  expect(() => virtualAddress(parts)).toThrow(name)
})

test.each([
  [`0x${'0'.repeat(40)}`, false],
  ['0x58e21090fdfdfdfdfdfdfdfdfdfd0000000000a1', false],
  ['0x20c000000000000000000000b9537d11c60e8b50', false],
  [wallet, true],
])('%s as a master: %s', (address, may) => {
  expect(mayBeMaster(address)).toBe(may)
  // ox refuses the same addresses.
  const mine = () => VirtualMaster.getRegistrationHash({ address: address as Hex, salt })
  if (may) expect(mine()).toMatch(/^0x/)
  else expect(mine).toThrow()
})
