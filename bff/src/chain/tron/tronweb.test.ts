import { openTronStage, type TronStage, tronConfirmations } from '@stablecoin-checkout/rig/tron-stage'
import { HDNodeWallet, Mnemonic } from 'ethers'
import { TronWeb } from 'tronweb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressHex, tronAddressOf } from '../event-topic.ts'
import { xpubAddress } from '../evm/deposit/xpub-addresses.ts'
import { tronAddressAt } from './facts/tron-addresses.ts'
import { isSignedByTronWallet } from './rpc/tron-signature.ts'

/** The test vector of BIP-39 with the seed of zeros. */
const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const numbers = [0, 1, 2, 19, 20, 1_000, 2_147_483_647]

let stage: TronStage
let tronWeb: TronWeb

beforeAll(async () => {
  stage = await openTronStage()
  const [node] = stage.nodes
  tronWeb = new TronWeb({ fullHost: node?.url ?? '' })
  tronWeb.setAddress(tronAddressOf(stage.customer.address))
})
afterAll(() => stage.close())

const accountAt = (path: string) => HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), path).neuter()

test('ethers derives the same addresses from the same extended public key, on EVM networks and on Tron', () => {
  for (const path of ["m/44'/60'/0'", "m/44'/195'/0'"]) {
    const source = accountAt(path).extendedKey
    const theirs = HDNodeWallet.fromExtendedKey(source)
    for (const number of numbers) {
      const { address } = theirs.deriveChild(0).deriveChild(number)
      expect(xpubAddress({ source, number })).toBe(address)
      expect(tronAddressAt({ source, number })).toBe(TronWeb.address.fromHex(`41${address.slice(2)}`))
    }
  }
})

test('a tronweb wallet with the same phrase has the same addresses', () => {
  const source = accountAt("m/44'/195'/0'").extendedKey
  for (const number of numbers.slice(0, -1)) {
    const { address } = TronWeb.fromMnemonic(phrase, `m/44'/195'/0'/0/${number}`)
    expect(tronAddressAt({ source, number })).toBe(address)
  }
})

test('tronweb reads blocks, balances and transfers from the emulated node unchanged', async () => {
  const { address } = await stage.deposit()
  const usdt = tronAddressOf(stage.usdt)
  const balanceOf = async () => {
    const parameters = [{ type: 'address', value: address }]
    const answer = await tronWeb.transactionBuilder.triggerConstantContract(usdt, 'balanceOf(address)', {}, parameters)
    return BigInt(`0x${answer.constant_result?.[0]}`)
  }
  expect(await balanceOf()).toBe(0n)
  const { transactionHash, blockNumber } = await stage.pay(address, 25_000_000n)
  expect(await balanceOf()).toBe(25_000_000n)

  const txId = transactionHash.slice(2)
  expect(await tronWeb.trx.getTransactionInfo(txId)).toEqual({})
  const info = await tronWeb.trx.getUnconfirmedTransactionInfo(txId)
  expect(info).toMatchObject({ id: txId, blockNumber: Number(blockNumber), receipt: { result: 'SUCCESS' } })
  const [log] = info.log
  expect(TronWeb.address.fromHex(`41${log?.address}`)).toBe(usdt)
  expect(TronWeb.address.fromHex(`41${log?.topics[2]?.slice(24)}`)).toBe(address)
  expect(BigInt(`0x${log?.data}`)).toBe(25_000_000n)

  await stage.mine(tronConfirmations)
  expect(await tronWeb.trx.getTransactionInfo(txId)).toMatchObject({ id: txId })
  const newest = await tronWeb.trx.getCurrentBlock()
  const before = await tronWeb.trx.getBlockByNumber(newest.block_header.raw_data.number - 1)
  expect(newest.block_header.raw_data.parentHash).toBe(before.blockID)
  expect(Number.parseInt(newest.blockID.slice(0, 16), 16)).toBe(newest.block_header.raw_data.number)
})

test('a chain’s id is the end of its first block’s id, as in wallets', async () => {
  const { blockID } = await tronWeb.trx.getBlockByNumber(0)
  expect(Number.parseInt(blockID.slice(-8), 16)).toBe(stage.chainId)
})

test('a text signed by tronweb is verified for its account, and for no other', async () => {
  const { privateKey, address } = TronWeb.fromMnemonic(phrase)
  const message = 'Checkout: €5 back to me'
  const signature = await tronWeb.trx.signMessageV2(message, privateKey.slice(2))
  expect(await isSignedByTronWallet({ address, message, signature })).toBe(true)
  expect(await isSignedByTronWallet({ address, message, signature: signature.slice(2) })).toBe(true)
  expect(await isSignedByTronWallet({ address, message: `${message}!`, signature })).toBe(false)
  expect(await isSignedByTronWallet({ address: stage.firstAddress, message, signature })).toBe(false)
  for (const bad of ['', signature.slice(0, -2), `${signature}00`, `0x${'zz'.repeat(65)}`, `0x${'00'.repeat(65)}`])
    expect(await isSignedByTronWallet({ address, message, signature: bad })).toBe(false)
  expect(addressHex(address)).toMatch(/^0x[0-9a-f]{40}$/)
})
