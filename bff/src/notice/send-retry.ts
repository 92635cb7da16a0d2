const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The delay after each failed attempt: eight attempts in 22 hours. */
const delaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs] as const

export const attemptsMax = delaysMs.length + 1

/** The time until the next attempt, in milliseconds; undefined after the last one. @param attempts - Attempts made so far. */
export const delayAfter = (attempts: number): number | undefined => delaysMs[attempts - 1]
