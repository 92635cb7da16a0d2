import { merchantCurrency } from '../api/session.ts'

const key = 'currency'

/** Where neither the reader nor the shop has chosen one. */
export const standardCurrency = 'USD'

/** The currency in which the reader sees totals: chosen in this browser, else the shop's. */
export const shopCurrency = (): string => localStorage.getItem(key) ?? merchantCurrency() ?? standardCurrency

/** Chosen in this browser. The shop's own is not kept, so that a later change of the shop's is followed. */
export function chooseShopCurrency(currency: string): void {
  if (currency === (merchantCurrency() ?? standardCurrency)) forgetShopCurrency()
  else localStorage.setItem(key, currency)
}

export const forgetShopCurrency = (): void => localStorage.removeItem(key)
