import { html } from 'hono/html'
import type { Schema, Schemas } from '../operation/openapi-examples.ts'

/** Markup in which all text from outside is escaped. */
export type Html = ReturnType<typeof html>

/** Text of the document, whose only markup is `code`. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

const nameOf = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1)

/** A field's type in words. A component becomes a link to its fields. */
function typeOf(schema: Schema): Html {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="/docs/objects#${name}">${name}</a>`
  const options = schema.anyOf ?? schema.oneOf ?? (schema.allOf?.length === 1 ? schema.allOf : undefined)
  if (options) return html`${options.flatMap((one, index) => (index === 0 ? [typeOf(one)] : [' or ', typeOf(one)]))}`
  const types = [schema.type ?? 'any'].flat()
  const words = types.map((type) => (type === 'string' && schema.format ? schema.format : type))
  if (!types.includes('array') || !schema.items) return html`${words.join(' or ')}`
  const others = words.filter((word) => word !== 'array').map((word) => ` or ${word}`)
  return html`array of ${typeOf(schema.items)}${others}`
}

/** A value's rules besides its type. */
function rulesOf(schema: Schema): string[] {
  const rules: string[] = []
  if (schema.enum) rules.push(`one of ${schema.enum.map((one) => `\`${one === '' ? '""' : String(one)}\``).join(', ')}`)
  if (schema.const !== undefined) rules.push(`always \`${String(schema.const)}\``)
  if (schema.default !== undefined) rules.push(`default \`${JSON.stringify(schema.default)}\``)
  if (schema.minLength !== undefined && schema.minLength > 1) rules.push(`at least ${schema.minLength} characters`)
  if (schema.maxLength !== undefined) rules.push(`at most ${schema.maxLength.toLocaleString('en')} characters`)
  if (schema.minItems !== undefined) rules.push(`at least ${schema.minItems}`)
  if (schema.maxItems !== undefined) rules.push(`at most ${schema.maxItems}`)
  if (schema.minimum !== undefined && Number.isSafeInteger(schema.minimum)) {
    const isPlain = schema.minimum > Number.MIN_SAFE_INTEGER
    if (isPlain) rules.push(`from ${schema.minimum.toLocaleString('en')}`)
  }
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) {
    rules.push(`to ${schema.maximum.toLocaleString('en')}`)
  }
  return rules
}

export type Field = { name: string; schema: Schema; isRequired: boolean; description?: string | undefined }

/** The fields of an object, including those that it is composed of. */
export function fieldsOf(schemas: Schemas, given: Schema): Field[] {
  const schema = schemas[nameOf(given) ?? ''] ?? given
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: schema.required?.includes(name) ?? false,
    description: property.description,
  }))
  return [...(schema.allOf ?? []).flatMap((part) => fieldsOf(schemas, part)), ...own]
}

/** The object that a field contains or lists, if it is declared at the field. */
function inlineObject(schema: Schema): Schema | undefined {
  const options = [schema, schema.items ?? {}, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return options.find((one) => one.properties !== undefined)
}

/** @param requires - Whether to mark required fields. A response has all its fields unless its schema says otherwise. */
export function renderFields(fields: readonly Field[], requires: boolean): Html | null {
  if (fields.length === 0) return null
  return html`<dl class="fields">${fields.map((field) => renderField(field, requires))}</dl>`
}

function renderField({ name, schema, isRequired, description }: Field, requires: boolean): Html {
  const rules = rulesOf(schema.items?.enum ? schema.items : schema)
  const inner = inlineObject(schema)
  const mark = requires
    ? isRequired && html` <strong class="required">required</strong>`
    : !isRequired && html` <span class="optional">optional</span>`
  return html`<div><dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${mark}</dt>
<dd>${description !== undefined && html`<p>${prose(description)}</p>`}${
    rules.length > 0 && html`<p class="rules">${prose(rules.join('; '))}</p>`
  }${inner && html`<details><summary>Fields of <code>${name}</code></summary>${renderFields(fieldsOf({}, inner), requires)}</details>`}</dd></div>`
}
