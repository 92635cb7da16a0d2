import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../db/vault.ts'

/** Six digits. With five attempts, somebody who has the device guesses one PIN in 200,000; with twenty a week, one in 960 within a year. */
export const pinPattern = /^\d{6}$/

/** Wrong PINs in a row before the till is blocked. */
export const wrongPinsMax = 5

/** Wrong PINs within a week, whatever right ones were between them: three times what busy staff mistype. */
export const weekWrongPinsMax = 20
export const weekMs = 7 * 24 * 60 * 60_000

type WrongPins = { wrongPins: number; weekWrongPins: number; weekBeganAtMs: number }

/** Wrong PINs until the till is blocked. */
export function attemptsLeftOf({ wrongPins, weekWrongPins, weekBeganAtMs }: WrongPins, nowMs: number): number {
  const inWeek = nowMs < weekBeganAtMs + weekMs ? weekWrongPins : 0
  return Math.max(0, Math.min(wrongPinsMax - wrongPins, weekWrongPinsMax - inWeek))
}

/** PINs that are guessed first: one digit, or digits in a row. */
export function isEasyPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10))
  return steps.size === 1 && [0, 1, 9].includes([...steps][0] ?? 0)
}

export type Pins = ReturnType<typeof createPins>

/** PINs as HMACs with a key that is derived from the vault's: a copy of the database does not reveal them. */
export function createPins(vault: Vault) {
  const key = vault.derive('PINs of tills')
  const macOf = (tillId: string, pin: string) =>
    createHmac('sha256', key).update(`${tillId} ${pin}`).digest('base64url')
  return {
    macOf,
    /** Compares in constant time. */
    isRight: (tillId: string, pin: string, mac: string): boolean =>
      timingSafeEqual(Buffer.from(macOf(tillId, pin)), Buffer.from(mac)),
  }
}
