/** The exact sum of two decimal texts, with as many decimals as the longer one. */
export function addDecimals(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other))
  return toText(toUnits(one, places) + toUnits(other, places), places)
}

/** The exact difference of two decimal texts, 0 if it would be negative. */
export function subtractDecimals(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other))
  const difference = toUnits(one, places) - toUnits(other, places)
  return toText(difference > 0n ? difference : 0n, places)
}

/** Whether `one` is at least `other`, exactly. */
export function isAtLeast(one: string, other: string): boolean {
  const places = Math.max(placesOf(one), placesOf(other))
  return toUnits(one, places) >= toUnits(other, places)
}

function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

function toUnits(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

function toText(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
