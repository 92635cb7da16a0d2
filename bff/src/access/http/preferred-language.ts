import { parseAccept } from 'hono/utils/accept'

/** The most preferred language in `Accept-Language` that a page has; English when there is none. */
export function preferredLanguage<Code extends string>(
  header: string | undefined,
  isKnown: (code: string) => code is Code,
): Code | 'en' {
  const codes = parseAccept(header ?? '')
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q)
    .map(({ type }) => type.toLowerCase().split('-', 1)[0] ?? '')
  return codes.find(isKnown) ?? 'en'
}
