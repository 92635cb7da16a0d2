type Service = { origin: string; merchant: { apiKey: string; apiSecret: string } }

/** Fixed exchange rates: the demo needs no rate provider. */
export const demoRates = {
  fixed: { asOf: '2026-11-21T12:01:00Z', USDC: { USD: 1, EUR: 0.9213 }, USDT: { USD: 1, EUR: 0.9208 } },
}

/**
 * Creates a reusable payment link with a price in euros.
 * @returns its URL.
 */
export async function createPaymentLink({ origin, merchant }: Service, returnUrl: string): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/links`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': merchant.apiKey,
      'X-API-Secret': merchant.apiSecret,
    },
    body: JSON.stringify({
      price: '25.00',
      priceCurrency: 'EUR',
      description: 'Coffee for the office',
      maxPayments: 1_000,
      returnUrl,
    }),
  })
  if (!answer.ok) throw new Error(`Creating the payment link failed: ${await answer.text()}`)
  const { link } = (await answer.json()) as { link: { url: string } }
  return link.url
}
