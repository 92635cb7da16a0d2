import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null })
const {
  formatAmount,
  formatChange,
  formatCoins,
  formatMoney,
  formatRelative,
  formatSeconds,
  formatSum,
  formatTime,
  isMore,
  wholeTokens,
} = await import('./format.ts')
const { startLanguage } = await import('../locales/locale.ts')
const { parseFilters, queryOf, isFiltered } = await import('./payment-filters.ts')
const { linkMoney } = await import('./link-money.ts')
const { linkTermsOf } = await import('./link-terms.ts')
const { qrPath } = await import('./qr-picture.ts')

test.each(['en', 'ar', 'pt', 'tr', 'vi', 'zh'])('a time breaks between day and hour only, in %s', (language) => {
  vi.stubGlobal('document', { documentElement: {} })
  const read = (languages: string[]) => {
    vi.stubGlobal('navigator', { languages })
    startLanguage()
  }
  onTestFinished(() => read(['en']))
  read([language])
  expect(formatTime('2026-11-29T12:05:00Z').split(' ').toSorted()).toEqual([
    expect.stringContaining('05'),
    expect.stringContaining('2026'),
  ])
})

describe('money', () => {
  test('is written with all its digits', () => {
    expect(formatAmount('123456789012345678901234.500000000000000001')).toBe(
      '123,456,789,012,345,678,901,234.500000000000000001',
    )
    expect(formatMoney('25.00', 'USDC')).toBe('25.00\u00a0USDC')
    expect(formatAmount('no amount')).toBe('no amount')
  })

  test('of gas is shown by the digits that say something, and promises no more than there is', () => {
    expect(formatCoins('0.012345678901234567', 'ETH')).toBe('0.01234\u00a0ETH')
    expect(formatCoins('0.012345678901234567', 'ETH', 'up')).toBe('0.01235\u00a0ETH')
    expect(formatCoins('0.000000000021000000', 'ETH', 'up')).toBe('0.000000000021\u00a0ETH')
    expect(formatCoins('1999.999999999999999999', 'ETH')).toBe('1,999.9999\u00a0ETH')
    expect(formatCoins('1999.999999999999999999', 'ETH', 'up')).toBe('2,000.00\u00a0ETH')
    expect(formatCoins('0.00', 'SOL')).toBe('0.00\u00a0SOL')
    expect(formatCoins('unknown', 'SOL')).toBe('unknown\u00a0SOL')
  })

  test('in base units converts exactly for any amount and token', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const [whole = '', fraction = ''] = wholeTokens(String(units), decimals).split('.')
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(units)
      }),
    )
    expect(wholeTokens('1500000', 6)).toBe('1.50')
    expect(wholeTokens('-1', 6)).toBe('-0.000001')
  })
})

test('a sum of a currency keeps all its digits, and has no fewer than the currency', () => {
  expect(formatSum('19', 'USD')).toBe('$19.00')
  expect(formatSum('0.0012', 'USD')).toBe('$0.0012')
  expect(formatSum('25', 'JPY')).toBe('¥25')
  expect(formatSum('25.00', 'USDC')).toBe('25.00\u00a0USDC')
})

test('a change has its sign, and none when nothing changed', () => {
  expect([0.0149, -0.25, 0].map(formatChange)).toEqual(['+1.5%', '-25%', '0%'])
})

test('durations use the fitting unit', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  expect(formatRelative('2026-11-22T11:57:00Z', now)).toBe('3 minutes ago')
  expect(formatRelative('2026-11-24T12:00:00Z', now)).toBe('in 2 days')
  expect(formatSeconds(61)).toBe('2 minutes')
})

describe('payment filters in the URL', () => {
  test('become a query that includes the whole last day', () => {
    const filters = parseFilters('?search=%20order-7%20&from=2026-03-01&until=2026-03-31&odd=1&status=')
    expect(filters).toEqual({ search: 'order-7', from: '2026-03-01', until: '2026-03-31' })
    const { from, until, search } = queryOf(filters)
    expect(search).toBe('order-7')
    expect(new Date(String(from)).getDate()).toBe(1)
    expect(Date.parse(String(until)) - Date.parse(String(from))).toBeGreaterThan(30 * 24 * 3_600_000)
    expect(queryOf({ from: 'yesterday' })['from']).toBeNull()
  })

  test('are absent when the URL has only the page’s cursor', () => {
    expect(isFiltered(parseFilters('?after=1.2'))).toBe(false)
    expect(isFiltered(parseFilters('?currency=USDC'))).toBe(true)
  })
})

test('a QR code is drawn module by module', () => {
  expect(qrPath({ size: 2, modules: btoa(String.fromCharCode(0b1001_0000)) })).toBe('M0 0h1v1h-1zM1 1h1v1h-1z')
})

test('a link asks for tokens or for a price, and omits empty fields', () => {
  const form = (fields: Record<string, string>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    return linkTermsOf(data)
  }
  expect(form({ money: '12.50', unit: '', token: 'base USDC', maxPayments: '3' })).toEqual({
    amount: '12.50',
    network: 'base',
    currency: 'USDC',
    maxPayments: 3,
  })
  expect(form({ money: '25', unit: 'price EUR', description: 'Table 7', token: '' })).toEqual({
    price: '25',
    priceCurrency: 'EUR',
    description: 'Table 7',
    maxPayments: 1,
  })
  expect(form({ money: '25', unit: 'token USDT', token: '' })).toEqual({
    amount: '25',
    currency: 'USDT',
    maxPayments: 1,
  })
  expect(form({ money: '25', unit: '', token: '' })).toEqual({ amount: '25', maxPayments: 1 })
})

test('a link of 1.250 is one and a quarter, in any of the tokens', () => {
  const tokens = ['USDC', 'USDT', 'USDC'].map((symbol) => ({
    symbol,
    currency: 'USD',
    Network: { shortName: 'base', name: 'Base' },
  }))
  const link = { amount: '1.250', price: null, priceCurrency: null, currency: null }
  expect(linkMoney(link, tokens)).toBe('1.25\u00a0USDC / USDT')
  expect(linkMoney({ ...link, currency: 'USDT' }, tokens)).toBe('1.25\u00a0USDT')
  expect(linkMoney({ ...link, amount: null, price: '25', priceCurrency: 'EUR' }, tokens)).toBe('25.00\u00a0EUR')
})

test('amounts are compared to the last decimal, whatever decimals each has', () => {
  expect(isMore('20.000000000000000001', '20.00')).toBe(true)
  expect(isMore('9.5', '10')).toBe(false)
  expect(isMore('25', '25.00')).toBe(false)
  expect(isMore('0.10', '0.09')).toBe(true)
})
