/** The form's fields in the service's format, without empty ones. `money` is in that format already (`amount-input.ts`). */
export function linkTermsOf(form: FormData): Record<string, string | number> {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const money = text('money')
  const priceCurrency = text('priceCurrency')
  const [network = '', currency = ''] = text('token').split(' ')
  const until = text('expiresAt')
  const terms: Record<string, string | number> = {
    ...(priceCurrency === '' ? { amount: money } : { price: money, priceCurrency }),
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
