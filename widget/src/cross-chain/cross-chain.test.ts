import { expect } from '@open-wc/testing'
import {
  address,
  awayId,
  CrossChainStage,
  laterId,
  paymentId,
  refundHash,
  relayAddress,
} from '../test/cross-chain-stage.ts'
import type { CheckoutPage } from '../test/page.ts'
import { paid, seen, short, wireAnswer } from '../test/service.ts'
import { turnOfPage, waitUntil } from '../test/wait-until.ts'
import { pressWhenShown, shown } from '../test/wallet-stage.ts'

let stage: CrossChainStage
setup(() => {
  stage = new CrossChainStage()
})
teardown(() => stage.strike())

const offer = 'Pay from another chain'
const go = 'Show me where to send it'

const select = (page: CheckoutPage, name: string): HTMLSelectElement => {
  const found = page.find<HTMLSelectElement>(`[data-choice=${name}]`)
  if (!found) throw new Error(`There is no choice of a ${name}`)
  return found
}

async function choose(page: CheckoutPage, name: string, value: string): Promise<void> {
  const box = select(page, name)
  box.value = value
  box.dispatchEvent(new Event('change'))
  await page.element.updateComplete
}

/** To the address on the origin chain. */
async function takeTheWay(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
  const page = await stage.open(attributes)
  await pressWhenShown(page, offer)
  await shown(page, 'You have money on')
  await choose(page, 'chain', '31338')
  await page.press(go)
  await shown(page, 'Send exactly 25.075 USDC')
  return page
}

const addressOf = (page: CheckoutPage) => page.text('[part=address]').replace(/\s/g, '')

suite('paying from another chain', () => {
  test('is offered only with a bridge from another chain, for a payment that the page creates', async () => {
    stage.sources = []
    const without = await stage.open()
    const isAsked = () => stage.service.asked.some(({ url }) => url.endsWith('/payments/cross-chain/sources'))
    await waitUntil(isAsked, 'the sources are asked for')
    expect(without.text()).not.to.contain(offer)
    stage.sources = [{ chainId: 31_337, name: 'Devnet', currencies: ['USDC'] }, { chainId: 'x' }, null]
    const alone = await stage.open()
    await alone.pollUntilShown('Waiting for your payment')
    expect(alone.text()).not.to.contain(offer)
    const followed = await stage.open({ 'payment-id': paymentId })
    await followed.pollUntilShown('Waiting for your payment')
    expect(followed.text()).not.to.contain(offer)
  })

  test('gives way to another order that the page sets while the address is asked for', async () => {
    const page = await stage.open()
    await pressWhenShown(page, offer)
    await shown(page, 'You have money on')
    let answer = () => {}
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { more } = stage.service
    stage.service.more = (method, path, body) => {
      if (path === 'payments/cross-chain/create') return isHeld.then(() => more(method, path, body) as Response)
      const isOther = path === 'deposits/create' && body['orderId'] === 'another'
      return isOther ? new Response(JSON.stringify(wireAnswer({ id: laterId }))) : more(method, path, body)
    }
    await page.press(go)
    page.element.orderId = 'another'
    await waitUntil(() => page.element.payment?.id === laterId, 'the payment of the other order')
    const isReadAgain = () => stage.service.reads.some(({ url }) => url.includes(paymentId))
    answer()
    await waitUntil(isReadAgain, 'the payment that was replaced')
    await turnOfPage()
    expect(page.element.payment?.id).to.equal(laterId)
    await shown(page, 'Waiting for your payment')
  })

  test('is not offered where no bridge reaches the network, or the token of the payment', async () => {
    for (const destinations of [
      [],
      [{ chainId: 8453, name: 'Base', currencies: ['USDC'] }],
      [{ chainId: 31_337, name: 'Devnet', currencies: ['USDT'] }],
    ]) {
      stage.destinations = destinations
      stage.service.asked.length = 0
      const page = await stage.open()
      const isAsked = () => stage.service.asked.some(({ url }) => url.endsWith('/payments/cross-chain/sources'))
      await waitUntil(isAsked, 'the sources are asked for')
      await page.pollUntilShown('Waiting for your payment')
      expect(page.text(), JSON.stringify(destinations)).not.to.contain(offer)
    }
  })

  test('is offered by a service that does not say which networks the bridge reaches', async () => {
    stage.destinations = undefined
    const page = await stage.open()
    await page.pollUntilShown(offer)
  })

  test('asks for chain and token, and shows the exact amount and address in place of the first address', async () => {
    const page = await stage.open({ 'order-id': 'elsewhere' })
    await pressWhenShown(page, offer)
    await shown(page, 'A bridge takes your money there and pays the shop 25.00 USDC on Devnet.')
    const options = (name: string) => [...select(page, name).options].map(({ textContent }) => textContent?.trim())
    expect(options('chain'), 'not the payment’s own').to.deep.equal(['Devnet B', 'Base'])
    expect(options('token')).to.deep.equal(['USDC', 'USDT'])
    await expect(page.element).to.be.accessible()
    await page.press(go)
    await shown(page, 'Send exactly 25.075 USDC in one transfer')
    expect(page.text('[part=amount]')).to.equal('25.075 USDC')
    expect(page.text()).to.contain('on Devnet B').and.to.contain('The shop gets 25.00 USDC on Devnet')
    expect(addressOf(page)).to.equal(relayAddress)
    expect(page.text()).not.to.contain(address)
    expect(page.find('.qr')).not.to.equal(null)
    await expect(page.element).to.be.accessible()
    const [create] = stage.posts('cross-chain/create')
    expect(create?.body).to.include({
      ...{ originChainId: 31_338, originCurrency: 'USDC', existingPaymentId: paymentId },
      ...{ amount: '25.00', currency: 'USDC', network: 'devnet', orderId: 'elsewhere' },
    })
    expect(create?.headers.get('Idempotency-Key')).to.match(/^[0-9a-f]{32}$/)
    expect(page.names().filter((name) => name === 'sc-ready')).to.have.length(2)
  })

  test('copies the exact amount and address of the other chain', async () => {
    const taken: string[] = []
    const page = await takeTheWay()
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void taken.push(text) },
    })
    for (const name of ['amount', 'address']) page.find(`[data-copy=${name}]`)?.click()
    expect(taken).to.deep.equal(['25.075', relayAddress])
  })

  test('asks for nothing once its time is over by the clock of the page', async () => {
    const page = await takeTheWay()
    stage.away = { expiresAt: new Date(Date.now() + 1_500).toISOString() }
    await page.pollUntilShown('Time is up')
    expect(page.find('[part=address], .qr')).to.equal(null)
    expect(page.text()).not.to.contain('Send exactly')
  })

  test('sends the chosen token', async () => {
    stage.away = { originCurrency: 'USDT', amountToSendFormatted: '25.08' }
    const page = await stage.open()
    await pressWhenShown(page, offer)
    await shown(page, 'You have money on')
    await choose(page, 'chain', '31338')
    await choose(page, 'token', 'USDT')
    await page.press(go)
    await shown(page, 'Send exactly 25.08 USDT')
    expect(stage.posts('cross-chain/create')[0]?.body).to.include({ originCurrency: 'USDT' })
  })

  test('is followed to the end in plain language', async () => {
    const page = await takeTheWay()
    for (const [bridgeStatus, words] of [
      ['depositing', 'Transfer detected'],
      ['pending', 'On its way to the shop'],
      ['delayed', 'This is taking longer than usual'],
      ['teleporting', 'On its way to the shop'],
      ['success', 'The bridge has delivered it'],
    ] as const) {
      stage.away = { bridgeStatus }
      await page.pollUntilShown(words)
      expect(page.text('[aria-current=step]')).to.equal('Detected')
      expect(page.find('[part=address]'), 'nobody sends twice').to.equal(null)
      await expect(page.element).to.be.accessible()
    }
    stage.away = { bridgeStatus: 'success', ...seen }
    await page.pollUntilShown('Payment detected')
    stage.away = { bridgeStatus: 'success', ...paid }
    await page.pollUntilShown('has received the money')
    expect(page.names()).to.include('sc-paid')
  })

  test('shows a refund as returned, with a link to its transaction', async () => {
    const page = await takeTheWay()
    stage.away = { bridgeStatus: 'failure' }
    await page.pollUntilShown('is being returned to where it came from')
    expect(page.find('ol'), 'no step "Waiting"').to.equal(null)
    await expect(page.element).to.be.accessible()
    stage.away = { bridgeStatus: 'refund', bridgeRefundTxHash: refundHash }
    await page.pollUntilShown('Your money was returned')
    expect(page.find<HTMLAnchorElement>('a')?.href).to.equal(`https://scan.example/tx/${refundHash}`)
    await expect(page.element).to.be.accessible()
    await page.press('Start again')
    await page.pollUntil(() => addressOf(page) === address)
    expect(stage.posts('deposits/create')).to.have.length(2)
  })

  test('that failed or is still under way at the end of the window does not invite to pay again', async () => {
    const page = await takeTheWay()
    const ended = { outcome: 'failed', isFinal: true, expiresAt: new Date(Date.now() - 1000).toISOString() }
    for (const [bridgeStatus, words] of [
      ['pending', 'On its way to the shop'],
      ['failure', 'is being returned to where it came from'],
    ] as const) {
      stage.away = { bridgeStatus, ...ended }
      await page.pollUntilShown(words)
      expect(page.text()).not.to.contain('Start again')
    }
  })

  test('that delivered too little does not ask the customer to pay again', async () => {
    const page = await takeTheWay()
    stage.away = { bridgeStatus: 'success', ...short }
    await page.pollUntilShown('Please don’t pay again; ask the shop.')
    expect(page.find('[part=address]')).to.equal(null)
  })

  test('continues after a reload', async () => {
    const page = await takeTheWay()
    const again = await page.reload()
    await shown(again, 'Send exactly 25.075 USDC')
    expect(addressOf(again)).to.equal(relayAddress)
    stage.away = { bridgeStatus: 'pending' }
    await again.pollUntilShown('On its way to the shop')
    expect(stage.posts('cross-chain/create')).to.have.length(1)
  })

  test('created by the shop’s server is shown by its id, without a choice', async () => {
    const page = await stage.open({ 'payment-id': awayId })
    await shown(page, 'Send exactly 25.075 USDC')
    expect(page.text()).not.to.contain('Choose another chain')
  })
})

suite('switching back', () => {
  test('leads back to the address before and after a payment is made', async () => {
    const page = await stage.open()
    await pressWhenShown(page, offer)
    await pressWhenShown(page, 'Pay on Devnet instead')
    await shown(page, 'Waiting for your payment')
    expect(stage.posts('cross-chain/create')).to.have.length(0)
    await page.press(offer)
    await pressWhenShown(page, go)
    await pressWhenShown(page, 'Choose another chain')
    await page.press('Pay on Devnet instead')
    await page.pollUntilShown('Send only USDC on Devnet.')
    expect(addressOf(page)).to.equal(address)
    expect(stage.posts('deposits/create').at(-1)?.body).to.include({ existingPaymentId: awayId })
  })

  test('when money is already on its way: that payment stays, and the new one is dropped', async () => {
    const page = await takeTheWay()
    await page.press('Choose another chain')
    stage.isReplaced = false
    stage.away = { bridgeStatus: 'pending' }
    await page.press('Pay on Devnet instead')
    await page.pollUntilShown('On its way to the shop')
    expect(stage.posts('payments/fail')).to.have.length(1)
    expect(page.find('[part=address]')).to.equal(null)
  })
})

suite('untrusted responses are not shown', () => {
  test('a refusal is explained in plain language, and another chain can be chosen', async () => {
    stage.refusal = { status: 400, body: { success: false, error: 'no', message: 'too small', code: 'NO_ROUTE' } }
    const page = await stage.open()
    await pressWhenShown(page, offer)
    await pressWhenShown(page, go)
    await shown(page, 'The bridge can’t take this amount from there.')
    expect(page.text('[role=alert]')).to.contain('NO_ROUTE').and.not.to.contain('too small')
    stage.refusal = null
    await page.press(go)
    await shown(page, 'Send exactly 25.075 USDC')
  })

  for (const [what, away] of Object.entries({ chain: { originChainId: 1 }, token: { originCurrency: 'USDT' } }))
    test(`a ${what} that was not chosen`, async () => {
      stage.away = away
      const page = await stage.open()
      await pressWhenShown(page, offer)
      await pressWhenShown(page, go)
      await shown(page, 'MISMATCH')
      expect(page.find('[part=address]')).to.equal(null)
    })

  test('an address that differs from an earlier one', async () => {
    const page = await takeTheWay()
    stage.away = { relayDepositAddress: address }
    await page.pollUntilShown('Please don’t send anything, and ask the shop.')
    expect(page.find('[part=address]')).to.equal(null)
  })

  test('an incomplete route', async () => {
    stage.away = { amountToSendFormatted: '0.00' }
    const page = await stage.open({ 'payment-id': awayId })
    await shown(page, 'This payment can’t be shown safely')
    expect(page.find('[part=address]')).to.equal(null)
  })
})
