import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../db/vault.ts'

/**
 * Six digits. With five attempts, someone who has the device guesses one PIN in 200,000; with twenty a week, one in 960 within a
 * year.
 */
export const pinPattern = /^\d{6}$/

/** Consecutive wrong PINs that block the till. */
export const wrongPinsMax = 5

/** Wrong PINs per week that block the till, whatever correct ones came between: three times what busy staff mistype. */
export const weekWrongPinsMax = 20
export const weekMs = 7 * 24 * 60 * 60_000

type WrongPins = { wrongPins: number; weekWrongPins: number; weekBeganAtMs: number }

/** Remaining wrong PINs until the till is blocked. */
export function attemptsLeftOf({ wrongPins, weekWrongPins, weekBeganAtMs }: WrongPins, nowMs: number): number {
  const inWeek = nowMs < weekBeganAtMs + weekMs ? weekWrongPins : 0
  return Math.max(0, Math.min(wrongPinsMax - wrongPins, weekWrongPinsMax - inWeek))
}

/** Whether a PIN would be guessed first: a repeated digit, or consecutive digits. */
export function isEasyPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10))
  return steps.size === 1 && [0, 1, 9].includes([...steps][0] ?? 0)
}

export type Pins = ReturnType<typeof createPins>

/** PINs as HMACs with a key derived from the vault's: a copy of the database does not reveal them. */
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
