import { expect } from '@open-wc/testing'
import { type Intent, parseSettings, type Settings, wishOf } from './terms.ts'
import { rules } from './views/stopped.ts'

const good: Settings = {
  apiBase: 'https://pay.example/',
  publicKey: 'pk_live_abc',
  amount: '25.00',
  currency: 'USDC',
  network: 'base',
  orderId: '',
  customerEmail: '',
  callbackUrl: '',
  paymentId: '',
  metadata: null,
}
const problemsOf = (over: Partial<Settings>) => {
  const result = parseSettings({ ...good, ...over })
  return Array.isArray(result) ? result.map(({ attribute }) => attribute) : []
}
const intentOf = (over: Partial<Settings>): Intent => {
  const result = parseSettings({ ...good, ...over })
  if (Array.isArray(result)) throw new Error(JSON.stringify(result))
  return result
}

suite('attributes', () => {
  test('a valid tag becomes a create with only the given values', () => {
    const intent = intentOf({ orderId: 'A-1', metadata: { table: 4 } })
    expect(JSON.parse(JSON.stringify(intent))).to.deep.equal({
      type: 'create',
      apiBase: 'https://pay.example',
      publicKey: 'pk_live_abc',
      terms: { amount: '25.00', currency: 'USDC', network: 'base', orderId: 'A-1', metadata: { table: 4 } },
    })
  })

  test('a public key may contain every base64url character', () => {
    expect(problemsOf({ publicKey: 'pk_live_-aB_9-' })).to.deep.equal([])
    expect(problemsOf({ publicKey: 'pk_live_a b' })).to.deep.equal(['public-key'])
  })

  test('a payment id follows that payment and needs no key', () => {
    const paymentId = '0b9f6c1e-5a55-4c3e-9f0e-2f1c6a7d8e90'
    expect(intentOf({ paymentId, publicKey: '', amount: '' })).to.deep.equal({
      type: 'follow',
      apiBase: 'https://pay.example',
      paymentId,
    })
    expect(problemsOf({ paymentId: '42' })).to.deep.equal(['payment-id'])
  })

  test('all problems are reported at once', () => {
    const empty = { apiBase: '', publicKey: '', amount: '', currency: 'US DC', network: 'de vnet' }
    expect(problemsOf(empty)).to.deep.equal(['api-base', 'public-key', 'amount', 'currency', 'network'])
  })

  test('the customer chooses a token or network that the page leaves open', () => {
    for (const open of [{ currency: '' }, { network: '' }, { currency: '', network: '' }])
      expect(intentOf(open)).to.deep.include({ type: 'choose' })
  })

  test('an amount is plain decimal text above zero', () => {
    for (const amount of ['0.000000000000000001', '1', '0.5', '12345678901234567890'])
      expect(problemsOf({ amount }), amount).to.deep.equal([])
    for (const amount of ['0', '0.00', '-1', '1e3', '25,00', '25.', '.5', ' 25', '025', 'NaN', '$25'])
      expect(problemsOf({ amount }), amount).to.deep.equal(['amount'])
  })

  test('the service’s URL is http or https without a query', () => {
    for (const apiBase of [
      'javascript:alert(1)',
      '//pay.example',
      'pay.example',
      'https://pay.example?x',
      'https://a b',
    ])
      expect(problemsOf({ apiBase }), apiBase).to.deep.equal(['api-base'])
    expect(intentOf({ apiBase: 'http://127.0.0.1:8787/pay//' }).apiBase).to.equal('http://127.0.0.1:8787/pay')
  })

  test('a secret key in a page is refused with its own message on the card', () => {
    expect(problemsOf({ publicKey: 'sk_live_abc' })).to.deep.equal(['public-key'])
    expect(rules['public-key']).to.include('a secret key that stands there must be replaced at once')
  })

  test('metadata is an object', () => {
    for (const metadata of ['{', [1], 5, 'text'])
      expect(problemsOf({ metadata }), String(metadata)).to.deep.equal(['metadata'])
    expect(problemsOf({ metadata: undefined })).to.deep.equal([])
  })

  test('another amount, token, network, order or key is another payment; another email is not', () => {
    const same = wishOf(intentOf({}))
    expect(wishOf(intentOf({ customerEmail: 'a@b.example', metadata: { a: 1 } }))).to.equal(same)
    for (const over of [
      { amount: '26' },
      { currency: 'USDT' },
      { network: 'polygon' },
      { orderId: 'x' },
      { publicKey: 'pk_b' },
    ])
      expect(wishOf(intentOf(over)), JSON.stringify(over)).not.to.equal(same)
  })
})
