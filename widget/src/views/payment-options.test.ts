import { expect } from '@open-wc/testing'
import { addDecimals } from '../decimals.ts'
import { EmulatedChain } from '../test/chain.ts'
import { token as usdc } from '../test/contract.ts'
import { EmulatedWallet } from '../test/injected-wallet.ts'
import { CheckoutPage } from '../test/page.ts'
import { address, EmulatedService, paymentId, seen, type Wire, wireAnswer } from '../test/service.ts'
import { waitUntil } from '../test/wait-until.ts'

const other = '11111111-2222-4333-8444-555555555555'
const token = (symbol: string, shortName: string, over: Wire = {}): Wire => ({
  symbol,
  Network: { name: shortName[0]?.toUpperCase() + shortName.slice(1), shortName, confirmations: 10, ...over },
})
const dear = { confirmSeconds: 144, feeLevel: 'high' }
const cheap = { confirmSeconds: 20, feeLevel: 'low' }
const all = [
  token('USDC', 'ethereum', dear),
  token('USDC', 'base', cheap),
  token('USDT', 'devnet', { confirmSeconds: null, feeLevel: null, confirmations: 3 }),
]

let service: EmulatedService
let payable: Wire[]
let count = 0
const list = () => new Response(JSON.stringify({ success: true, stablecoins: payable }))
/** Every created payment, by id; a replacement has another address. */
let made: Map<string, Wire>
function make(body: Wire): Response {
  const older = body['existingPaymentId']
  const isSecond = older === paymentId || (older === undefined && made.has(paymentId))
  const id = isSecond ? other : paymentId
  const depositAddress = `0x${(isSecond ? '1' : '2').repeat(40)}`
  made.set(id, { id, depositAddress, currency: body['currency'], Network: { name: body['network'] } })
  const before = made.get(String(older))
  if (before && before['amountDetected'] === undefined) Object.assign(before, { outcome: 'failed', isFinal: true })
  return read(id)
}
const read = (id: string) => new Response(JSON.stringify(wireAnswer({ ...made.get(id), ...service.payment })))

setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
  payable = all
  made = new Map()
  service.more = (_method, path, body) => {
    if (path === 'networks/payable/stablecoins') return list()
    if (path === 'deposits/create') return make(body)
    const id = path.replace('payments/public/', '')
    return made.has(id) ? read(id) : null
  }
})
teardown(() => service.restore())

/** The page leaves token and network open unless overridden. */
async function open(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
  const page = await CheckoutPage.open({ currency: '', network: '', 'order-id': `way-${count++}`, ...attributes })
  await waitUntil(() => page.hasScreens)
  return page
}
const options = (page: CheckoutPage) =>
  [...page.element.renderRoot.querySelectorAll('.options button')].map(({ textContent }) =>
    (textContent ?? '').replace(/\s+/g, ' ').trim(),
  )
const isShown = (page: CheckoutPage) => page.find('[part=address]:not(.skeleton *)')
const listed = (page: CheckoutPage) => waitUntil(() => options(page).length > 0, 'the options are listed')

suite('payment options', () => {
  test('are listed cheapest and fastest first, and a payment is created only after a choice', async () => {
    const page = await open()
    await listed(page)
    expect(page.text('[part=amount]')).to.equal('25.00 USDC or USDT')
    expect(options(page), 'the best of each token').to.deep.equal([
      '25.00 USDC on Base low network fee · about 20 seconds',
      '25.00 USDT on Devnet Confirmations: 3',
    ])
    await expect(page.element).to.be.accessible()
    await page.press('More ways to pay (1)')
    await waitUntil(() => options(page).length === 3)
    expect(options(page).at(-1)).to.equal('25.00 USDC on Ethereum higher network fee · about 3 minutes')
    await waitUntil(() => page.element.renderRoot.activeElement?.textContent?.includes('Ethereum'), 'the focus follows')
    expect(page.text()).not.to.include('More ways to pay')
    expect(service.creates).to.deep.equal([])
    expect(service.asked[0]?.headers.get('X-Public-Key')).to.equal('pk_live_a')
    await expect(page.element).to.be.accessible()
    await page.press('USDC on Base')
    await waitUntil(() => isShown(page))
    expect(service.creates.map(({ body }) => [body['currency'], body['network']])).to.deep.equal([['USDC', 'base']])
  })

  test('name the amount that the page has set last, and the payment is created for it', async () => {
    const page = await open()
    await listed(page)
    page.element.amount = '30.00'
    await waitUntil(() => options(page).length > 0 && page.text('[part=amount]').startsWith('30.00'))
    expect(options(page).map((text) => text.split(' ')[0])).to.deep.equal(['30.00', '30.00'])
  })

  test('of which there is only one are taken with what the page has set last', async () => {
    payable = [token('USDC', 'base', cheap)]
    const held = service.holdBack()
    const page = await CheckoutPage.open({ currency: '', network: '', 'order-id': `way-${count++}` })
    await waitUntil(() => service.asked.length > 0)
    page.element.amount = '30.00'
    await page.element.updateComplete
    page.element.customerEmail = 'ada@example.com'
    await page.element.updateComplete
    held.answer()
    await waitUntil(() => service.creates.length > 0)
    expect(service.creates.map(({ body }) => [body['amount'], body['customerEmail']])).to.deep.equal([
      ['30.00', 'ada@example.com'],
    ])
  })

  test('respect the page’s terms, and are not read when nothing is open', async () => {
    const page = await open({ currency: 'USDC' })
    await listed(page)
    expect(options(page)).to.have.length(2)
    payable = [token('USDC', 'base', cheap)]
    const lone = await open()
    await waitUntil(() => isShown(lone))
    expect(service.creates.at(-1)?.body).to.include({ currency: 'USDC', network: 'base' })
  })

  test('fill up with the next best where there is one token', async () => {
    payable = [token('USDC', 'ethereum', dear), token('USDC', 'base', cheap), token('USDC', 'polygon', cheap)]
    const page = await open({ currency: 'USDC' })
    await listed(page)
    expect(options(page).map((text) => text.split(' ').slice(1, 4).join(' '))).to.deep.equal([
      'USDC on Base',
      'USDC on Polygon',
    ])
    expect(page.text('[part=amount]')).to.equal('25.00 USDC')
  })

  test('say of a price what it comes to in each token, without another request', async () => {
    payable = [
      { ...token('USDC', 'base', cheap), amount: '1234.57' },
      { ...token('USDT', 'devnet', cheap), amount: null },
    ]
    const page = await open({ amount: '', price: '1137.42', 'price-currency': 'EUR' })
    await listed(page)
    expect(options(page).map((text) => text.replace(/ low.*/, ''))).to.deep.equal([
      '≈ 1,234.57 USDC on Base',
      'USDT on Devnet',
    ])
    const asked = service.asked.filter(({ method }) => method === 'GET').map(({ url }) => new URL(url))
    expect(asked.map(({ pathname, search }) => pathname.slice(7) + search)).to.deep.equal([
      '/networks/payable/stablecoins?price=1137.42&priceCurrency=EUR',
    ])
  })

  test('for an amount that names no token are tokens of the dollar alone', async () => {
    payable = [...all, { ...token('EURC', 'base', cheap), currency: 'EUR' }]
    const page = await open()
    await listed(page)
    expect(page.text('[part=amount]')).to.equal('25.00 USDC or USDT')
    expect(options(page).join()).not.to.contain('EURC')
  })

  test('never replace a token that the page asks for: without it there is nothing to choose, and nothing is created', async () => {
    for (const asked of [
      { currency: 'EURC' },
      { currency: 'EURC', price: '25.00', 'price-currency': 'EUR', amount: '' },
    ]) {
      const page = await open(asked)
      await waitUntil(() => page.text().includes('No way to pay right now'), 'the page says so')
      expect(options(page)).to.deep.equal([])
    }
    payable = [token('USDC', 'base', cheap)]
    const page = await open({ currency: 'USDC', network: 'devnet' })
    await waitUntil(() => service.creates.length > 0, 'the service decides, and refuses')
    expect(service.creates.map(({ body }) => [body['currency'], body['network']])).to.deep.equal([['USDC', 'devnet']])
    page.element.remove()
  })

  suite('with a wallet', () => {
    let chain: EmulatedChain
    let wallet: EmulatedWallet
    const held = (symbol: string, shortName: string, over: Wire, chainId = 31_337) => ({
      ...token(symbol, shortName, { type: 'evm', chainId: String(chainId), ...over }),
      ...{ contractAddress: usdc, decimals: 6 },
    })
    setup(() => {
      chain = new EmulatedChain(address)
      wallet = new EmulatedWallet(chain, 'Known Wallet', `known.${count}`)
      chain.balances.set(wallet.account, 40_000_000n)
      payable = [held('USDC', 'base', cheap, 8453), held('USDT', 'polygon', cheap, 137), held('USDC', 'devnet', dear)]
    })
    teardown(() => {
      wallet.isConnected = false
      wallet.remove()
    })

    test('that the page may already see, the network with enough money comes first, without a prompt', async () => {
      wallet.isConnected = true
      const page = await open()
      await listed(page)
      expect(options(page)[0]).to.equal('25.00 USDC on Devnet you have 40 USDC · higher network fee · about 3 minutes')
      expect(wallet.prompts).to.deep.equal([])
    })

    test('with too little, the cheapest stays first', async () => {
      wallet.isConnected = true
      chain.balances.set(wallet.account, 24_999_999n)
      const page = await open()
      await listed(page)
      expect(options(page)[0]).to.include('USDC on Base')
    })

    test('that was not permitted, or does not answer, the cheapest comes first', async () => {
      const page = await open()
      await listed(page)
      expect(options(page)[0]).to.include('USDC on Base')
      wallet.isConnected = true
      wallet.provider.request = () => new Promise(() => {})
      const other = await open()
      await listed(other)
      expect(options(other)[0]).to.include('USDC on Base')
      expect(wallet.prompts).to.deep.equal([])
    })
  })

  test('keep the choice after a reload and continue the payment', async () => {
    const page = await open()
    await listed(page)
    await page.press('USDC on Base')
    await waitUntil(() => isShown(page))
    const again = await page.reload()
    await waitUntil(() => isShown(again))
    expect(service.creates).to.have.length(1)
  })

  test('change the payment in one step, and the first one is not found again', async () => {
    const page = await open()
    await listed(page)
    await page.press('USDC on Base')
    await waitUntil(() => page.find('.more button'))
    await page.press('Pay another way')
    await listed(page)
    await page.press('USDT on Devnet')
    await waitUntil(() => page.text('[part=amount]') === '25.00 USDT')
    const [, second] = service.creates
    expect(second?.body).to.include({ currency: 'USDT', network: 'devnet', existingPaymentId: paymentId })
    expect(page.element.payment?.id).to.equal(other)

    await page.press('Pay another way')
    await listed(page)
    await page.press('USDC on Base')
    await waitUntil(() => service.creates.length === 3)
    expect(service.creates[2]?.body).to.include({ network: 'base', existingPaymentId: other })
    expect(service.creates[2]?.headers.get('Idempotency-Key')).not.to.equal(
      service.creates[0]?.headers.get('Idempotency-Key'),
    )
  })

  test('cannot change once money was detected, and money that arrives meanwhile keeps its payment', async () => {
    const page = await open()
    await listed(page)
    await page.press('USDC on Base')
    await waitUntil(() => page.find('.more button'))
    await page.press('Pay another way')
    await listed(page)
    made.set(paymentId, { ...made.get(paymentId), ...seen })
    await page.press('USDT on Devnet')
    await waitUntil(() => page.text('[part=status]') === 'Payment detected')
    expect(page.element.payment?.id).to.equal(paymentId)
    expect(service.creates.at(-1)?.body).to.deep.equal({ paymentId: other, status: 'cancelled' })
    expect(page.text()).not.to.include('Pay another way')
  })

  test('create nothing when the same option is chosen or kept', async () => {
    const page = await open()
    await listed(page)
    await page.press('USDC on Base')
    await waitUntil(() => page.find('.more button'))
    for (const button of ['USDC on Base', 'Keep the current choice']) {
      await page.press('Pay another way')
      await listed(page)
      await page.press(button)
      await waitUntil(() => isShown(page))
    }
    expect(service.creates).to.have.length(1)
  })

  test('opened for one payment are not shown in place of the next order’s', async () => {
    const page = await open()
    await listed(page)
    await page.press('USDC on Base')
    await waitUntil(() => page.find('.more button'))
    await page.press('Pay another way')
    await listed(page)
    page.element.orderId = `way-${count++}`
    await waitUntil(() => options(page).length > 0 && !page.text().includes('Keep the current choice'))
    await page.press('USDT on Devnet')
    await waitUntil(() => page.element.payment?.currency === 'USDT')
    await waitUntil(() => isShown(page), 'where to pay')
  })

  test('are shown again when a network went down meanwhile', async () => {
    const page = await open()
    await listed(page)
    const before = service.more
    service.more = (method, path, body) =>
      path === 'deposits/create'
        ? new Response(JSON.stringify({ code: 'NETWORK_UNAVAILABLE', message: 'base is out' }), { status: 400 })
        : before(method, path, body)
    await page.press('USDC on Base')
    await waitUntil(() => page.text('.title') === 'Payments on base are unavailable right now')
    await page.press('Pay another way')
    await listed(page)
  })

  test('report when none is available or the service fails, and can be retried', async () => {
    payable = []
    const page = await open()
    await waitUntil(() => page.text('.title') === 'No way to pay right now')
    service.fault = { status: 0 }
    await page.press('Try again')
    await waitUntil(() => page.text().includes('Couldn’t reach'))
    service.fault = null
    payable = all
    await page.press('Try again')
    await listed(page)
  })
})

suite('paying from an exchange', () => {
  test('adds the fee exactly, on request', async () => {
    const page = await open({ currency: 'USDC', network: 'devnet' })
    await waitUntil(() => page.find('.more button'))
    expect(page.find('#exchange') === null).to.equal(true)
    await page.press('Paying from an exchange?')
    const input = page.find<HTMLInputElement>('#exchange input')
    const write = async (text: string) => {
      if (input) input.value = text
      input?.dispatchEvent(new Event('input'))
      await page.element.updateComplete
    }
    await write('1,5')
    expect(page.text('.sum')).to.include('26.50 USDC')
    await write('abc')
    expect(page.text('[role=alert]')).to.include('as a number')
    expect(page.find('.sum') === null).to.equal(true)
    await expect(page.element).to.be.accessible()
  })

  test('sums are exact with any number of digits', () => {
    expect(addDecimals('25.00', '1.5')).to.equal('26.50')
    expect(addDecimals('0.1', '0.2')).to.equal('0.3')
    expect(addDecimals('9007199254740993', '0.000000000000000001')).to.equal('9007199254740993.000000000000000001')
    expect(addDecimals('1', '2')).to.equal('3')
  })
})

suite('test payments', () => {
  test('are unmistakable, and change state by the programmer’s buttons', async () => {
    service.payment = { isTest: true, Network: { name: 'Devnet', chainId: null } }
    service.more = (_method, path) => (path.startsWith('sandbox/') ? new Response('{"success":true}') : null)
    const page = await open({ currency: 'USDC', network: 'devnet', 'public-key': 'pk_test_a' })
    await waitUntil(() => page.find('.sandbox'))
    expect(page.text('.test')).to.equal('Test payment: send no real money')
    const select = page.find<HTMLSelectElement>('select')
    if (select) select.value = 'detect'
    select?.dispatchEvent(new Event('change'))
    service.payment = { ...service.payment, ...seen }
    await page.press('Simulate')
    await waitUntil(() => page.text('[part=status]') === 'Payment detected')
    const asked = service.creates.at(-1)
    expect(asked?.url).to.equal(`https://pay.example/api/v1/sandbox/payments/${paymentId}/simulate`)
    expect(asked?.body).to.deep.equal({ action: 'detect' })
    expect(page.find('.sandbox') !== null).to.equal(true)
    const refused = () => new Response(JSON.stringify({ message: 'It has ended.' }), { status: 409 })
    service.more = (_method, path) => (path.startsWith('sandbox/') ? refused() : null)
    await page.press('Simulate')
    await waitUntil(() => page.text('[role=alert]') === 'It has ended.')
  })

  test('a live payment has neither', async () => {
    const page = await open({ currency: 'USDC', network: 'devnet' })
    await waitUntil(() => page.find('.more button'))
    expect(page.find('.test, .sandbox') === null).to.equal(true)
  })
})
