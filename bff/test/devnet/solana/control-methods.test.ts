import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSolana, type SolanaFixture } from './fixtures.ts'
import { serveSolana } from './server.ts'

let solana: SolanaFixture

beforeEach(async () => {
  solana = await openSolana()
})

afterEach(async () => {
  await solana.stop()
})

const to = Keypair.generate().publicKey
const pay = (lamports = LAMPORTS_PER_SOL) =>
  SystemProgram.transfer({ fromPubkey: solana.customer.publicKey, toPubkey: to, lamports })

test('the newest transaction gets its missing confirmations, and no block is made once it has them', async () => {
  const { connection, customer, send, advance, control } = solana
  await send([pay()], customer)
  const slot = await connection.getSlot('processed')
  await advance(1)
  expect(await control('confirm', 3)).toBe(2)
  expect(await control('confirm', 3)).toBe(0)
  expect(await connection.getSlot('processed')).toBe(slot + 3)
})

test('an idle connection is never ended by the node', async () => {
  const { headers } = await fetch(solana.rpcUrl, { method: 'POST', body: '{}' })
  // Node reports here after how many seconds it closes the connection.
  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null])
})

test('a fork removes the newest blocks with all their transfers, and their slots are skipped', async () => {
  const { connection, customer, sign, send, advance, control } = solana
  await send([pay(1_000_000)], customer)
  // Signed earlier, so that its blockhash survives the fork.
  const outlasting = await sign([pay(3_000_000)], customer)
  const dropped = await send([pay(2_000_000)], customer)
  const kept = await connection.sendRawTransaction(outlasting.serialize())
  const before = await connection.getSlot('processed')
  expect(await connection.getBalance(to, 'processed')).toBe(6_000_000)

  expect(await control('fork', 2, { keep: [kept] })).toEqual([dropped])
  expect(await connection.getBalance(to, 'processed')).toBe(4_000_000)
  expect(await connection.getSlot('processed')).toBe(before + 1)
  expect(await connection.getBlockHeight('processed')).toBe(before - 1)
  await advance(1)
  const statuses = await connection.getSignatureStatuses([dropped, kept])
  expect(statuses.value).toMatchObject([null, { slot: before + 1, confirmationStatus: 'confirmed' }])
  expect((await connection.getSignaturesForAddress(to)).map(({ signature }) => signature)).not.toContain(dropped)
  await expect(connection.getBlock(before, { maxSupportedTransactionVersion: 0 })).rejects.toThrow('was skipped')
  expect(await connection.getBlocks(before - 2, before + 1)).toEqual([before - 2, before + 1])
})

test('finalized blocks stay', async () => {
  const { advance, control } = solana
  await advance(10)
  await expect(control('fork', 5)).rejects.toThrow('5 blocks cannot be undone: only 4 are not finalized')
})

test('a transaction with a blockhash of the losing fork cannot land on the other', async () => {
  const { connection, customer, sign, advance, control } = solana
  await advance(2)
  const transaction = await sign([pay()], customer)
  await control('fork', 2)
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('Blockhash not found')
})

test('a dropped transaction has a signature and never lands; the next one does', async () => {
  const { connection, customer, send, control, advance } = solana
  await control('drop', 1)
  const lost = await send([pay()], customer)
  const landed = await send([pay()], customer)
  await advance(1)
  expect(lost).toBe(landed)
  await control('drop', 1)
  const other = await send([pay(5)], customer)
  await advance(1)
  expect((await connection.getSignatureStatuses([landed, other])).value).toMatchObject([{ err: null }, null])
})

test('a blockhash is valid for exactly 150 blocks', async () => {
  const { connection, customer, sign, advance } = solana
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('processed')
  expect(lastValidBlockHeight - (await connection.getBlockHeight('processed'))).toBe(150)
  const transaction = await sign([pay()], customer)
  expect(transaction.recentBlockhash).toBe(blockhash)
  await advance(149)
  expect((await connection.isBlockhashValid(blockhash, { commitment: 'processed' })).value).toBe(true)
  const signature = await connection.sendRawTransaction(transaction.serialize())
  expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull()
  expect(await connection.getBlockHeight('processed')).toBe(lastValidBlockHeight)
  expect((await connection.isBlockhashValid(blockhash, { commitment: 'processed' })).value).toBe(false)
})

test('a transaction that waits too long expires', async () => {
  const { connection, customer, sign, control } = solana
  const transaction = await sign([pay()], customer)
  await control('expireBlockhashes')
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('Blockhash not found')
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  expect((await connection.getSignatureStatus(signature)).value).toBeNull()
})

test('a lagging node returns older blocks, reports its lag, and has nothing newer', async () => {
  const { connection, customer, send, advance, control, rpcUrl } = solana
  const signature = await send([pay()], customer)
  const newest = await advance(2)
  await control('lag', 3)
  expect(await connection.getSlot('processed')).toBe(newest - 3)
  expect(await connection.getBalance(to, 'processed')).toBe(0)
  expect((await connection.getSignatureStatus(signature)).value).toBeNull()
  await expect(connection.getAccountInfo(to, { minContextSlot: newest })).rejects.toThrow('Minimum context slot')
  const health = await fetch(rpcUrl, { method: 'POST', body: '{"id":1,"method":"getHealth"}' })
  expect(await health.json()).toMatchObject({ error: { message: 'Node is behind by 3 slots' } })
  await control('lag', 0)
  expect(await connection.getBalance(to, 'processed')).toBe(LAMPORTS_PER_SOL)
})

test('held transactions land together, in the order of arrival', async () => {
  const { connection, customer, send, advance, control } = solana
  await control('hold', true)
  const first = await send([pay(1_000_000)], customer)
  const second = await send([pay(1_000_001)], customer)
  expect((await connection.getSignatureStatuses([first, second])).value).toEqual([null, null])
  const slot = await advance(1)
  await advance(1)
  const block = await connection.getBlockSignatures(slot)
  expect(block.signatures).toEqual([first, second])
})

test('the clock can be advanced, and blocks show it', async () => {
  const { connection, control, advance } = solana
  const slot = Number(await control('travel', 3_600))
  await advance(1)
  const ahead = Number(await connection.getBlockTime(slot)) - Date.now() / 1_000
  expect(ahead).toBeGreaterThan(3_500)
})

test('lookup table addresses are resolved', async () => {
  const { connection, customer, send, advance } = solana
  const recentSlot = (await connection.getSlot('processed')) - 1
  const { publicKey } = customer
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: publicKey,
    payer: publicKey,
    recentSlot,
  })
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: publicKey,
    payer: publicKey,
    addresses: [to],
  })
  await send([create, extend], customer)
  await advance(1)
  const found = await connection.getAddressLookupTable(table, { commitment: 'processed' })
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const message = new TransactionMessage({ payerKey: publicKey, recentBlockhash: blockhash, instructions: [pay()] })
  const transaction = new VersionedTransaction(message.compileToV0Message(found.value ? [found.value] : []))
  transaction.sign([customer])
  const signature = await connection.sendTransaction(transaction)
  await advance(1)

  await expect(connection.getTransaction(signature)).rejects.toThrow('maxSupportedTransactionVersion')
  const seen = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(seen?.meta?.loadedAddresses).toEqual({ writable: [to], readonly: [] })
  expect(seen?.meta?.postBalances.at(-1)).toBe(LAMPORTS_PER_SOL)
  expect((await connection.getSignaturesForAddress(to)).map((one) => one.signature)).toContain(signature)
})

test('a killed node restarts with its whole chain, including forks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'solana-node-'))
  const journalPath = join(folder, 'journal.jsonl')
  const first = await openSolana({ journalPath })
  const { customer, connection } = first
  const payer = customer.publicKey
  const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: 9_000_000 })
  const gone = await first.send([transfer], customer)
  await first.control('fork', 1)
  const signature = await first.send(
    [SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: 8_000_000 })],
    customer,
  )
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const slot = await connection.getSlot('processed')
  const balance = await connection.getBalance(payer, 'processed')
  await first.stop()

  const again = await serveSolana({ slotMs: null, depths: { confirmed: 1, finalized: 4 }, journalPath })
  try {
    const reader = new Connection(again.rpcUrl)
    expect(await reader.getSlot('processed')).toBe(slot)
    expect((await reader.getLatestBlockhash('processed')).blockhash).toBe(blockhash)
    expect(await reader.getBalance(payer, 'processed')).toBe(balance)
    expect(await reader.getBalance(to, 'processed')).toBe(8_000_000)
    expect((await reader.getSignatureStatuses([gone, signature])).value).toMatchObject([null, { err: null }])
  } finally {
    await again.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a node with its own clock makes blocks automatically', async () => {
  const ticking = await serveSolana({ slotMs: 20, depths: { confirmed: 1, finalized: 4 } })
  try {
    await expect
      .poll(async () => {
        const answer = await fetch(ticking.rpcUrl, { method: 'POST', body: '{"id":1,"method":"getSlot"}' })
        return ((await answer.json()) as { result: number }).result
      })
      .toBeGreaterThan(3)
  } finally {
    await ticking.stop()
  }
})
