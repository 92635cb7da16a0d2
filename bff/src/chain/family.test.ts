import { Keypair } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { familyOf } from './index.ts'
import { isSolanaAddress, isSolanaSignature } from './solana/facts/solana-address.ts'
import { parseSolanaKey } from './solana/facts/solana-key.ts'

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const signature = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

test('an address of Solana is 32 bytes in base58, and nothing else is', () => {
  expect(isSolanaAddress(usdc)).toBe(true)
  expect(isSolanaAddress('1'.repeat(32))).toBe(true)
  const wrong = ['', usdc.slice(2), `${usdc}1`, usdc.replace('E', '0'), usdc.replace('P', 'l'), signature, ` ${usdc}`]
  for (const text of [...wrong, '0x5FbDB2315678afecb367f032d93F642f64180aa3', '1'.repeat(100_000)]) {
    expect([text.slice(0, 100), isSolanaAddress(text)]).toEqual([text.slice(0, 100), false])
  }
})

test('a transaction id of Solana is 64 bytes in base58', () => {
  expect(isSolanaSignature(signature)).toBe(true)
  for (const text of ['', usdc, signature.slice(2), `0x${'ab'.repeat(32)}`]) expect(isSolanaSignature(text)).toBe(false)
})

test('an address is checked by the rules of its network, and normalized to its notation', () => {
  const evm = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  expect(familyOf({ family: 'evm' }).parseAddress(evm.toLowerCase())).toBe(evm)
  expect(familyOf({ family: 'evm' }).parseAddress(usdc)).toBeUndefined()
  expect(familyOf({ family: 'solana' }).parseAddress(usdc)).toBe(usdc)
  expect(familyOf({ family: 'solana' }).parseAddress(usdc.toLowerCase())).toBeUndefined()
  expect(familyOf({ family: 'solana' }).parseAddress(evm)).toBeUndefined()
})

test('a secret key is accepted in the formats of wallets and of the command line, and only if its halves match', () => {
  const { secretKey } = Keypair.fromSeed(new Uint8Array(32).fill(7))
  const text = JSON.stringify([...secretKey])
  expect(parseSolanaKey(text)).toEqual(secretKey)
  const broken = JSON.stringify([...secretKey.slice(0, 63), (secretKey[63] ?? 0) ^ 1])
  for (const wrong of [broken, '[1,2]', '[', '', usdc, `0x${'ab'.repeat(32)}`]) {
    expect(parseSolanaKey(wrong)).toBeUndefined()
  }
})
