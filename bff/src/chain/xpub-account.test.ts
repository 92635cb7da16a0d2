import { pbkdf2Sync } from 'node:crypto'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { xpubAddress, xpubAddresses } from './evm/deposit/xpub-addresses.ts'
import { formatXpubTerms, parseXpubTerms, publicKeyAt, xpubNumberMax, xpubPath } from './xpub-account.ts'

/** The mnemonic of every development chain, whose addresses are publicly known. */
const mnemonic = 'test test test test test test test test test test test junk'
// BIP-39.
const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2_048, 64, 'sha512')
const keyAt = (path: string) => HDKey.fromMasterSeed(seed).derive(path)
const account = keyAt("m/44'/60'/0'")
const xpub = account.publicExtendedKey
const first = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const network = {} as never

const parse = (text: string) => xpubAddresses.parseAccount(network, text)

test('the addresses are those that Foundry and Hardhat, which derive by other libraries, print for the same phrase', () => {
  const theirs = [
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
    '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
    '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  ]
  expect(theirs.map((_, number) => xpubAddress({ source: xpub, number }))).toEqual(theirs)
})

test('every number has the address of the wallet’s key for it, including the largest', () => {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(9))
  const source = root.derive("m/44'/60'/0'").publicExtendedKey
  for (const number of [0, 1, 19, 20, 100_000, xpubNumberMax])
    expect(xpubAddress({ source, number })).toBe(hdKeyToAccount(root, { addressIndex: number }).address)
  expect(publicKeyAt({ source, number: 7 })).toHaveLength(65)
  expect(() => publicKeyAt({ source, number: xpubNumberMax + 1 })).toThrow()
})

test('two accounts have different addresses, though their sources begin with the same characters', () => {
  const accounts = [1, 2].map((byte) => {
    const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(byte))
    const key = root.derive("m/44'/60'/0'").publicExtendedKey
    const parsed = parse(`${key}@${hdKeyToAccount(root).address}`)
    return { root, source: 'source' in parsed ? parsed.source : '' }
  })
  expect(new Set(accounts.map(({ source }) => source.slice(0, 12))).size).toBe(1)
  for (const { root, source } of accounts)
    expect(xpubAddress({ source, number: 3 })).toBe(hdKeyToAccount(root, { addressIndex: 3 }).address)
})

test('the key of the branch of receiving addresses gives the same addresses', () => {
  const source = keyAt("m/44'/60'/0'/0").publicExtendedKey
  expect(xpubAddress({ source, number: 3 })).toBe(xpubAddress({ source: xpub, number: 3 }))
  expect(xpubPath({ number: 3 })).toBe('0/3')
})

test('an account is accepted with its wallet’s first address, in upper or lower case', () => {
  const accepted = parse(`${xpub}@${first}`)
  expect(accepted).toEqual({ source: expect.stringMatching(/^xpub/), address: first })
  expect(parse(` ${xpub} @ ${first.toLowerCase()} `)).toEqual(accepted)
  if ('fault' in accepted) throw new Error(accepted.fault)
  expect(xpubAddress({ source: accepted.source, number: 3 })).toBe(xpubAddress({ source: xpub, number: 3 }))
})

test('keys that derive the same addresses are one source, whatever their notation: an address is assigned once', () => {
  const branch = keyAt("m/44'/60'/0'/0")
  /** Without the fields about the parent: some wallets leave them empty. */
  const bare = ({ depth, chainCode, publicKey }: HDKey) => {
    if (!chainCode || !publicKey) throw new Error('no public key')
    return new HDKey({ depth, chainCode, publicKey }).publicExtendedKey
  }
  const writings = [xpub, branch.publicExtendedKey, bare(account), bare(branch)]
  expect(new Set(writings).size).toBe(4)
  expect(new Set(writings.map((text) => JSON.stringify(parse(`${text}@${first}`)))).size).toBe(1)
})

test.each([
  ['no proof', xpub, 'the first address that the wallet shows', undefined],
  ['another wallet’s address', `${xpub}@0x70997970C51812dc3A010C7d01b50e0d17dc79C8`, first, 'ACCOUNT_ADDRESS_WRONG'],
  ['a second proof', `${xpub}@${first}@${first}`, 'the first address that the wallet shows', undefined],
  ['a typing error', `${xpub.slice(0, -1)}1@${first}`, 'is not an extended public key', 'ACCOUNT_KEY_WRONG'],
  ['an address', `${first}@${first}`, 'is not an extended public key', 'ACCOUNT_KEY_WRONG'],
  ['the key of the whole wallet', `${keyAt('m').publicExtendedKey}@${first}`, 'level 0', 'ACCOUNT_KEY_WRONG'],
  ['the key of one address', `${keyAt("m/44'/60'/0'/0/0").publicExtendedKey}@${first}`, 'level 5', 'ACCOUNT_KEY_WRONG'],
  ['a private key', `${account.privateExtendedKey}@${first}`, 'never give it to anybody', 'ACCOUNT_KEY_PRIVATE'],
])('%s is refused, saying why', (_, text, reason, code) => {
  const parsed = parse(text)
  expect(parsed).toEqual({ fault: expect.stringContaining(reason), code })
  expect(JSON.stringify(parsed)).not.toContain('xprv')
})

test('terms are parsed as they were written, and other texts are refused as corrupt', () => {
  const at = { source: xpub, number: 5 }
  expect(parseXpubTerms(formatXpubTerms(at))).toMatchObject(at)
  for (const text of ['{}', '{"kind":"xpub","source":"","number":1}', '{"kind":"xpub","source":"x","number":-1}'])
    expect(() => parseXpubTerms(text)).toThrow('corrupt')
})
