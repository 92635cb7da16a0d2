import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatSolanaTerms } from '../../chain/solana/facts/solana-deposit-terms.ts'
import { formatSolanaSplitTerms } from '../../chain/solana/facts/solana-split-terms.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { exportCsv } from './export-csv.ts'
import type { Selection } from './export-store.ts'

let fixture: AppFixture
let folder: string
let path: string
beforeEach(async () => {
  fixture = await openApp()
  folder = mkdtempSync(join(tmpdir(), 'checkout-export-'))
  path = join(folder, 'payments.csv')
})
afterEach(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true })
})

const everything: Selection = { merchantId: null, isTest: false, fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }

async function create(body: object = {}, headers: Record<string, string> = {}): Promise<PaymentId> {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet', ...body }
  const answer = await fixture.create(order, headers)
  expect(answer.status).toBe(200)
  return answer.body.payment['id'] as PaymentId
}

async function pay(id: PaymentId, amount: bigint): Promise<void> {
  const transfer = transferTo(id, amount)
  await fixture.deps.ledger.apply(id, { type: 'transfer.seen', transfer, atMs: fixture.nowMs() })
  await fixture.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: fixture.nowMs() })
}

/** Lines of the file as records by header; no cell in these tests contains a line break or a quoted comma. */
async function exported(selection: Partial<Selection> = {}): Promise<Record<string, string>[]> {
  rmSync(path, { force: true })
  await exportCsv(fixture.deps.db, { ...everything, ...selection }, path)
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])))
}

test('each payment is one line whose amounts add up exactly', async () => {
  const paid = await create({ amount: '33.333333', orderId: 'A-1' })
  await pay(paid, 40_000_000n)
  const open = await create({ amount: '25.00' })
  await pay(open, 1n)
  const [first, second, ...rest] = await exported()
  expect(rest).toEqual([])
  expect(first).toMatchObject({
    ...{ id: paid, orderId: 'A-1', mode: 'deposit', currency: 'USDC', outcome: 'paid', merchantName: 'Corner Coffee' },
    // 1.5 % of 33.333333, rounded down: 0.49999999 is 0.499999.
    ...{ amount: '33.333333', received: '40.00', merchantAmount: '32.833334', platformFee: '0.499999' },
    ...{ platformFeeBps: '150', owedToPayer: '6.666667', refunded: '0.00', createdAt: '2026-11-21T12:00:00.000Z' },
  })
  expect(second).toMatchObject({
    id: open,
    outcome: 'pending',
    received: '0.000001',
    merchantAmount: '0.00',
    platformFee: '0.00',
  })
})

test('no order id becomes a formula where a spreadsheet splits lines at semicolons, tabs or breaks, as in many languages', async () => {
  const orderIds = ["1;=cmd|' /C calc'!A0;2", 'a\n=1+1', 'x;＠sum', '\t+1', '=1+1', 'x;"=1+1;y']
  for (const orderId of orderIds) await create({ orderId })
  await exported()
  const cells = readFileSync(path, 'utf8').split(/[,;\t\r\n]/)
  expect(cells).toContain("'=cmd|' /C calc'!A0")
  // It reads two quotes as an empty text, and what follows as its continuation.
  expect(cells.filter((cell) => /^(?:"")?[=+\-@＝＋－＠]/.test(cell))).toEqual([])
})

test("a price is exported with its rate and the rate's time", async () => {
  await create({ amount: undefined, price: '25.5', priceCurrency: 'USD' })
  const [line] = await exported()
  const rateAt = '2026-11-21T12:00:00.000Z'
  expect(line).toMatchObject({ amount: '25.50', price: '25.50', priceCurrency: 'USD', rate: '1', rateAt })
  await create()
  expect((await exported())[1]).toMatchObject({ amount: '25.00', price: '', priceCurrency: '', rate: '', rateAt: '' })
})

test('a file contains the selection: one merchant, a period, live or test', async () => {
  const early = await create()
  fixture.advance(60_000)
  const late = await create({}, fixture.keys.stranger)
  const trial = await create({}, fixture.keys.test)
  const ids = async (selection: Partial<Selection>) => (await exported(selection)).map(({ id }) => id)
  expect(await ids({})).toEqual([early, late])
  expect(await ids({ merchantId: fixture.merchant.merchantId })).toEqual([early])
  expect(await ids({ untilMs: fixture.nowMs() })).toEqual([early])
  expect(await ids({ fromMs: fixture.nowMs() })).toEqual([late])
  expect(await ids({ isTest: true })).toEqual([trial])
})

/** Stores a payment as the service does on Solana: a deposit, or a wallet payment. */
async function createOnSolana(id: PaymentId, mode: 'deposit' | 'contract'): Promise<PaymentId> {
  const { deps } = fixture
  const like = await deps.db.read((tx) => loadPayment(tx, id))
  if (like?.mode !== 'deposit') throw new Error(`No deposit ${id}`)
  const [mint, merchant, platform] = ['5', '6', '7'].map((digit) => digit.repeat(43)) as [string, string, string]
  const terms = { genesisHash: 'cluster', mint, amount: like.due, merchant, platform, feeBps: 150, deadlineSeconds: 1 }
  const common = { ...like, id: deps.runtime.newUuid() as PaymentId, network: 'solana', tokenAddress: mint }
  const payment: Payment =
    mode === 'deposit'
      ? {
          ...common,
          depositAddress: '8'.repeat(43),
          depositTerms: formatSolanaTerms({ ...terms, least: like.due, salt: '07'.repeat(32) }),
        }
      : {
          ...common,
          ...{ mode, splitter: 'cluster', termsHash: 'reference', plainSender: null },
          splitTerms: formatSolanaSplitTerms({ ...terms, family: 'solana', decimals: 6, paymentId: common.id }),
        }
  await deps.db.write((tx) => deps.ledger.createIn(tx, payment))
  return common.id
}

test('payments of both chain families are in one file', async () => {
  const onEvm = await create({ amount: '33.333333' })
  const deposit = await createOnSolana(onEvm, 'deposit')
  const wallet = await createOnSolana(onEvm, 'contract')
  await pay(deposit, 33_333_333n)
  expect(await exported()).toMatchObject([
    { id: onEvm, network: 'devnet', platformFeeBps: '150' },
    {
      ...{ id: deposit, network: 'solana', mode: 'deposit', depositAddress: '8'.repeat(43), outcome: 'paid' },
      ...{ platformFeeBps: '150', merchantAmount: '32.833334', platformFee: '0.499999' },
    },
    { id: wallet, network: 'solana', mode: 'contract', depositAddress: '', platformFeeBps: '150' },
  ])
})

test("customers' text is neither a formula nor breaks a line", async () => {
  await create({ orderId: '=HYPERLINK("http://evil.example","x")' })
  await create({ orderId: 'a "quoted", comma' })
  await create({ orderId: '@SUM(A1)' })
  await exportCsv(fixture.deps.db, everything, path)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(`,"'=HYPERLINK(""http://evil.example"",""x"")",`)
  expect(text).toContain(',"a ""quoted"", comma",')
  expect(text).toContain(",'@SUM(A1),")
  expect(text.trimEnd().split('\r\n')).toHaveLength(4)
})

test('more payments than a page are all exported, once', async () => {
  const ids: string[] = []
  for (let index = 0; index < 1_001; index++) ids.push(await create())
  expect((await exported()).map(({ id }) => id)).toEqual(ids)
})

test('a file is readable by its owner only, and never replaces another', async () => {
  await exportCsv(fixture.deps.db, everything, path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await expect(exportCsv(fixture.deps.db, everything, path)).rejects.toThrow(`${path} already exists.`)
})
