import { formatLocale } from '../locales/locale.ts'

/** The longest sum that the large figures hold on a phone. */
const largeMax = 9

/** The class of a sum: a longer one is drawn smaller, so that no amount breaks into two lines. */
export const sumClass = (sum: string): string => (sum.length > largeMax ? 'amount long' : 'amount')

export function formatClock(iso: string): string {
  return new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short' }).format(new Date(iso))
}
