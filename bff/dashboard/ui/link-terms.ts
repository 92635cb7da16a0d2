/**
 * The form's fields in the service's format, without empty ones. `money` is in that format already (`amount-input.ts`). `unit` is `price EUR`,
 * `token USDC`, or empty for any token; `token` is a token on a network, such as `base USDC`.
 */
export function linkTermsOf(form: FormData): Record<string, string | number> {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const money = text('money')
  const [unit, code = ''] = text('unit').split(' ')
  const [network = '', currency = unit === 'token' ? code : ''] = text('token').split(' ')
  const until = text('expiresAt')
  const terms: Record<string, string | number> = {
    ...(unit === 'price' ? { price: money, priceCurrency: code } : { amount: money }),
    network,
    currency,
    description: text('description'),
    orderId: text('orderId'),
    returnUrl: text('returnUrl'),
    maxPayments: Number(text('maxPayments') || 1),
    expiresAt: until && new Date(until).toISOString(),
  }
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== ''))
}
