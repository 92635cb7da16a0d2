import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { HDKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factoryAddress, paymentSplitter } from '../chain/evm/deploy/contracts.generated.ts'
import { payableWallet, readWallets, setWallets } from './wallets.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

const set = (network: string, address: string) =>
  setWallets(bff.deps, bff.merchant.merchantId, new Map([[network, address]]))

test.each([
  ['devnet', '0x12', 'is not an address of Devnet'],
  ['devnet', `0x${'4c0883a6'.repeat(8)}`, '"0x4c0883…" is not an address of Devnet'],
  ['devnet', '0x5fbDB2315678afecb367f032d93F642f64180aa4', 'its checksum is wrong'],
  ['devnet', `0x${'0'.repeat(40)}`, 'the zero address'],
  ['devnet', '0x5FbDB2315678afecb367f032d93F642f64180aa3', 'is the address of a token'],
  ['devnet', factoryAddress, 'is a contract of this service'],
  ['devnet', paymentSplitter.address.toLowerCase(), 'is a contract of this service'],
  [
    'mars',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'there is no network "mars" in the configuration (there: devnet',
  ],
])('on %s the wallet %s is refused: %s', async (network, address, reason) => {
  const before = await readWallets(bff.deps.db, bff.merchant.merchantId)
  await expect(set(network, address)).rejects.toThrow(reason)
  expect(await readWallets(bff.deps.db, bff.merchant.merchantId)).toEqual(before)
})

test('all wallets of a command are set, or none', async () => {
  const good = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  const several = (second: string) =>
    setWallets(
      bff.deps,
      bff.merchant.merchantId,
      new Map([
        ['devnet', good],
        ['elsewhere', second],
      ]),
    )
  await expect(several('0x12')).rejects.toThrow('not an address')
  const before = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect(await readWallets(bff.deps.db, bff.merchant.merchantId)).toEqual([
    { network: 'devnet', address: before, source: null },
  ])
  expect(await several(good.toLowerCase())).toEqual([
    { network: 'devnet', address: good, source: null, before },
    { network: 'elsewhere', address: good, source: null, before: null },
  ])
})

test('a wallet is paid only by an account of the kind that its network has now', () => {
  const { devnet } = Object.fromEntries(bff.deps.networks)
  if (devnet?.family !== 'evm') throw new Error('The application has no devnet.')
  const xpub = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'").publicExtendedKey
  const masterId = '0x01020304'
  const wallets = new Map([['devnet', '0x90F79bf6EB2c4f870365E785982E1f101E93b906']])
  const payable = (deposits: typeof devnet.deposits, source: string | undefined) =>
    payableWallet(
      { wallets, sources: new Map(source === undefined ? [] : [['devnet', source]]) },
      { ...devnet, deposits },
    )
  for (const [deposits, source, other] of [
    ['xpub', xpub, masterId],
    ['virtual', masterId, xpub],
  ] as const) {
    expect(payable(deposits, source)).toBe(wallets.get('devnet'))
    expect(payable(deposits, other)).toBeUndefined()
    expect(payable(deposits, undefined)).toBeUndefined()
  }
  expect(payable('forwarder', undefined)).toBe(wallets.get('devnet'))
})
