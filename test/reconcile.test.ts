import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transaction } from '@solana/web3.js'
import { SQLite } from '@stablecoin-checkout/bff/testing/db'
import { encodeSettleMany, parseDepositTerms } from '@stablecoin-checkout/bff/testing/evm'
import { type Hex, parseEther } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Books, expectBooksToClose, readBooks } from './harness/books.ts'
import { succeeded } from './harness/chain.ts'
import { openPayer } from './harness/payer.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('reconcile', { solana: true })
const { bff, chain, files, folder, devnet, sweep } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const payer = openPayer(story)
const onSolana = { network: 'solana-devnet' }
const customer = `0x${'c0ffee'.padStart(40, '0')}`

/** A transaction that no chain has. */
const invented = `0x${'ab'.repeat(32)}`

/** Ids of the payments that the books are about. */
const ids = { swept: '', refunded: '', short: '', returned: '', split: '', external: '', onSolana: '', wallet: '' }

/** Anyone may settle a deposit whose money is there: the customer does, before the service. */
async function settleAsStranger(id: string): Promise<void> {
  const [row] = await bff.query<{ terms: string }>('select deposit_terms as terms from payments where id = ?', id)
  const terms = parseDepositTerms(row?.terms ?? '')
  await chain.call(terms.factory, encodeSettleMany([terms]))
}

const unmatchedOf = async (id: string) => (await bff.read(id))['unmatched'] as { refund: { state: string } }[]

async function payByWallet(id: string): Promise<void> {
  const { body } = await bff.ask(`/api/v1/payments/solana-pay/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: devnet.solana.customer.address }),
  })
  const transaction = Transaction.from(Buffer.from(String(body['transaction']), 'base64'))
  transaction.partialSign(solana?.chain.payer as never)
  await solana?.chain.connection.sendRawTransaction(transaction.serialize())
}

/** Makes blocks of Solana until there is to be seen what is waited for. */
const onward = (what: string, isTrue: () => Promise<boolean>) =>
  until(what, async () => (await isTrue()) || (await solana?.chain.advance(2).then(() => false)))

/** Money comes by every way, and goes to everybody whom it can go to. */
async function play(): Promise<void> {
  const [swept, refunded, short, returned, external] = [
    await bff.createDeposit({ amount: '25.00', orderId: 'swept' }),
    await bff.createDeposit({ amount: '10.00', orderId: 'refunded' }),
    await bff.createDeposit({ amount: '25.00', orderId: 'short' }),
    await bff.createDeposit({ amount: '25.00', orderId: 'returned' }),
    await bff.createDeposit({ amount: '7.00', orderId: 'external' }),
  ]
  // A stranger is faster than the service: the deposit is settled in the block after its transfer.
  await chain.pay(external.depositAddress, '7.00')
  await settleAsStranger(external.id)
  await chain.payTogether([
    { to: swept.depositAddress, amount: '25.00' },
    { to: refunded.depositAddress, amount: '12.00' },
    { to: short.depositAddress, amount: '4.000001' },
  ])
  await chain.pay(returned.depositAddress, '3.00', { token: 'USDT' })
  const { wallet, reader } = chain.node()
  const coins = { to: returned.depositAddress as Hex, value: parseEther('0.5') }
  await succeeded(reader, await wallet.sendTransaction(coins))
  const split = await bff.createPayment({ amount: '20.00' })
  await payer.pay(split.contractCall)
  await chain.mine(3)
  await sweep([swept, refunded, external])
  await bff.shows(refunded.id, { refund: { state: 'address_needed' } })
  await bff.requestRefund(refunded.id, { address: customer })
  await until('the unmatched transfers', async () => (await unmatchedOf(returned.id)).length === 2)
  await bff.requestRefund(returned.id, { address: customer })
  const hasAll = async () =>
    (await chain.balance('USDC', customer)) === 2_000_000n &&
    (await chain.balance('USDT', customer)) === 3_000_000n &&
    (await reader.getBalance({ address: customer as Hex })) === coins.value
  await until('the refund and the returns to be there', hasAll)
  await chain.mine(3)
  const isOver = async () => (await unmatchedOf(returned.id)).every(({ refund }) => refund.state === 'refunded')
  await until('the returns to be final', isOver)
  await bff.shows(refunded.id, { refund: { state: 'refunded' } })
  await chain.pay(swept.depositAddress, '1.00', { token: 'USDT', network: 'devnet-b' })
  await chain.mine(3, 'devnet-b')

  const deposit = await bff.createDeposit({ amount: '25.00', ...onSolana, orderId: 'on-solana' })
  await solana?.chain.pay(deposit.depositAddress, '26.00')
  await onward('the deposit on Solana', async () => (await bff.read(deposit.id))['status'] === 'swept')
  const byWallet = await bff.createPayment({ amount: '2.00', ...onSolana })
  await payByWallet(byWallet.id)
  await onward('the wallet payment', async () => (await bff.read(byWallet.id))['status'] === 'completed')
  await until('the unmatched transfer', async () => (await unmatchedOf(swept.id)).length === 1)
  Object.assign(ids, {
    swept: swept.id,
    refunded: refunded.id,
    short: short.id,
    returned: returned.id,
    split: split.id,
    external: external.id,
    onSolana: deposit.id,
    wallet: byWallet.id,
  })
}

const networkOf = (books: Books | undefined, name: string) => books?.networks.find(({ network }) => network === name)
const line = (books: Books | undefined, name: string, symbol: string) =>
  networkOf(books, name)?.statement.find((one) => one['symbol'] === symbol)

test('beside the running service, every unit is a payment, a fee, a refund, a return, unmatched or still there', async () => {
  await play()
  const books = await expectBooksToClose(story)
  // 25 + 10 + 7 + 20 were due, of which 1.5 % are the fee. 2 too much went back, 4.000001 wait for the rest.
  expect(line(books, 'devnet', 'USDC')).toMatchObject({
    opening: '0',
    came: '68000001',
    merchant: '61070000',
    fee: '930000',
    refunded: '2000000',
    returned: '0',
    closing: '4000001',
    unexplained: '0',
    holding: { onItsWay: '0', unmatched: '0', stillThere: '4000001' },
  })
  expect(line(books, 'devnet', 'USDT')).toMatchObject({ came: '3000000', returned: '3000000', closing: '0' })
  const half = String(parseEther('0.5'))
  expect(line(books, 'devnet', 'ETH')).toMatchObject({ came: half, returned: half, closing: '0' })
  expect(line(books, 'devnet-b', 'USDT')).toMatchObject({ came: '1000000', holding: { unmatched: '1000000' } })
  expect(line(books, 'solana-devnet', 'USDC')).toMatchObject({
    came: '28000000',
    merchant: '26595000',
    fee: '405000',
    closing: '1000000',
    holding: { stillThere: '1000000' },
  })
  expect(networkOf(books, 'devnet')?.notes).toMatchObject([{ code: 'external_settlement', paymentId: ids.external }])
})

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** The months in which money moved on the devnet, by the clock of its blocks: two where one ended while the story was played. */
async function playedMonths(): Promise<string[]> {
  const text = 'select min(block_time_ms) as ms from transfers where network = ?'
  const [first] = await bff.query<{ ms: number }>(text, 'devnet')
  const { timestamp } = await chain.node().reader.getBlock()
  return [...new Set([monthOf(Number(first?.ms)), monthOf(Number(timestamp) * 1000)])]
}

test('a statement of a month has what moved in it, and one of a block what had moved by then', async () => {
  const months = await playedMonths()
  const [year, month] = (months.at(-1) ?? '').split('-').map(Number) as [number, number]
  // Counted from 0, the month's own number is the one after it.
  months.push(monthOf(Date.UTC(year, month)))
  const statements: Record<string, unknown>[] = []
  for (const one of months) {
    const { books } = await readBooks(story, ['--month', one, '--network', 'devnet'])
    statements.push(line(books, 'devnet', 'USDC') ?? {})
  }
  const sum = statements.reduce((came, statement) => came + BigInt(String(statement['came'])), 0n)
  expect(sum).toBe(68_000_001n)
  expect(statements.map(({ opening }) => opening)).toEqual([
    '0',
    ...statements.slice(0, -1).map(({ closing }) => closing),
  ])
  expect(statements[0]).toMatchObject({ holding: null })
  expect(statements.at(-1)).toMatchObject({ opening: '4000001', came: '0', closing: '4000001' })

  const [paid] = await bff.query<{ block: number }>(
    'select block_number as block from transfers where payment_id = ?',
    ids.swept,
  )
  const at = async (block: number) =>
    line((await readBooks(story, ['--network', 'devnet', '--block', String(block)])).books, 'devnet', 'USDC')
  // The stranger's settlement was there before, and the three other deposits came in this block.
  expect(await at(paid?.block ?? 0)).toMatchObject({ came: '48000001', merchant: '6895000', closing: '41000001' })
  expect(await at((paid?.block ?? 0) - 1)).toMatchObject({ came: '7000000', merchant: '6895000', closing: '0' })
})

test('what cannot be read is never called clean', async () => {
  const config = JSON.parse(readFileSync(files.configPath, 'utf8')) as { networks: { rpcUrls: string[] }[] }
  for (const network of config.networks.slice(0, 1)) network.rpcUrls = ['http://127.0.0.1:9/']
  const path = join(folder, 'dead-node.json')
  writeFileSync(path, JSON.stringify(config))
  const dead = await readBooks(story, [], { BFF_CONFIG: path })
  expect(dead).toMatchObject({ exitCode: 4, books: { isClean: false, unread: [{ network: 'devnet' }] } })
  expect(JSON.stringify(dead.books)).not.toContain('127.0.0.1:9')
  expect(await readBooks(story, ['--network', 'nowhere'])).toMatchObject({ exitCode: 2 })
  expect(await readBooks(story, ['--network', 'devnet', '--block', '99999999'])).toMatchObject({ exitCode: 4 })
  expect(await readBooks(story, ['--month', '2026-13'])).toMatchObject({ exitCode: 2 })
  writeFileSync(path, JSON.stringify({ ...config, networks: config.networks.slice(1) }))
  expect(await readBooks(story, [], { BFF_CONFIG: path })).toMatchObject({
    exitCode: 4,
    books: { unread: [{ network: 'devnet', reason: 'it has payments, but is not configured' }] },
  })
})

type Planted = {
  error: string
  /** In which the parameter is the payment's id. */
  changes: string[]
  payment: keyof typeof ids
  finds: { code: string; txId?: string | null }[]
}

const copyOfTransfer = (columns: string) =>
  `insert into transfers select network, ${columns}, block_time_ms, state, is_late from transfers where payment_id = ?`

/** Errors of the books; the chain stays as it is. `txId` undefined: the one of the payment's own transfer. */
const planted: Planted[] = [
  {
    error: 'a received amount that was changed by hand',
    changes: ["update payments set received = '25000001' where id = ?"],
    payment: 'swept',
    finds: [{ code: 'sum_differs', txId: null }],
  },
  {
    error: 'a payment that was credited twice',
    changes: [
      copyOfTransfer('tx_id, log_index + 1000, payment_id, payer, amount, block_number, block_hash'),
      "update payments set received = '50000000', seen = '50000000' where id = ?",
    ],
    payment: 'swept',
    finds: [{ code: 'transfer_not_on_chain' }],
  },
  {
    error: 'a transfer that a lying node invented',
    changes: [
      copyOfTransfer(`'${invented}', 0, payment_id, payer, '21000000', block_number, block_hash`),
      "update payments set received = '25000001', seen = '25000001', status = 'sweeping', sweep = 'queued' where id = ?",
      `insert into payouts (payment_id, kind, network, token, state, due_at_ms)
       select id, 'sweep', network, token_address, 'queued', 0 from payments where id = ?`,
    ],
    payment: 'short',
    finds: [{ code: 'transfer_not_on_chain', txId: invented }],
  },
  {
    error: 'a transfer that the books have lost',
    changes: [
      'delete from transfers where payment_id = ?',
      "update payments set received = '0', seen = '0' where id = ?",
    ],
    payment: 'short',
    finds: [{ code: 'transfer_not_in_books' }],
  },
  {
    error: 'a wallet payment that the books have lost',
    changes: [
      'delete from transfers where payment_id = ?',
      "update payments set received = '0', seen = '0', status = 'pending' where id = ?",
    ],
    payment: 'split',
    finds: [{ code: 'transfer_not_in_books' }],
  },
  {
    error: 'a status that was changed by hand',
    changes: ["update payments set status = 'expired' where id = ?"],
    payment: 'swept',
    finds: [{ code: 'status_differs', txId: null }],
  },
  {
    error: 'a sweep that was never stored',
    changes: [
      'delete from outgoing_payouts where payment_id = ?',
      "update payments set sweep = 'queued', status = 'sweeping', sweep_tx_id = null where id = ?",
    ],
    payment: 'swept',
    finds: [{ code: 'sweep_not_in_books', txId: 'sweep' }],
  },
  {
    error: 'a stored sweep that the chain does not have',
    changes: [`update payments set sweep = 'confirmed', status = 'swept', sweep_tx_id = '${invented}' where id = ?`],
    payment: 'short',
    finds: [{ code: 'sweep_not_on_chain', txId: invented }],
  },
  {
    error: 'a sweep that is booked under another transaction',
    changes: [`update payments set sweep_tx_id = '${invented}' where id = ?`],
    payment: 'external',
    finds: [{ code: 'payout_differs', txId: 'sweep' }],
  },
  {
    error: 'a refund whose sum was changed by hand',
    changes: ["update payments set refunded = '1000000' where id = ?"],
    payment: 'refunded',
    finds: [{ code: 'sum_differs', txId: null }],
  },
  {
    error: 'a refund whose rows were changed by hand',
    changes: [
      "update payments set refunded = '1000000' where id = ?",
      "update outgoing_payouts set amount = '1000000' where kind = 'refund' and payment_id = ?",
    ],
    payment: 'refunded',
    finds: [{ code: 'payout_differs', txId: 'refund' }],
  },
  {
    error: 'a refund that the books have lost',
    changes: [
      "update payments set refunded = '0' where id = ?",
      "delete from outgoing_payouts where kind = 'refund' and payment_id = ?",
    ],
    payment: 'refunded',
    finds: [{ code: 'refund_not_in_books', txId: 'refund' }],
  },
  {
    error: 'an unmatched transfer that the books have lost',
    changes: ["update unmatched_transfers set held = '0' where payment_id = ?"],
    payment: 'swept',
    finds: [{ code: 'unmatched_differs', txId: 'unmatched' }],
  },
  {
    error: 'a transfer on Solana that the books have lost',
    changes: [
      'delete from transfers where payment_id = ?',
      "update payments set received = '0', seen = '0' where id = ?",
    ],
    payment: 'onSolana',
    finds: [{ code: 'transfer_not_in_books' }],
  },
  {
    error: 'a transfer on Solana that no chain has',
    changes: [
      copyOfTransfer(`'${'5'.repeat(88)}', 3, payment_id, payer, '1', block_number, block_hash`),
      "update payments set received = '26000001', seen = '26000001' where id = ?",
    ],
    payment: 'onSolana',
    finds: [{ code: 'transfer_not_on_chain', txId: '5'.repeat(88) }],
  },
  {
    error: 'a sweep on Solana that the books have lost',
    changes: ["update payments set sweep = 'none', status = 'sweeping', sweep_tx_id = null where id = ?"],
    payment: 'onSolana',
    finds: [{ code: 'sweep_not_in_books', txId: 'sweep' }],
  },
  {
    error: 'a wallet payment on Solana that the books have lost',
    changes: [
      'delete from transfers where payment_id = ?',
      "update payments set received = '0', seen = '0', status = 'pending' where id = ?",
    ],
    payment: 'wallet',
    finds: [{ code: 'transfer_not_in_books' }],
  },
]

/** The transaction that a finding is to name, as the untouched books have it. */
async function transactionOf(id: string, txId: string | null | undefined): Promise<string | null | undefined> {
  const one = async (text: string) => (await bff.query<{ txId: string }>(text, id))[0]?.txId
  switch (txId) {
    case undefined:
      return one('select tx_id as "txId" from transfers where payment_id = ?')
    case 'sweep':
      return one('select sweep_tx_id as "txId" from payments where id = ?')
    case 'refund':
      return one('select refund_tx_id as "txId" from payments where id = ?')
    case 'unmatched':
      return one('select tx_id as "txId" from unmatched_transfers where payment_id = ?')
    default:
      return txId
  }
}

describe.concurrent('of books that were changed', () => {
  beforeAll(async () => {
    await bff.stop()
  })
  for (const [place, { error, changes, payment, finds }] of planted.entries()) {
    test(`it finds ${error}, and exits with 1`, async () => {
      const id = ids[payment]
      const path = join(folder, `planted-${place}.sqlite`)
      copyFileSync(files.databasePath, path)
      const db = new SQLite(path)
      for (const change of changes) expect(db.prepare(change).run(id).changes).toBeGreaterThan(0)
      db.close()
      const { exitCode, books } = await readBooks(story, [], { DATABASE_PATH: path })
      const found = books?.networks.flatMap(({ differences }) => differences) ?? []
      const expected = await Promise.all(
        finds.map(async ({ code, txId }) => ({ code, txId: await transactionOf(id, txId), paymentId: id })),
      )
      expect(found).toMatchObject(expected)
      expect(found).toHaveLength(expected.length)
      expect(exitCode).toBe(1)
    })
  }
})
