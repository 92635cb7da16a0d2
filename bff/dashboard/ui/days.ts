/** The reader's time zone. */
export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** A day in the reader's time zone, such as 2026-11-21. */
const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`

/** The current time for a datetime-local field, such as 2026-11-21T09:30. */
export const localMinute = (now = new Date()): string =>
  `${dayOf(now)}T${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`

/** Today and the previous days, oldest first. At noon, because a day may have 23 hours. */
export function lastDays(count: number, now = new Date()): string[] {
  return Array.from({ length: count }, (_, at) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - at), 12)),
  )
}
