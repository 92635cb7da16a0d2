import { expect } from '@open-wc/testing'
import { RpcError } from '../../test/chain.ts'
import { contractId } from '../../test/contract.ts'
import { RecordedTimers } from '../../test/recorded-timers.ts'
import { paymentId, seen } from '../../test/service.ts'
import { turnOfPage, waitUntil } from '../../test/wait-until.ts'
import { laterId, paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'
import { timing } from '../../timing.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const connect = 'eth_requestAccounts'
const send = 'eth_sendTransaction'

suite('an amount that the page changes while the wallet is asked', () => {
  test('is asked for once the customer has declined the earlier one', async () => {
    stage.refusal = { status: 400, body: { code: 'NOT_SUPPORTED', message: 'No splitter.' } }
    stage.wallet.held.add(connect)
    stage.wallet.faults.push({ method: connect, error: new RpcError(4001, 'no') })
    const page = await stage.pay()
    await shown(page, 'Connect in your wallet')
    const { more } = stage.service
    stage.service.more = (method, path, body) => {
      if (path === 'deposits/create' && body['amount'] === '30.00')
        stage.service.payment = { ...stage.service.payment, id: laterId, amount: '30.00', amountRemaining: '30.00' }
      return more(method, path, body)
    }
    page.element.setAttribute('amount', '30.00')
    await page.element.updateComplete
    expect(page.text('[part=amount]')).to.equal('25.00 USDC')
    stage.wallet.release()
    await waitUntil(() => page.text('[part=amount]') === '30.00 USDC')
    expect(stage.posts('deposits/create').at(-1)?.body['amount']).to.equal('30.00')
  })

  test('does not replace the payment that the wallet has made', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
    await shown(page, 'Pay 25.00 USDC in your wallet')
    page.element.setAttribute('payment-id', laterId)
    await page.element.updateComplete
    stage.wallet.release()
    await shown(page, paidWords)
    expect(page.element.payment?.id).to.equal(paymentId)
  })

  test('does not replace the payment whose money is not confirmed yet', async () => {
    stage.wallet.held.add(send)
    stage.chain.onPaid = () => {
      stage.service.payment = { ...stage.service.payment, ...seen }
    }
    const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
    await shown(page, 'Pay 25.00 USDC in your wallet')
    page.element.setAttribute('payment-id', laterId)
    await page.element.updateComplete
    stage.wallet.release()
    await page.pollUntilShown('Payment detected')
    await page.element.updateComplete
    expect(page.element.payment?.id).to.equal(paymentId)
  })

  test('is dropped alone: what the page sets when the payment is paid is followed', async () => {
    stage.wallet.held.add(send)
    const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
    await shown(page, 'Pay 25.00 USDC in your wallet')
    page.element.setAttribute('payment-id', contractId)
    await page.element.updateComplete
    page.element.addEventListener('sc-paid', () => {
      stage.service.payment = {
        ...stage.service.payment,
        id: laterId,
        amountRemaining: '25.00',
        outcome: 'pending',
        isFinal: false,
      }
      page.element.setAttribute('payment-id', laterId)
    })
    stage.wallet.release()
    await waitUntil(() => page.element.payment?.id === laterId)
  })
})

test('an element that is removed while the wallet connects asks for nothing more, and goes on when it is back', async () => {
  stage.wallet.held.add(connect)
  const page = await stage.pay()
  await shown(page, 'Connect in your wallet')
  const { parentElement } = page.element
  page.element.remove()
  stage.wallet.release()
  await waitUntil(() => !page.element.isPaying)
  expect(stage.wallet.prompts).to.deep.equal([connect])
  expect(stage.posts('payments/create')).to.deep.equal([])
  parentElement?.append(page.element)
  await pressWhenShown(page, 'Try again')
  await shown(page, paidWords)
})

test('an element that is removed while the wallet asks for the payment forgets it once the customer declines', async () => {
  stage.wallet.held.add(send)
  stage.wallet.faults.push({ method: send, error: new RpcError(4001, 'no') })
  const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
  await shown(page, 'Pay 25.00 USDC in your wallet')
  const { parentElement } = page.element
  page.element.remove()
  stage.wallet.release()
  await waitUntil(() => !page.element.isPaying)
  parentElement?.append(page.element)
  await pressWhenShown(page, 'Try again')
  await shown(page, paidWords)
})

test('an element that is removed while its payment is replaced shows the replacement when it is back', async () => {
  const page = await stage.open()
  await page.press('Pay with wallet')
  stage.wallet.isConnected = true
  await shown(page, 'Fern Wallet')
  const held = stage.service.holdBack()
  await page.press('Fern Wallet')
  await waitUntil(() => stage.posts('payments/create').length === 1)
  const { parentElement } = page.element
  page.element.remove()
  held.answer()
  await waitUntil(() => !page.element.isPaying)
  parentElement?.append(page.element)
  await pressWhenShown(page, 'Try again')
  await shown(page, paidWords)
  expect(stage.chain.paid).to.equal(1)
})

test('an element that is removed while the customer returns to the address polls no more, and another one goes on with that payment', async () => {
  stage.wallet.faults.push({ method: send, error: new RpcError(4001, 'no') })
  const page = await stage.pay()
  await shown(page, 'Not confirmed')
  const held = stage.service.holdBack()
  await page.press('Pay to an address instead')
  page.element.remove()
  held.answer()
  await waitUntil(() => page.element.payment?.id === laterId)
  const asked = stage.service.asked.length
  window.dispatchEvent(new Event('focus'))
  await turnOfPage()
  expect(stage.service.asked.length).to.equal(asked)
  const again = await page.reload()
  expect(again.element.payment?.id).to.equal(laterId)
  expect(stage.posts('deposits/create'), 'the first, and the one in place of the wallet’s').to.have.length(2)
})

test('an element that is removed after the wallet has sent asks its node no more, and goes on when it is back', async () => {
  const { pollMs } = timing
  timing.pollMs = 23
  const timers = new RecordedTimers()
  try {
    stage.chain.isMining = false
    const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
    await shown(page, 'Payment sent')
    await waitUntil(() => timers.waitsMs.includes(timing.pollMs))
    const { parentElement } = page.element
    page.element.remove()
    timers.run(timing.pollMs)
    await turnOfPage()
    expect(timers.waitsMs).not.to.include(timing.pollMs)
    parentElement?.append(page.element)
    stage.chain.drop()
    await shown(page, 'Your wallet may have sent the payment')
  } finally {
    timers.restore()
    timing.pollMs = pollMs
  }
})

test('a payment that a wallet is asked for is not replaced by `restart()`', async () => {
  stage.wallet.held.add(send)
  const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
  await shown(page, 'Pay 25.00 USDC in your wallet')
  page.element.restart()
  await page.element.updateComplete
  expect(page.text()).to.include('Pay 25.00 USDC in your wallet')
  stage.wallet.release()
  await shown(page, paidWords)
})

test('the price above the amount is that of the payment that a wallet is asked for, not the one that the page sets meanwhile', async () => {
  const priced = { price: '25.00', priceCurrency: 'EUR' }
  Object.assign(stage.service.payment, priced)
  stage.contract = priced
  stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
  stage.wallet.held.add(send)
  const page = await stage.pay({ amount: '', price: '25.00', 'price-currency': 'EUR' })
  await shown(page, 'Pay 25.00 USDC in your wallet')
  page.element.price = '30.00'
  await page.element.updateComplete
  expect(page.text()).to.include('€25.00').and.not.to.include('€30.00')
})
