import { expect } from '@open-wc/testing'
import { authorization } from '../../test/contract.ts'
import { paymentId } from '../../test/service.ts'
import { turnOfPage, waitUntil } from '../../test/wait-until.ts'
import { paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const connect = 'eth_requestAccounts'
const send = 'eth_sendTransaction'
const sign = 'eth_signTypedData_v4'

/** As a framework does: removed and added in one task. */
function move(element: Element): void {
  const place = document.createElement('div')
  element.parentElement?.append(place)
  place.append(element)
}

suite('an element that is moved in its page', () => {
  test('while the wallet signs, submits the signature', async () => {
    stage.contract = { authorization: authorization() }
    stage.wallet.held.add(sign)
    const page = await stage.pay()
    await shown(page, 'The shop pays the network fee')
    move(page.element)
    stage.wallet.release()
    await shown(page, paidWords)
    expect(stage.posts('/authorize')).to.have.length(1)
  })

  test('and is back before the wallet has signed, submits the signature', async () => {
    stage.contract = { authorization: authorization() }
    stage.wallet.held.add(sign)
    const page = await stage.pay()
    await shown(page, 'The shop pays the network fee')
    const { parentElement } = page.element
    page.element.remove()
    await turnOfPage()
    parentElement?.append(page.element)
    stage.wallet.release()
    await shown(page, paidWords)
    expect(stage.posts('/authorize')).to.have.length(1)
  })

  test('and is back after the wallet has signed, asks for another signature', async () => {
    stage.contract = { authorization: authorization() }
    stage.wallet.held.add(sign)
    const page = await stage.pay()
    await shown(page, 'The shop pays the network fee')
    const { parentElement } = page.element
    page.element.remove()
    stage.wallet.release()
    await waitUntil(() => !page.element.isPaying)
    expect(stage.posts('/authorize')).to.have.length(0)
    parentElement?.append(page.element)
    await pressWhenShown(page, 'Try again')
    await shown(page, paidWords)
    expect(stage.posts('/authorize')).to.have.length(1)
  })

  for (const method of [connect, send]) {
    test(`while the wallet is asked (${method}), is paid once`, async () => {
      stage.wallet.held.add(method)
      const page = await stage.pay()
      await waitUntil(() => stage.wallet.prompts.includes(method))
      move(page.element)
      move(page.element)
      stage.wallet.release()
      await shown(page, paidWords)
      expect(stage.chain.paid).to.equal(1)
    })
  }

  test('while its payment is replaced, is paid once', async () => {
    const page = await stage.open()
    await page.press('Pay with wallet')
    stage.wallet.isConnected = true
    await shown(page, 'Fern Wallet')
    const held = stage.service.holdBack()
    await page.press('Fern Wallet')
    await waitUntil(() => stage.posts('payments/create').length === 1)
    move(page.element)
    held.answer()
    await shown(page, paidWords)
    expect(stage.chain.paid).to.equal(1)
  })

  test('polls on, with one request at a time', async () => {
    const page = await stage.open({ 'payment-id': paymentId, 'public-key': '' })
    const before = stage.service.reads.length
    move(page.element)
    await waitUntil(() => stage.service.reads.length > before)
    await turnOfPage()
    expect(stage.service.reads.length).to.equal(before + 1)
    window.dispatchEvent(new Event('focus'))
    await waitUntil(() => stage.service.reads.length === before + 2)
  })

  test('after the wallet has sent, goes on following it', async () => {
    stage.chain.isMining = false
    const page = await stage.pay({ 'payment-id': paymentId, 'public-key': '' })
    await shown(page, 'Payment sent')
    move(page.element)
    await shown(page, 'Payment sent')
    stage.chain.drop()
    await shown(page, 'Your wallet may have sent the payment')
  })

  test('and is back just when the wallet has connected, can be paid', async () => {
    for (let microtasks = 0; microtasks <= 12; microtasks++) {
      stage.strike()
      stage = new WalletStage()
      stage.wallet.held.add(connect)
      const page = await stage.pay()
      await shown(page, 'Connect in your wallet')
      const { parentElement } = page.element
      page.element.remove()
      stage.wallet.release()
      for (let count = 0; count < microtasks; count++) await Promise.resolve()
      parentElement?.append(page.element)
      const isAskedAgain = () => page.text().includes('Try again')
      await waitUntil(() => stage.chain.paid === 1 || isAskedAgain())
      if (isAskedAgain()) await page.press('Try again')
      await shown(page, paidWords)
    }
  })
})
