/**
 * Placeholders in a text, as in ICU's MessageFormat: `{0}`, or with plural forms
 * `{0, plural, one {# day} other {# days}}`, where `#` is the value. The forms are those of `Intl.PluralRules`.
 */
const places = /\{(\d)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g

/**
 * Fills the placeholders of a text in a language. Values are inserted as text, never as markup.
 * @param values - A number that selects a plural form is whole, and may be grouped: `1,250`.
 */
export function fillText(text: string, values: readonly (string | number)[], language: string): string {
  return text.replace(places, (_, place: string, forms?: string) => {
    const value = String(values[Number(place)] ?? '')
    if (forms === undefined) return value
    const count = Number(value.replace(/\D/g, ''))
    return formOf(forms, new Intl.PluralRules(language).select(count)).replaceAll('#', () => value)
  })
}

/** The form for the rule; else `other`, which every text has. */
function formOf(forms: string, rule: Intl.LDMLPluralRule): string {
  const found = new Map([...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, name, form = '']) => [name, form]))
  return found.get(rule) ?? found.get('other') ?? ''
}
