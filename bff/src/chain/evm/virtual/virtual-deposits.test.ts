import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { expect, test } from 'vitest'
import { parseVirtualAddress } from './virtual-address.ts'
import { virtualDeposits } from './virtual-deposits.ts'

const network = { ...devnetFacts, shortName: 'tempo', name: 'Tempo', deposits: 'virtual' as const }

/** The example of ox's documentation of TIP-1022. */
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt = `0x${'0'.repeat(56)}abf52baf`
const source = '0x58e21090'

test('a wallet with its salt gives the id, whatever the case of the address', () => {
  expect(virtualDeposits.parseAccount(network, `${wallet}:${salt}`)).toEqual({ source, address: wallet })
  expect(virtualDeposits.parseAccount(network, `${wallet.toLowerCase()}:${salt}`)).toEqual({ source, address: wallet })
})

test.each([
  ['no salt', wallet, 'deploy tempo --wallet'],
  ['a salt of another wallet', `0x70997970C51812dc3A010C7d01b50e0d17dc79C8:${salt}`, 'does not register'],
  ['a short salt', `${wallet}:0xabf52baf`, 'is not 32 bytes of hex'],
  ['a wrong checksum', `0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266:${salt}`, 'its checksum is wrong'],
  ['no address', `tempo:${salt}`, 'is not an address of Tempo'],
  ['a token', `0x20C000000000000000000000b9537D11c60E8b50:${salt}`.toLowerCase(), 'is not a wallet'],
  ['a virtual address', `0x58e21090fdfdfdfdfdfdfdfdfdfd0000000000a1:${salt}`, 'is not a wallet'],
  ['two salts', `${wallet}:${salt}:${salt}`, 'needs the salt'],
])('%s is refused', (_, text, fault) => {
  expect(virtualDeposits.parseAccount(network, text)).toEqual({ fault: expect.stringContaining(fault) })
})

test('a token of the configuration is refused, whatever its address looks like', () => {
  const tokens = devnetFacts.tokens.map((token) => ({ ...token, address: wallet.toLowerCase() }))
  expect(virtualDeposits.parseAccount({ ...network, tokens }, `${wallet}:${salt}`)).toEqual({
    fault: expect.stringContaining('is not a wallet'),
  })
})

test('each number has its own tag, from the first to the last', () => {
  const tagAt = (number: number) =>
    parseVirtualAddress(virtualDeposits.placeAt(network, { source, number }).depositAddress)
  expect(tagAt(1)).toEqual({ masterId: source, tag: '0x000000000001' })
  expect(tagAt(161)).toEqual({ masterId: source, tag: '0x0000000000a1' })
  expect(tagAt(virtualDeposits.numberMax)).toEqual({ masterId: source, tag: '0xffffffffffff' })
  expect(() => tagAt(virtualDeposits.numberMax + 1)).toThrow('is not 6 bytes')
  expect(virtualDeposits.placeAt(network, { source, number: 1 })).toMatchObject({ isDirect: true })
})

test('a test payment gets an address whose id belongs to no merchant', () => {
  const { depositAddress } = virtualDeposits.testPlace(network, 'AB'.repeat(32))
  expect(parseVirtualAddress(depositAddress)).toEqual({ masterId: '0x00000000', tag: '0xabababababab' })
})
