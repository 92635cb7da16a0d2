/** The parts of a JSON Schema in the OpenAPI document that examples need. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  example?: unknown
  format?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export type Schemas = Readonly<Record<string, Schema>>

/** Values by field name. An object is used as itself, and as the entries of an array. */
export type ExampleValues = Readonly<Record<string, unknown>>

export type Examples = {
  /** Values of a field, wherever it occurs. */
  fields: ExampleValues
  /**
   * Values of one operation's response, by its operationId, or by operationId and status; a text is the whole response. They
   * take precedence over `fields`.
   */
  operations: Readonly<Record<string, ExampleValues | string>>
  /** Values of one operation's body, by its operationId. */
  requests: Readonly<Record<string, ExampleValues>>
}

const formats: Readonly<Record<string, string>> = {
  uuid: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11',
  'date-time': '2026-11-21T12:00:00.000Z',
  date: '2026-11-21',
  uri: 'https://shop.example',
  email: 'ada@example.com',
}

/**
 * Makes examples of schemas. Each field gets the known value of its name if that fits the field's type, else the schema's own example, else
 * the smallest value that the schema allows. An optional field is included only if the value of its parent object has it.
 */
export function createExamples(schemas: Schemas, fields: ExampleValues) {
  function resolved(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : resolved(schemas[name] ?? {})
  }

  function isOfType(value: unknown, given: Schema): boolean {
    const schema = resolved(given)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return options.some((one) => isOfType(value, one))
    if (schema.const !== undefined) return schema.const === value
    if (schema.enum) return schema.enum.includes(value)
    const types = schema.type === undefined ? [] : [schema.type].flat()
    const { items } = schema
    if (items && types.includes('array') && value !== null) return [value].flat().every((one) => isOfType(one, items))
    return types.length === 0 || types.some((type) => isOf(type, value))
  }

  function exampleOf(given: Schema, value?: unknown): unknown {
    const schema = resolved(given)
    const known = isOfType(value, schema) ? value : undefined
    const options = schema.anyOf ?? schema.oneOf
    if (options) return ofOptions(options, known)
    if (schema.const !== undefined) return schema.const
    if (known === null) return null
    const type = [schema.type].flat().find((one) => one !== 'null')
    if (type === 'object' || schema.allOf || schema.properties) return ofObject(schema, known ?? schema.example)
    if (type === 'array') return ofArray(schema, value ?? schema.example)
    if (known !== undefined) return known
    if (schema.example !== undefined) return schema.example
    if (schema.enum) return schema.enum[0]
    if ([schema.type].flat().includes('null')) return null
    return leastOf(schema, type)
  }

  function ofOptions(options: Schema[], known: unknown): unknown {
    if (known === undefined && options.some((one) => resolved(one).type === 'null')) return null
    return exampleOf(options.find((one) => known !== undefined && isOfType(known, one)) ?? options[0] ?? {}, known)
  }

  function ofArray(schema: Schema, value: unknown): unknown[] {
    const entries = Array.isArray(value) ? value : [value]
    return schema.items ? entries.map((one) => exampleOf(schema.items ?? {}, one)) : entries
  }

  function ofObject(schema: Schema, value: unknown): Record<string, unknown> {
    const own = isRecord(value) ? value : {}
    const parts = [schema, ...(schema.allOf ?? []).map(resolved)]
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>
    if (Object.keys(properties).length === 0) return own
    const required = new Set(parts.flatMap((part) => part.required ?? []))
    const shown = Object.entries(properties).filter(([name]) => required.has(name) || own[name] !== undefined)
    return Object.fromEntries(shown.map(([name, property]) => [name, ofProperty(name, property, own)]))
  }

  function ofProperty(name: string, property: Schema, own: Record<string, unknown>): unknown {
    const isOwn = own[name] !== undefined && isOfType(own[name], property)
    return exampleOf(property, isOwn ? own[name] : fields[name])
  }

  return exampleOf
}

function leastOf(schema: Schema, type: string | undefined): unknown {
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(0, schema.minimum ?? 0)
  return formats[schema.format ?? ''] ?? 'text'
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
