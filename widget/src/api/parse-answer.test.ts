import { expect } from '@open-wc/testing'
import { isSameAmount, seenOf, stageOf } from '../payment.ts'
import { paid, seen, short, wireAnswer, wirePayment } from '../test/service.ts'
import { parseAnswer } from './parse-answer.ts'

const read = (over: Record<string, unknown>) => {
  const answer = parseAnswer(wireAnswer(over))
  if (!answer) throw new Error('no payment')
  return answer
}

suite('the response of the service', () => {
  test('a whole payment is parsed and unknown fields are ignored', () => {
    const { payment } = read({ ...short, somethingNew: 1 })
    expect(payment).to.include({ received: '10.00', remaining: '15.00', network: 'Devnet', merchant: 'Moss & Fern' })
  })

  test('a response without the fields needed to pay is not a payment', () => {
    for (const field of ['id', 'amount', 'currency', 'depositAddress', 'expiresAt'])
      expect(parseAnswer(wireAnswer({ [field]: null })), field).to.equal(null)
    for (const body of [null, 'text', 5, [], {}, { success: true, payment: null }])
      expect(parseAnswer(body)).to.equal(null)
    expect(parseAnswer({ ...wireAnswer(), serverTime: 'soon' })).to.equal(null)
  })

  test('an amount that is not plain decimal text is rejected', () => {
    for (const amountRemaining of [15, '1e3', '-1', '15,00', '<b>1</b>', '', null])
      expect(read({ amountRemaining }).payment.remaining).to.equal('')
  })

  test('only http and https links pass', () => {
    const links = (transaction: unknown) => read({ explorer: { transaction } }).payment.explorer.transaction
    expect(links('https://explorer.example/tx/0x1')).to.equal('https://explorer.example/tx/0x1')
    expect(links('http://127.0.0.1:4000/tx/0x1')).to.equal('http://127.0.0.1:4000/tx/0x1')
    for (const bad of ['javascript:alert(1)', ' https://a.example', 'data:text/html,x', '//a.example', 7, null])
      expect(links(bad)).to.equal('')
  })

  test('a QR code that does not match its size is not drawn', () => {
    const { size, modules } = (wirePayment()['qr'] as { address: { size: number; modules: string } }).address
    const qr = (address: unknown) => read({ qr: { address } }).payment.qr.address
    expect(qr({ size, modules })?.size).to.equal(21)
    for (const bad of [{ size: 25, modules }, { size: 22, modules }, { size, modules: '***' }, { size }, null, 'x'])
      expect(qr(bad)).to.equal(null)
  })

  test('the stage follows outcome and amounts, and unknown values wait', () => {
    const past = { expiresAt: new Date(Date.now() - 5000).toISOString() }
    expect(stageOf(read({}))).to.equal('awaiting')
    expect(stageOf(read({ status: 'completed', outcome: 'dreaming', paymentState: 'new' }))).to.equal('awaiting')
    expect(stageOf(read(short))).to.equal('underpaid')
    expect(stageOf(read({ ...short, amountReceived: null, paymentState: 'awaiting' }))).to.equal('underpaid')
    expect(stageOf(read(seen))).to.equal('confirming')
    expect(stageOf(read({ ...short, amountDetected: '25.00', amountRemaining: '0.00' }))).to.equal('confirming')
    expect(stageOf(read(paid))).to.equal('paid')
    expect(stageOf(read({ outcome: 'failed', ...past }))).to.equal('expired')
    expect(stageOf(read({ outcome: 'failed', isExpired: true }))).to.equal('expired')
    expect(stageOf(read({ outcome: 'failed' }))).to.equal('closed')
  })

  test('paid is what the service says, never what arrived', () => {
    const arrived = { amountDetected: '25.00', amountReceived: '25.00', amountRemaining: '0.00', confirmations: 3 }
    expect(stageOf(read({ ...arrived, isFinal: true }))).to.equal('confirming')
    expect(stageOf(read({ ...arrived, outcome: 'failed' }))).to.equal('closed')
    expect(stageOf(read({ ...arrived, status: 'completed', paymentState: 'completed' }))).to.equal('confirming')
  })

  test('a payment has ended by the service’s clock, whatever the page’s says', () => {
    const stageAt = (serverTime: string, expiresAt: string) => {
      const answer = parseAnswer(wireAnswer({ outcome: 'failed', expiresAt }, serverTime))
      return answer && stageOf(answer)
    }
    for (const day of ['2001-01-01', '2101-01-01']) {
      expect(stageAt(`${day}T11:59:59.999Z`, `${day}T12:00:00.000Z`)).to.equal('closed')
      expect(stageAt(`${day}T12:00:00.000Z`, `${day}T12:00:00.000Z`)).to.equal('expired')
    }
  })

  test('money counts as seen before it is confirmed', () => {
    expect(seenOf(read({ amountReceived: '10.00', amountDetected: '25.00' }).payment)).to.equal('25.00')
    expect(seenOf(read({ amountReceived: '10.00', amountDetected: '0.00' }).payment)).to.equal('10.00')
    expect(seenOf(read({ amountReceived: null, amountDetected: '0.00' }).payment)).to.equal('')
  })

  test('amounts compare equal regardless of trailing zeros, without rounding', () => {
    for (const other of ['25', '25.0', '25.000']) expect(isSameAmount('25.00', other), other).to.equal(true)
    for (const other of ['250', '2.5', '25.000000000000000001', '025.1'])
      expect(isSameAmount('25.00', other), other).to.equal(false)
    expect(isSameAmount('100', '1')).to.equal(false)
  })
})
