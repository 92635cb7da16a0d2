import { z } from 'zod'

/** Base units as decimal text; a uint128 by default. */
export const storedAmount = (digitsMax = 39) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digitsMax}}$`))
    .transform(BigInt)

/**
 * A payment's terms as stored JSON: amounts as decimal text, fields in the schema's order. Solana's deposit addresses are derived
 * from the text, so the order must never change.
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
    /** @throws {Error} naming the field if `format` did not write the text: the row is corrupt. */
    parse(text: string): Terms {
      const parsed = schema.safeParse(JSON.parse(text))
      if (parsed.success) return parsed.data
      const wrong = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
      throw new Error(`Stored ${what} terms are corrupt: ${wrong}`)
    },
  }
}
