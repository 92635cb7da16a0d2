import { expect, test } from 'vitest'
import { z } from 'zod'
import { environmentSchema, fileSchema } from './settings.ts'

/** What `zod` makes of a setting. `otherwise` is its default in words, if the service does not take it from the schema. */
type Schema = {
  type?: string
  description?: string
  otherwise?: string
  default?: unknown
  minimum?: number
  maximum?: number
  enum?: readonly string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const schemaOf = (of: z.ZodType): Schema => z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' }) as Schema
const file = schemaOf(fileSchema)

/** What is set where null is allowed. */
function whole({ anyOf, ...schema }: Schema): Schema {
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  return only && others.length === 0 ? { ...only, ...schema } : schema
}

function defaultOf({ default: value, otherwise, enum: choices }: Schema, isRequired: boolean): string {
  if (otherwise !== undefined) return otherwise
  if (isRequired) return 'required'
  if (value === undefined || value === null) return 'none'
  const others = choices?.filter((choice) => choice !== value).map((choice) => `\`${choice}\``)
  const text = typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ').replaceAll(':', ': ')
  return `\`${text}\`${others ? `, or ${others.join(', ')}` : ''}`
}

function rangeOf({ minimum, maximum }: Schema): string {
  const isStated = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return isStated ? `; ${minimum} to ${maximum}` : ''
}

type Line = { name: string; text: string }

/** A setting without a description of its own is described by its parts; those of a described one may go without. */
function linesOf(schema: Schema, prefix = ''): Line[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, given]) => {
    const setting = whole(given)
    const name = `${prefix}${key}`
    const parts = linesOf(setting, `${name}.`)
    const entries = setting.items?.properties && key !== 'tokens' ? linesOf(setting.items, `${name}[].`) : []
    const { description } = setting
    if (description === undefined) return [...parts, ...entries]
    const isRequired = schema.required?.includes(key) ?? false
    return [
      { name, text: `- \`${name}\` (${defaultOf(setting, isRequired)}${rangeOf(setting)}): ${description}` },
      ...parts,
      ...entries,
    ]
  })
}

/** The settings of the families of networks: each line once, with the families that have it. */
function familyLines(variants: Readonly<Record<string, Schema>>): string[] {
  const lines = Object.entries(variants).flatMap(([family, schema]) =>
    linesOf(schema).map((line) => ({ ...line, family })),
  )
  const texts = [...new Set(lines.map(({ text }) => text))]
  return texts.map((text) => {
    const families = lines.filter((line) => line.text === text).map(({ family }) => family)
    return families.length === Object.keys(variants).length ? text : text.replace(' (', ` (${families.join(', ')}; `)
  })
}

const [evm, solana, tron] = file.properties?.['networks']?.items?.oneOf ?? []
const networks = { EVM: evm as Schema, Solana: solana as Schema, Tron: tron as Schema }
const tokens = evm?.properties?.['tokens']?.items as Schema

test('docs/settings.md has every setting with its default and limits: `npm run generate` writes it', async () => {
  const page = [
    '# Settings',
    '',
    'Made from the schema of the configuration by `npm run generate`. In parentheses: the default and the limits.',
    '[Configuration](configuration.md) is the guide.',
    '',
    '## The file',
    '',
    ...linesOf(file).map(({ text }) => text),
    '',
    '## Networks',
    '',
    ...familyLines(networks),
    '',
    '## Tokens',
    '',
    ...linesOf(tokens).map(({ text }) => text),
    '',
    '## Environment',
    '',
    ...linesOf(schemaOf(environmentSchema)).map(({ text }) => text.replace(' (none)', '')),
    '- `BFF_CONFIG`: the file, if `--config` does not name it',
    '- `BFF_HOST`, `BFF_PORT`, `DATABASE_PATH`: override the file',
    '- `SETUP_PUBLIC_URL`: the https address in the link of the set-up page',
    '- `SETUP_TRUSTED_PROXIES`: addresses or networks that the set-up page writes as `trustedProxies`',
    '',
  ]
  await expect(page.join('\n')).toMatchFileSnapshot('../../../../docs/settings.md')
})

test('every setting of the file has a line, or lines of its parts', () => {
  const lines = linesOf(file).map(({ name }) => name.split('.')[0])
  expect(Object.keys(file.properties ?? {}).filter((name) => !lines.includes(name))).toEqual([])
})

test.each(Object.entries(networks))('every setting of %s networks has a line', (_, schema) => {
  const lines = linesOf(schema).map(({ name }) => name)
  expect(Object.keys(schema.properties ?? {}).filter((name) => !lines.includes(name))).toEqual([])
})
