import { z } from 'zod'

/** Base units, stored as decimal text. By default those of a uint128. */
export const storedAmount = (digitsMax = 39) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digitsMax}}$`))
    .transform(BigInt)

/**
 * The terms of a payment as JSON, as they are stored with it: amounts as decimal text, the fields in the order of the schema.
 * Solana's deposit addresses are derived from the text, so that order stays.
 */
export function storedTerms<Shape extends z.ZodRawShape>(what: 'deposit' | 'split', schema: z.ZodObject<Shape>) {
  type Terms = z.infer<typeof schema>
  const names = Object.keys(schema.shape)
  return {
    format(terms: Terms): string {
      const fields = terms as Record<string, unknown>
      const textOf = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)
      return JSON.stringify(Object.fromEntries(names.map((name) => [name, textOf(fields[name])])))
    },
    /** @throws {Error} naming the field when the text is not what `format` wrote: the row is corrupt. */
    parse(text: string): Terms {
      const parsed = schema.safeParse(JSON.parse(text))
      if (parsed.success) return parsed.data
      const wrong = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
      throw new Error(`Stored ${what} terms are corrupt: ${wrong}`)
    },
  }
}
