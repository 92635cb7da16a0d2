import {
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSolana, type SolanaFixture } from './fixtures.ts'
import { mintTestTokens } from './tokens.ts'

const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
let solana: SolanaFixture

beforeAll(async () => {
  solana = await openSolana()
})

afterAll(async () => {
  await solana?.stop()
})

test('the node reports its identity and its slots', async () => {
  const { connection, advance } = solana
  expect(await connection.getVersion()).toHaveProperty('solana-core')
  expect(await connection.getGenesisHash()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
  const newest = await advance(5)
  expect(await connection.getSlot('processed')).toBe(newest)
  expect(await connection.getSlot('confirmed')).toBe(newest - 1)
  expect(await connection.getSlot('finalized')).toBe(newest - 4)
  expect(await connection.getBlockHeight('processed')).toBe(newest)
  expect(await connection.getFirstAvailableBlock()).toBe(0)
  expect(await connection.getRecentPrioritizationFees()).toEqual([{ slot: newest, prioritizationFee: 0 }])
  expect(await connection.getTransactionCount('processed')).toBe(0)
  await solana.newAccount()
  expect(await connection.getTransactionCount('processed')).toBe(1)
})

test('tokens move, and each commitment returns the balance of its own block', async () => {
  const { connection, customer, tokens, advance, send } = solana
  const shop = Keypair.generate().publicKey
  const { from, to } = accountsOf(shop)
  const before = await connection.getTokenAccountBalance(from, 'processed')
  await send([createAccount(shop), transfer(to, 1_500_000n)], customer)

  const balance = async (commitment: 'processed' | 'confirmed' | 'finalized') =>
    (await connection.getTokenAccountsByOwner(shop, { mint: new PublicKey(tokens.USDC.address) }, { commitment })).value
      .length
  expect(await connection.getTokenAccountBalance(to, 'processed')).toMatchObject({
    value: { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' },
  })
  expect([await balance('processed'), await balance('confirmed'), await balance('finalized')]).toEqual([1, 0, 0])
  await advance(1)
  expect([await balance('processed'), await balance('confirmed'), await balance('finalized')]).toEqual([1, 1, 0])
  await advance(3)
  expect([await balance('processed'), await balance('confirmed'), await balance('finalized')]).toEqual([1, 1, 1])
  const after = await connection.getTokenAccountBalance(from, 'finalized')
  expect(BigInt(before.value.amount) - BigInt(after.value.amount)).toBe(1_500_000n)
})

test('a transaction has its balances before and after, its keys and its memo', async () => {
  const { connection, customer, tokens, advance, send } = solana
  const shop = Keypair.generate().publicKey
  const { to } = accountsOf(shop)
  const memo = new TransactionInstruction({ programId: memoProgram, keys: [], data: Buffer.from('coffee') })
  const signature = await send([createAccount(shop), transfer(to, 42n), memo], customer)
  expect(await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })).toBeNull()
  await advance(1)

  const seen = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  const keys = seen?.transaction.message.getAccountKeys().staticAccountKeys ?? []
  const at = keys.findIndex((key) => key.equals(to))
  expect(seen?.meta).toMatchObject({ err: null, fee: 5_000, loadedAddresses: { writable: [], readonly: [] } })
  expect(seen?.meta?.preTokenBalances?.find(({ accountIndex }) => accountIndex === at)).toBeUndefined()
  expect(seen?.meta?.postTokenBalances?.find(({ accountIndex }) => accountIndex === at)).toMatchObject({
    mint: tokens.USDC.address,
    owner: shop.toBase58(),
    uiTokenAmount: { amount: '42', decimals: 6 },
  })
  const [pre = 0] = seen?.meta?.preBalances ?? []
  const [post = 0] = seen?.meta?.postBalances ?? []
  const rent = await connection.getMinimumBalanceForRentExemption(165)
  expect(pre - post).toBe(5_000 + rent)
  expect(seen?.meta?.logMessages?.join('\n')).toContain('coffee')
  expect(seen?.blockTime).toBe(await connection.getBlockTime(seen?.slot ?? 0))

  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({ pubkey: customer.publicKey, signer: true })
  const [first] = await connection.getSignaturesForAddress(to)
  expect(first).toMatchObject({ signature, memo: '[6] coffee', err: null, confirmationStatus: 'confirmed' })
})

test('accounts are read one by one, by the hundred, raw or parsed', async () => {
  const { connection, customer, tokens } = solana
  const mint = new PublicKey(tokens.USDT.address)
  const { value } = await connection.getParsedAccountInfo(mint)
  expect(value?.data).toMatchObject({ parsed: { type: 'mint', info: { decimals: 6, supply: '100000000000' } } })
  const nobody = Keypair.generate().publicKey
  const ata = getAssociatedTokenAddressSync(mint, customer.publicKey)
  const [token, none, own] = await connection.getMultipleAccountsInfo([ata, nobody, customer.publicKey])
  expect(token?.owner).toEqual(TOKEN_PROGRAM_ID)
  expect(token?.data.readBigUInt64LE(64)).toBe(100_000_000_000n)
  expect(none).toBeNull()
  expect(own?.lamports).toBe(await connection.getBalance(customer.publicKey))
  await expect(connection.getMultipleAccountsInfo(Array.from({ length: 101 }, () => nobody))).rejects.toThrow('max 100')
})

test('signatures of an address are listed newest first, between two others and up to a limit', async () => {
  const { connection, customer, send, advance } = solana
  const to = Keypair.generate().publicKey
  const pay = (lamports: number) => SystemProgram.transfer({ fromPubkey: customer.publicKey, toPubkey: to, lamports })
  const sent: string[] = []
  for (const lamports of [1_000_000, 1_000_001, 1_000_002, 1_000_003]) sent.push(await send([pay(lamports)], customer))
  await advance(1)
  const list = async (options: object) =>
    (await connection.getSignaturesForAddress(to, options)).map(({ signature }) => signature)
  const [first = '', second, third, fourth = ''] = sent
  expect(await list({})).toEqual([fourth, third, second, first])
  expect(await list({ limit: 2 })).toEqual([fourth, third])
  expect(await list({ before: fourth, until: first })).toEqual([third, second])
})

test('a failed transaction lands, costs its fee, and moves nothing', async () => {
  const { connection, customer, sendFailing, send, advance } = solana
  const { to } = accountsOf(customer.publicKey)
  const wrong = [transfer(to, 10n ** 15n)]
  await expect(send(wrong, customer)).rejects.toThrow('custom program error: 0x1')
  const before = await connection.getBalance(customer.publicKey, 'processed')
  const signature = await sendFailing(wrong, customer)
  await advance(1)
  const { value } = await connection.getSignatureStatus(signature)
  expect(value).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, confirmationStatus: 'confirmed' })
  const seen = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(seen?.meta?.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
  expect(seen?.meta?.postTokenBalances).toEqual(seen?.meta?.preTokenBalances)
  expect(before - (await connection.getBalance(customer.publicKey, 'processed'))).toBe(5_000)
})

test('a sender without a signature or without money is refused', async () => {
  const { connection, customer, sign } = solana
  const poor = Keypair.generate()
  const pay = SystemProgram.transfer({ fromPubkey: poor.publicKey, toPubkey: customer.publicKey, lamports: 1 })
  const unfunded = await sign([pay], poor)
  await expect(connection.sendRawTransaction(unfunded.serialize())).rejects.toThrow('no record of a prior credit')
  const forged = Buffer.from(unfunded.serialize())
  forged.writeUInt8(forged.readUInt8(1) ^ 1, 1)
  await expect(connection.sendRawTransaction(forged)).rejects.toThrow('signature verification failure')
})

test('the same transaction lands once', async () => {
  const { connection, customer, sign } = solana
  const transaction = await sign([selfTransfer()], customer)
  await connection.sendRawTransaction(transaction.serialize())
  const before = await connection.getBalance(customer.publicKey, 'processed')
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('already been processed')
  await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  expect(await connection.getBalance(customer.publicKey, 'processed')).toBe(before)
})

test('fees are known in advance, simulations change nothing, and a closed account returns its rent', async () => {
  const { connection, customer, sign, send } = solana
  const owner = await solana.newAccount()
  const { to } = accountsOf(owner.publicKey)
  await send([createAccount(owner.publicKey)], customer)
  const close = await sign([createCloseAccountInstruction(to, owner.publicKey, owner.publicKey)], owner)
  expect((await connection.getFeeForMessage(close.compileMessage(), 'processed')).value).toBe(5_000)
  const simulated = await connection.simulateTransaction(close)
  expect(simulated.value).toMatchObject({ err: null })
  const before = await connection.getBalance(owner.publicKey, 'processed')
  await connection.sendRawTransaction(close.serialize())
  expect(await connection.getAccountInfo(to, 'processed')).toBeNull()
  const rent = await connection.getMinimumBalanceForRentExemption(165)
  expect((await connection.getBalance(owner.publicKey, 'processed')) - before).toBe(rent - 5_000)
})

test('blocks are listed and read, with their transactions', async () => {
  const { connection, customer, send, advance } = solana
  const signature = await send([selfTransfer()], customer)
  const newest = await advance(1)
  const block = await connection.getBlock(newest - 1, { maxSupportedTransactionVersion: 0 })
  expect(block?.transactions.map(({ transaction }) => transaction.signatures[0])).toEqual([signature])
  const next = await connection.getBlocks(newest - 2, newest)
  expect(next).toEqual([newest - 2, newest - 1])
  await expect(connection.getBlock(newest + 5, { maxSupportedTransactionVersion: 0 })).rejects.toThrow('not available')
})

test('more test tokens can be minted, and a batch is answered in order', async () => {
  const { connection, tokenOwner, tokens, rpcUrl } = solana
  const to = Keypair.generate().publicKey
  await mintTestTokens(connection, tokenOwner, { mint: tokens.USDT.address, to: to.toBase58(), amount: 7n })
  const ata = getAssociatedTokenAddressSync(new PublicKey(tokens.USDT.address), to)
  expect((await connection.getTokenAccountBalance(ata, 'processed')).value.amount).toBe('7')
  const body = JSON.stringify([
    { jsonrpc: '2.0', id: 1, method: 'getHealth' },
    { jsonrpc: '2.0', id: 2, method: 'toString' },
  ])
  const answer = await fetch(rpcUrl, { method: 'POST', body })
  expect(await answer.json()).toMatchObject([
    { id: 1, result: 'ok' },
    { id: 2, error: { code: -32601 } },
  ])
})

const usdc = () => new PublicKey(solana.tokens.USDC.address)
const accountsOf = (owner: PublicKey) => ({
  from: getAssociatedTokenAddressSync(usdc(), solana.customer.publicKey),
  to: getAssociatedTokenAddressSync(usdc(), owner),
})
const createAccount = (owner: PublicKey) =>
  createAssociatedTokenAccountInstruction(solana.customer.publicKey, accountsOf(owner).to, owner, usdc())
const transfer = (to: PublicKey, amount: bigint) =>
  createTransferCheckedInstruction(
    accountsOf(solana.customer.publicKey).from,
    usdc(),
    to,
    solana.customer.publicKey,
    amount,
    6,
  )
const selfTransfer = () => {
  const { publicKey } = solana.customer
  return SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 1 })
}
