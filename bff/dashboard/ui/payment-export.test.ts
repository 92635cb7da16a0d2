import { expect, test, vi } from 'vitest'
import type { FoundPayments } from '../../src/api-types.ts'

vi.stubGlobal('localStorage', { getItem: () => null })
const { csvOf, exportMax, readForExport } = await import('./payment-export.ts')

type FoundPayment = FoundPayments['payments'][number]

const payment = (fields: Partial<FoundPayment> = {}) =>
  ({ paymentId: 'p', orderId: 'o', isTest: false, ...fields }) as FoundPayment

test('an export reads every page of the same filter, and ends at its bound', async () => {
  const asked: unknown[] = []
  const pages = async (query: { after?: unknown }) => {
    asked.push(query)
    const next = query.after === null ? '1.1' : query.after === '1.1' ? '2.2' : null
    return { success: true as const, payments: [payment()], next, isCut: false }
  }
  const all = await readForExport({ kind: 'late', search: 'x' }, pages)
  expect(asked).toEqual([null, '1.1', '2.2'].map((after) => ({ kind: 'late', search: 'x', after, limit: 100 })))
  expect([all.payments.length, all.isCut]).toEqual([3, false])
  let requests = 0
  const endless = await readForExport({}, async () => {
    requests++
    return { success: true, payments: Array.from({ length: 100 }, () => payment()), next: '1.1', isCut: false }
  })
  expect([endless.payments.length, endless.isCut, requests]).toEqual([exportMax, true, 50])
})

test('a CSV has one line for each payment, quotes what must be quoted, and no cell that a spreadsheet runs', () => {
  const [head = '', first, second, third] = csvOf([
    payment({ orderId: '=HYPERLINK("x")', customerEmail: '+1@x.example', amount: '5.00' }),
    payment({ orderId: 'a, "b"\n', attention: null }),
    payment({ orderId: '＝1+1' }),
  ]).split('\r\n')
  expect(head).toMatch(/^\ufeffpaymentId,orderId,createdAt,/)
  expect(first).toMatch(/^p,"'=HYPERLINK\(""x""\)",/)
  expect(first).toContain(",'+1@x.example,")
  expect(second).toMatch(/^p,"a, ""b""\n",/)
  expect(third).toMatch(/^p,'＝1\+1,/)
})

test('no cell is run either by a spreadsheet that splits lines at semicolons, tabs or breaks, as in many languages', () => {
  const orderIds = ["1;=cmd|' /C calc'!A0;2", 'a, b\n=1+1', 'x;＠sum', '\t=1+1', 'a;b-c;-', 'x;"=1+1;y']
  const cells = csvOf(orderIds.map((orderId) => payment({ orderId }))).split(/[;\t\r\n]/)
  expect(cells).toContain("'=cmd|' /C calc'!A0")
  // It reads two quotes as an empty text, and what follows as its continuation.
  expect(cells.filter((cell) => /^(?:"")?[=+\-@＝＋－＠]/.test(cell))).toEqual([])
})
