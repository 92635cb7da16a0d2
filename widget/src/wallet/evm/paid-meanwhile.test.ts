import { expect } from '@open-wc/testing'
import { authorization } from '../../test/contract.ts'
import { paymentId, seen, short } from '../../test/service.ts'
import { turnOfPage, waitUntil } from '../../test/wait-until.ts'
import { paidWords, pressWhenShown, shown, WalletStage } from '../../test/wallet-stage.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const connect = 'eth_requestAccounts'
const sign = 'eth_signTypedData_v4'
const switchChain = 'wallet_switchEthereumChain'

suite('a deposit that is paid by its QR code while the wallet is asked', () => {
  const ofServer = { 'payment-id': paymentId, 'public-key': '' }
  const ofPage = {}

  for (const [made, attributes] of [
    ['by the shop’s server', ofServer],
    ['by the page', ofPage],
  ] as const) {
    test(`to connect is not paid again, if created ${made}`, async () => {
      stage.wallet.held.add(connect)
      const page = await stage.pay(attributes)
      await shown(page, 'Connect in your wallet')
      const { payment } = stage.service
      stage.service.payment = { ...payment, ...seen }
      await page.pollUntilShown('Payment detected')
      const before = stage.service.reads.length
      stage.wallet.release()
      await waitUntil(() => stage.service.reads.slice(before).some(({ cache }) => cache === 'reload'))
      await shown(page, 'Payment detected')
      // Its block was replaced: what became of the wallet’s request is on screen again.
      stage.service.payment = payment
      await page.pollUntilShown('The payment on screen has changed')
      expect(stage.wallet.prompts).to.deep.equal([connect])
      await page.press('Try again')
      await shown(page, paidWords)
    })
  }

  test('in part, to switch the network, is not paid above the rest', async () => {
    stage.wallet.chain = 1
    stage.wallet.held.add(switchChain)
    const page = await stage.pay(ofServer)
    await shown(page, 'Switch to Devnet in your wallet')
    stage.service.payment = { ...stage.service.payment, ...short }
    await page.pollUntilShown('15.00')
    stage.wallet.release()
    await shown(page, 'The payment on screen has changed')
    expect(stage.wallet.prompts).to.deep.equal([connect, switchChain])
    await page.press('Try again')
    await shown(page, paidWords)
    expect(stage.chain.received).to.equal(15_000_000n)
  })

  test('while it signs is not paid again: the signature is discarded', async () => {
    stage.contract = { authorization: authorization() }
    const until = new Date(Math.floor(Date.now() / 1000 + 900) * 1000).toISOString()
    const offered = authorization({}, 'TransferWithAuthorization', until)
    Object.assign(stage.service.payment, { expiresAt: until, authorization: offered })
    stage.wallet.held.add(sign)
    const page = await stage.pay(ofServer)
    await shown(page, 'The shop pays the network fee')
    const { payment } = stage.service
    stage.service.payment = { ...payment, ...seen }
    await page.pollUntilShown('Payment detected')
    stage.wallet.release()
    await turnOfPage()
    stage.service.payment = payment
    await page.pollUntilShown('The payment on screen has changed')
    expect(stage.posts('/authorize')).to.deep.equal([])
  })
})

test('a signature that comes after the customer has gone on is discarded', async () => {
  stage.contract = { authorization: authorization() }
  stage.wallet.held.add(sign)
  const page = await stage.pay()
  await shown(page, 'The shop pays the network fee')
  await pressWhenShown(page, 'I don’t see a request')
  stage.wallet.release()
  await turnOfPage()
  expect(stage.posts('/authorize')).to.deep.equal([])
  await page.press('Try again')
  await shown(page, paidWords)
})
