/** The separators of numbers in the reader's language: between whole and fraction, and between groups of digits. */
type Separators = { decimal: string; group: string }

/** More digits than any amount of a payment has. */
const wholeDigitsMax = 10
const fractionDigitsMax = 18

/** Zeros of the digits that keyboards of the dashboard's languages produce: Arabic, Persian, Devanagari. */
const zeros = ['٠', '۰', '०'].map((zero) => zero.charCodeAt(0))

function separatorsOf(locale: string): Separators {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' } as Intl.NumberFormatOptions).formatToParts(
    1234.5,
  )
  const partOf = (type: string, fallback: string) => parts.find((part) => part.type === type)?.value ?? fallback
  return { decimal: partOf('decimal', '.'), group: partOf('group', ',') }
}

/**
 * Converts other digits to Latin ones, and every kind of space to a plain one, because nobody types the narrow space of `Intl`. Arabic
 * separators mean the same in every language, so they become those of the reader's language: `١٫٢٥٠` is never a thousand.
 */
function plainText(text: string, { decimal, group }: Separators): string {
  const digits = text.replaceAll(/[٠-٩۰-۹०-९]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(zeros.map((zero) => code - zero).find((value) => value >= 0 && value < 10))
  })
  return digits
    .replaceAll('٫', decimal)
    .replaceAll('٬', group)
    .replaceAll(/[\s’']/g, ' ')
    .trim()
}

/** Whether digits are grouped as in the language: in threes, or as in Hindi in twos with a last group of three. */
const isGrouped = (groups: readonly string[], locale: string): boolean => {
  const [first = '', ...rest] = groups
  const last = rest.at(-1) ?? ''
  const isOf = (size: number) =>
    first.length <= size && rest.slice(0, -1).every(({ length }) => length === size) && last.length === 3
  return first !== '' && (isOf(3) || (locale.startsWith('hi') && isOf(2)))
}

/**
 * Reads an amount as the reader's language writes it: `1,250` is 1250 in English and 1.25 in German.
 * @param locale - BCP 47, of the dashboard's language.
 * @returns whole units in the service's format, or null if the text is not an amount in that language: amounts are never guessed.
 */
export function parseAmount(text: string, locale: string): string | null {
  const separators = separatorsOf(locale)
  const { decimal, group } = separators
  const [whole = '', fraction, ...more] = plainText(text, separators).split(decimal)
  if (more.length > 0) return null
  const groups = whole.split(whole.includes(' ') ? ' ' : plainText(group, separators) || ' ')
  if (!groups.every((digits) => /^\d+$/.test(digits))) return null
  if (groups.length > 1 && !isGrouped(groups, locale)) return null
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return null
  const digits = groups.join('').replace(/^0+(?=\d)/, '')
  if (digits.length > wholeDigitsMax || (fraction?.length ?? 0) > fractionDigitsMax) return null
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
