import { parseCart, totalPrice } from './storefront/cart.ts'

/** What happened to a payment, as a sandbox action. */
type Course = 'complete' | 'underpay' | 'overpay' | 'expire' | 'late' | 'fail'

export type MonthPayment = {
  /** Minutes before now. */
  minutesAgo: number
  orderId: string
  amount: string
  /** A payment in EURC has its amount in euros. */
  currency: 'USDC' | 'USDT' | 'EURC'
  network: 'devnet' | 'devnet-b' | 'tempo-devnet' | 'tron-devnet'
  customerEmail: string
  course: Course
  /** Software that pays for a customer. */
  agentId?: string
}

export const days = 30
const minutesPerDay = 24 * 60

/** Orders by weekday, from Sunday: a coffee shop sells before the weekend. */
const ordersByWeekday = [1, 3, 2, 3, 3, 4, 2] as const

const customers = [
  'maya.brandt@example.com',
  'tomas.lindqvist@example.com',
  'ines.ferreira@example.com',
  'kofi.mensah@example.com',
  'hannah.weiss@example.com',
  'daniel.okafor@example.com',
  'yuki.tanaka@example.com',
  'sofia.rossi@example.com',
  'omar.haddad@example.com',
  'lena.novak@example.com',
  'office@example.com',
] as const

const carts = [
  'beans-1',
  'espresso-2',
  'beans-2.filters-1',
  'mug-1.espresso-1',
  'filters-2',
  'dripper-1.filters-1.beans-1',
  'espresso-4',
  'grinder-1',
  'beans-4',
  'mug-2',
] as const

/** By the order's number, if not `complete`. The last orders leave something to do. */
const courses: Readonly<Record<number, Course>> = {
  4: 'expire',
  11: 'overpay',
  19: 'fail',
  27: 'expire',
  33: 'late',
  48: 'expire',
}
const lastCourses: readonly Course[] = ['complete', 'underpay', 'complete', 'overpay', 'complete', 'complete']

/** Currency and network within every `everyRail` orders, by the order's number among them; the others are paid on `devnet`. */
const everyRail = 12
const rails: Readonly<Record<number, Pick<MonthPayment, 'currency' | 'network'>>> = {
  2: { currency: 'USDC', network: 'devnet-b' },
  5: { currency: 'USDC', network: 'tempo-devnet' },
  7: { currency: 'EURC', network: 'devnet' },
  9: { currency: 'USDT', network: 'devnet-b' },
  10: { currency: 'USDT', network: 'tron-devnet' },
}

export const agentId = 'pantry-agent'
const agentEvery = 9

/** A month of a coffee shop's payments, oldest first. The same for the same `nowMs` to the day. */
export function monthOfPayments(nowMs: number): MonthPayment[] {
  const times: number[] = []
  for (let day = days; day >= 1; day -= 1) {
    const weekday = new Date(nowMs - day * minutesPerDay * 60_000).getUTCDay()
    const count = ordersByWeekday[weekday] ?? 1
    // Spread over the day's business hours.
    for (let index = 0; index < count; index += 1)
      times.push(day * minutesPerDay - 700 - index * 170 - ((day * 37) % 60))
  }
  return times.map((minutesAgo, index) => {
    const fromEnd = times.length - index
    const isAgent = index % agentEvery === 5
    return {
      minutesAgo,
      orderId: `CC-${1041 + index}`,
      amount: totalPrice(parseCart(carts[(index * 7 + (index % 3)) % carts.length] ?? '')),
      ...(rails[index % everyRail] ?? { currency: index % 4 === 3 ? 'USDT' : 'USDC', network: 'devnet' }),
      customerEmail: customers[(index * 5) % customers.length] ?? '',
      course:
        (fromEnd <= lastCourses.length ? lastCourses[lastCourses.length - fromEnd] : courses[index]) ?? 'complete',
      ...(isAgent && { agentId }),
    }
  })
}

/** The shop's payment links: one for up to a thousand customers, one for twelve seats, one for the customer of an invoice. */
export const monthLinks = [
  { price: '25.00', priceCurrency: 'EUR', description: 'Coffee for the office, each month', maxPayments: 1_000 },
  { amount: '35.00', description: 'Tasting on Saturday, one seat', maxPayments: 12 },
  { amount: '118.40', description: 'Invoice 2026-114, Café Aurora', orderId: 'INV-2026-114' },
] as const
