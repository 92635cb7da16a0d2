import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { knownNetworks } from '@stablecoin-checkout/bff/testing/network'
import fc from 'fast-check'
import { encodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { splitterAddress } from '../widget/src/pins.ts'
import {
  encodeSplit,
  encodeSplitBefore,
  encodeSplitWithPermit,
  permitSignatureOffset,
} from '../widget/src/wallet/evm/split-call.ts'
import { knownToken } from '../widget/src/wallet/known-tokens.ts'
import { tokenAccountOf } from '../widget/src/wallet/solana/token-account.ts'

const { abi } = paymentSplitter
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hex)
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const details = fc.record({
  token: address,
  amount: uint,
  paymentId: fc.string({ unit: 'grapheme', maxLength: 80 }),
  recipients: fc.tuple(address, address, address),
  shares: fc.tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000)),
})

test('the element encodes the calls of the splitter as viem does from its ABI', () =>
  fc.assert(
    fc.property(details, uint, (one, deadline) => {
      const { token, amount, paymentId, recipients, shares } = one
      const [recipient1, recipient2, recipient3] = recipients
      const [recipient1Percentage, recipient2Percentage, recipient3Percentage] = shares.map(BigInt) as [
        bigint,
        bigint,
        bigint,
      ]
      const struct = {
        token,
        amount,
        paymentId,
        recipient1,
        recipient2,
        recipient3,
        recipient1Percentage,
        recipient2Percentage,
        recipient3Percentage,
      }
      const zero = `0x${'0'.repeat(64)}` as const
      expect(encodeSplit(one)).toBe(encodeFunctionData({ abi, functionName: 'splitPayment', args: [struct] }))
      expect(encodeSplitBefore(one, deadline)).toBe(
        encodeFunctionData({ abi, functionName: 'splitPaymentBefore', args: [struct, deadline] }),
      )
      const args = [struct, deadline, 0, zero, zero] as const
      const permit = encodeFunctionData({ abi, functionName: 'splitPaymentWithPermit', args })
      expect(encodeSplitWithPermit(one, deadline)).toBe(permit)
      const signed = encodeFunctionData({
        abi,
        functionName: 'splitPaymentWithPermit',
        args: [struct, deadline, 28, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`],
      })
      const signature = '1c'.padStart(64, '0') + '11'.repeat(32) + '22'.repeat(32)
      expect(permit.slice(0, permitSignatureOffset) + signature + permit.slice(permitSignatureOffset + 192)).toBe(
        signed,
      )
    }),
    { numRuns: 200 },
  ))

test('the element trusts the splitter that the service and the devnet deploy', () => {
  expect(splitterAddress).toBe(paymentSplitter.address)
})

test('the element knows every token of every network with real money, as the service does', () => {
  const known = [...knownNetworks.values()].filter(({ isTestnet }) => !isTestnet)
  expect(known.length).toBeGreaterThan(5)
  for (const { shortName, chainId, family, tokens } of known)
    for (const { symbol, address: token, decimals } of tokens)
      expect(knownToken(family === 'solana' ? -1 : chainId, shortName, symbol)).toMatchObject({
        address: token,
        decimals,
      })
})

test('the element derives token accounts on Solana as the token library does', async () => {
  for (let round = 0; round < 25; round++) {
    const mint = Keypair.generate().publicKey
    // An owner that no key has, too: a merchant's wallet may be a program's.
    const owner = round % 2 ? Keypair.generate().publicKey : PublicKey.findProgramAddressSync([mint.toBytes()], mint)[0]
    const derived = await tokenAccountOf(mint.toBase58(), owner.toBase58())
    expect(derived).toBe(getAssociatedTokenAddressSync(mint, owner, true).toBase58())
  }
})
