import { Hono } from 'hono'
import { charge, type Service } from './charge.ts'

const price = { amount: '0.05', currency: 'USDC', network: 'devnet' } as const

/** A merchant's API with one route that costs five cents per request. */
export function createPaidApi(service: Service): Hono {
  const app = new Hono()

  app.get('/report', async (c) => {
    const charged = await charge(c, service, price)
    if (charged.status !== 200) return charged
    return c.json({ report: 'Sales were up.' }, 200, Object.fromEntries(charged.headers))
  })

  app.get('/free', (c) => c.json({ report: 'Request /report.' }))
  return app
}
