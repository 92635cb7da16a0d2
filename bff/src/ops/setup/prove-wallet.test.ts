import { expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { verifyRetyped, verifySignature, verifyWallet } from './prove-wallet.ts'
import { newDraft } from './setup-draft.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const two = [
  { network: 'sepolia', rpcUrls: ['http://one.example'], deposits: 'forwarder' as const },
  { network: 'base-sepolia', rpcUrls: ['http://two.example'], deposits: 'forwarder' as const },
]
/** ERC-1271's value in a word. */
const valid = `0x1626ba7e${'0'.repeat(56)}`

/** Nodes at which a smart wallet exists that confirms every signature, and others at which it does not. */
const nodesWith = (hosts: readonly string[]) =>
  (async (url: string, init: RequestInit) => {
    const { id, method } = JSON.parse(String(init.body)) as { id: number; method: string }
    const isThere = hosts.includes(new URL(url).host)
    const chainId = new URL(url).host === 'one.example' ? '0xaa36a7' : '0x14a34'
    const result = method === 'eth_chainId' ? chainId : !isThere ? '0x' : method === 'eth_getCode' ? '0x60' : valid
    return Response.json({ jsonrpc: '2.0', id, result })
  }) as unknown as typeof fetch

test('a smart wallet must exist on every network that it is for', async () => {
  const draft = { ...newDraft(), networks: two }
  const proof = { address, message: 'm', signature: '0x12' }
  const verify = (...hosts: string[]) =>
    verifySignature(draft, 'evm', proof, { runtime: systemRuntime, fetchFn: nodesWith(hosts) })
  await expect(verify('one.example')).rejects.toMatchObject({ code: 'WALLET_NOT_SIGNED' })
  await verify('one.example', 'two.example')
})

const refusal = (code: string) => expect.objectContaining({ code })

test('a wallet is none of the tokens of any chosen network, wherever the network stands', () => {
  const draftOf = (...names: string[]) => ({
    ...newDraft(),
    networks: names.map((network) => ({ network, rpcUrls: ['https://node.example'], deposits: 'forwarder' as const })),
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
