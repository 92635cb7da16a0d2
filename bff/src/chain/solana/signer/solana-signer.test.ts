import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { HDKey } from 'micro-key-producer/slip10.js'
import { expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'
import { createVault, VaultError } from '../../../db/vault.ts'
import { derivationPath, formatSolanaTerms, parseSolanaTerms, type SolanaTerms } from '../facts/solana-deposit-terms.ts'
import { openSolanaSeed } from './deposit-seed.ts'
import { createSolanaSigner } from './solana-signer.ts'

const feePayer = Keypair.fromSeed(new Uint8Array(32).fill(7))
const seed = new Uint8Array(32).fill(9)
const terms: SolanaTerms = {
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ...{ amount: 25_000_000n, least: 25_000_000n, feeBps: 150, deadlineSeconds: 1_800_000_000, salt: 'ab'.repeat(32) },
  merchant: 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp',
  platform: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
}

test('keys are derived by SLIP-0010', () => {
  // Test vectors 1 and 2 for ed25519: https://github.com/satoshilabs/slips/blob/master/slip-0010.md
  const key = (seedHex: string, path: string) =>
    Buffer.from(HDKey.fromMasterSeed(Buffer.from(seedHex, 'hex')).derive(path).privateKey).toString('hex')
  const first = '000102030405060708090a0b0c0d0e0f'
  expect(key(first, 'm')).toBe('2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7')
  expect(key(first, "m/0'")).toBe('68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3')
  expect(key(first, "m/0'/1'/2'/2'")).toBe('30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662')
  const second =
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542'
  expect(key(second, 'm')).toBe('171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012')
})

test('the terms determine the address: equal terms the same, different terms another', () => {
  const { ownerOf } = createSolanaSigner(feePayer.secretKey, seed)
  const text = formatSolanaTerms(terms)
  expect(formatSolanaTerms(parseSolanaTerms(text))).toBe(text)
  expect(derivationPath(text)).toMatch(/^m\/44'\/501'(\/\d{1,10}'){5}$/)
  // Pinned: another derivation would lose the money at every open address.
  expect(ownerOf(text).toBase58()).toMatchInlineSnapshot(`"4Fj9wRjVKGDFMe34VGHboU7YGxnsWg2qZygTqA6YaaHa"`)
  const others: Partial<SolanaTerms>[] = [
    ...[{ amount: 25_000_001n }, { feeBps: 151 }, { salt: 'ac'.repeat(32) }, { merchant: terms.platform }],
    ...[{ mint: terms.platform }, { deadlineSeconds: 1 }, { least: 1n }, { genesisHash: 'simulated' }],
  ]
  const addresses = others.map((change) => ownerOf(formatSolanaTerms({ ...terms, ...change })).toBase58())
  expect(new Set([...addresses, ownerOf(text).toBase58()]).size).toBe(others.length + 1)
  const another = createSolanaSigner(feePayer.secretKey, new Uint8Array(32).fill(8))
  expect(another.ownerOf(text).equals(ownerOf(text))).toBe(false)
})

test('terms changed in the database are refused, naming the field', () => {
  expect(() => parseSolanaTerms(formatSolanaTerms(terms).replace('GDDM', '0DDM'))).toThrow(/corrupt: merchant/)
})

test('a transaction is signed by the fee payer and the owner, and its first signature is its id', () => {
  const signer = createSolanaSigner(feePayer.secretKey, seed)
  const text = formatSolanaTerms(terms)
  const owner = signer.ownerOf(text)
  const blockhash = new PublicKey(new Uint8Array(32).fill(3)).toBase58()
  const transaction = new Transaction({ feePayer: signer.feePayer, blockhash, lastValidBlockHeight: 1 })
  transaction.add(SystemProgram.transfer({ fromPubkey: owner, toPubkey: feePayer.publicKey, lamports: 1 }))
  const { raw, txId } = signer.sign(transaction, [text])
  const read = Transaction.from(Buffer.from(raw, 'base64'))
  expect(read.verifySignatures()).toBe(true)
  expect(txId).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
  expect(read.signatures.map(({ publicKey }) => publicKey.toBase58())).toEqual([
    feePayer.publicKey.toBase58(),
    owner.toBase58(),
  ])
  // No property that a log could print contains a key.
  expect(JSON.stringify(signer)).not.toContain(Buffer.from(feePayer.secretKey.slice(0, 32)).toString('hex'))
  expect(Object.keys(signer).sort()).toEqual(['coSign', 'feePayer', 'ownerOf', 'sign'])
})

test('the seed is created once, is the same at every start, and is stored only sealed', async () => {
  const database = await createTestDatabase()
  const vault = createVault(new Uint8Array(32).fill(1), systemRuntime)
  let db = await database.open()
  const made = await openSolanaSeed(db, vault, systemRuntime)
  expect(made).toHaveLength(32)
  await db.close()
  db = await database.open()
  expect(Buffer.from(await openSolanaSeed(db, vault, systemRuntime)).equals(made)).toBe(true)
  const other = createVault(new Uint8Array(32).fill(2), systemRuntime)
  await expect(openSolanaSeed(db, other, systemRuntime)).rejects.toThrow(VaultError)
  const stored = await database.dump()
  await db.close()
  await database.drop()
  for (const form of [Buffer.from(made).toString('hex'), Buffer.from(made).toString('base64')]) {
    expect(stored.includes(String(form))).toBe(false)
  }
})
