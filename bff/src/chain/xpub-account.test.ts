import { startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { createPublicClient, getAddress, http } from 'viem'
import { HDKey, hdKeyToAccount, mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { xpubAddress, xpubAddresses } from './evm/deposit/xpub-addresses.ts'
import { formatXpubTerms, parseXpubTerms, publicKeyAt, xpubNumberMax, xpubPath } from './xpub-account.ts'

/** The mnemonic of every development chain, whose addresses all wallets know. */
const mnemonic = 'test test test test test test test test test test test junk'
const keyAt = (path: `m/${string}`) => mnemonicToAccount(mnemonic, { path: path as "m/44'/60'/0'" }).getHdKey()
const account = keyAt("m/44'/60'/0'")
const xpub = account.publicExtendedKey
const first = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const network = {} as never

const parse = (text: string) => xpubAddresses.parseAccount(network, text)

test('the addresses are those that anvil, which another library derives for, has from the same words', async () => {
  const anvil = await startAnvil({ chainId: 31_337 })
  try {
    const client = createPublicClient({ transport: http(anvil.rpcUrl) })
    const theirs = await client.request({ method: 'eth_accounts' } as never)
    const ours = Array.from({ length: 10 }, (_, number) => xpubAddress({ source: xpub, number }))
    expect(ours).toEqual((theirs as string[]).map((address) => getAddress(address)))
  } finally {
    await anvil.stop()
  }
})

test('every number has the address of the key that the wallet holds for it, and the largest too', () => {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(9))
  const source = root.derive("m/44'/60'/0'").publicExtendedKey
  for (const number of [0, 1, 19, 20, 100_000, xpubNumberMax])
    expect(xpubAddress({ source, number })).toBe(hdKeyToAccount(root, { addressIndex: number }).address)
  expect(publicKeyAt({ source, number: 7 })).toHaveLength(65)
  expect(() => publicKeyAt({ source, number: xpubNumberMax + 1 })).toThrow()
})

test('the key of the branch of receiving addresses gives the same addresses', () => {
  const source = keyAt("m/44'/60'/0'/0").publicExtendedKey
  expect(xpubAddress({ source, number: 3 })).toBe(xpubAddress({ source: xpub, number: 3 }))
  expect([xpubPath({ source, number: 3 }), xpubPath({ source: xpub, number: 3 })]).toEqual(['3', '0/3'])
})

test('an account is accepted with the first address that its wallet shows, in any case', () => {
  expect(parse(`${xpub}@${first}`)).toEqual({ source: xpub, address: first })
  expect(parse(` ${xpub} @ ${first.toLowerCase()} `)).toEqual({ source: xpub, address: first })
})

test.each([
  ['no proof', xpub, 'the first address that the wallet shows'],
  ['another wallet’s address', `${xpub}@0x70997970C51812dc3A010C7d01b50e0d17dc79C8`, first],
  ['a second proof', `${xpub}@${first}@${first}`, 'the first address that the wallet shows'],
  ['a typing error', `${xpub.slice(0, -1)}1@${first}`, 'is not an extended public key'],
  ['an address', `${first}@${first}`, 'is not an extended public key'],
  ['the key of the whole wallet', `${keyAt('m/').publicExtendedKey}@${first}`, 'level 0'],
  ['the key of one address', `${keyAt("m/44'/60'/0'/0/0").publicExtendedKey}@${first}`, 'level 5'],
  ['a private key', `${account.privateExtendedKey}@${first}`, 'never give it to anybody'],
])('%s is refused, saying why', (_, text, reason) => {
  const parsed = parse(text)
  expect(parsed).toEqual({ fault: expect.stringContaining(reason) })
  expect(JSON.stringify(parsed)).not.toContain('xprv')
})

test('terms are read as they were written, and other texts are corrupt', () => {
  const at = { source: xpub, number: 5 }
  expect(parseXpubTerms(formatXpubTerms(at))).toMatchObject(at)
  for (const text of ['{}', '{"kind":"xpub","source":"","number":1}', '{"kind":"xpub","source":"x","number":-1}'])
    expect(() => parseXpubTerms(text)).toThrow('corrupt')
})
