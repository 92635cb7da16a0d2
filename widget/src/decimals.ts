/** The exact sum of two decimal texts, with as many digits behind the point as the longer of them has. */
export function addDecimals(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other))
  const digits = (toUnits(one, places) + toUnits(other, places)).toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

function toUnits(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
