import { expect, test } from 'vitest'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { verifyRetyped, verifyWallet } from './prove-wallet.ts'
import { newDraft } from './setup-draft.ts'

const refusal = (code: string) => expect.objectContaining({ code })

test('a wallet is none of the tokens of any chosen network, wherever the network stands', () => {
  const draftOf = (...names: string[]) => ({
    ...newDraft(),
    networks: names.map((network) => ({ network, rpcUrls: ['https://node.example'] })),
  })
  const token = knownNetworks.get('base')?.tokens[0]?.address ?? ''
  expect(verifyWallet(draftOf('polygon'), 'evm', token)).toBe(token)
  for (const names of [
    ['base', 'polygon'],
    ['polygon', 'base'],
  ])
    expect(() => verifyWallet(draftOf(...names), 'evm', token), names.join()).toThrow(refusal('WALLET_TOKEN'))
})

test('the end of a wallet is retyped as it is written: in any case on EVM, in its own on Solana', () => {
  const evm = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  expect(() => verifyRetyped(evm, 'A96045')).not.toThrow()
  expect(() => verifyRetyped(evm, 'a96045')).not.toThrow()
  const solana = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
  expect(() => verifyRetyped(solana, 'C5RzMp')).not.toThrow()
  for (const [address, retyped] of [
    [solana, 'c5rzmp'],
    [solana, 'C5RzM'],
    [solana, '5RzMp'],
    [evm, '96045'],
    [evm, ''],
  ] as const)
    expect(() => verifyRetyped(address, retyped), retyped).toThrow(refusal('WALLET_NOT_RETYPED'))
})
