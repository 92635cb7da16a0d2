import type { z } from '@hono/zod-openapi'
import type { Caller } from './caller.ts'

/** Who reads a response: by kind of key (`secret`: API key and secret), or by role in the dashboard. */
const readers = ['public', 'agent', 'viewer', 'staff', 'owner', 'secret'] as const
export type Reader = (typeof readers)[number]

/** Everybody except holders of a public key, which is visible in a page. */
export const merchantReaders: readonly Reader[] = ['agent', 'viewer', 'staff', 'owner', 'secret']

/** For what concerns only those who may refund. */
export const refundReaders: readonly Reader[] = ['staff', 'owner', 'secret']

/**
 * For client secrets, and links with one, which let their holder name a refund's address and end the payment. An open session must not
 * move money, so people get the links by operations that require the passkey.
 */
export const clientSecretReaders: readonly Reader[] = ['secret']

/** For the URL of a payment link, which lets its holder pay: not for viewers. */
export const linkReaders: readonly Reader[] = ['agent', 'staff', 'owner', 'secret']

type ReaderFacts = Pick<Caller, 'kind' | 'scope' | 'session'>

function readerOf({ kind, scope, session }: ReaderFacts): Reader {
  if (session) return session.role
  if (kind === 'public') return 'public'
  return scope === 'agent' ? 'agent' : 'secret'
}

const key = 'x-seen-by'

/**
 * Declares in the schema, and so in the OpenAPI document, who sees the field. Fields without a declaration are visible to all. Pass the
 * complete schema: `openapi()` or `optional()` on the result would lose the declaration.
 */
export const seenBy = <Schema extends z.ZodType>(who: readonly Reader[], schema: Schema): Schema =>
  schema.meta({ [key]: who })

const readersOf = (schema: z.ZodType): readonly Reader[] =>
  (schema.meta()?.[key] as readonly Reader[] | undefined) ?? readers

export const isSeenBy = (caller: ReaderFacts, schema: z.ZodType): boolean =>
  readersOf(schema).includes(readerOf(caller))

/**
 * Makes the one function that withholds fields: what the reader must not see becomes null, `{}` or absent, whichever the field's schema
 * allows first.
 */
export function createFieldFilter(shape: Readonly<Record<string, z.ZodType>>) {
  const guarded = Object.entries(shape)
    .filter(([, schema]) => readersOf(schema) !== readers)
    .map(([name, schema]) => {
      const withheld = [null, {}, undefined].find((empty) => schema.safeParse(empty).success)
      return { schema, withheld: { [name]: withheld }, name }
    })
  return <View extends object>(caller: ReaderFacts, view: View): View => {
    for (const { schema, withheld, name } of guarded)
      if (name in view && !isSeenBy(caller, schema)) Object.assign(view, withheld)
    return view
  }
}
