import { html, raw } from 'hono/html'
import type { Operation } from '../context/operation.ts'
import type { DocumentedOperation, Response } from '../operation/openapi-document.ts'
import type { Schema, Schemas } from '../operation/openapi-examples.ts'
import { fieldsOf, type Html, prose, renderFields } from './render-schema.ts'
import { calledWith } from './tasks.ts'

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }

/** An operation of the document, with its declaration. */
export type Documented = {
  method: string
  path: string
  declared: Operation
  operation: DocumentedOperation & { summary?: string; description?: string }
}

/** The placeholder in examples that each response replaces with the service's address. */
export const exampleOrigin = 'https://service.example'

const exampleId = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'

/** Example values of path parameters that are not payment ids. */
const pathValues: Readonly<Record<string, string>> = {
  agentId: 'shopping-agent-1',
  linkId: 'pl_2vT9xK4mQ7',
  chainId: '8453',
  networkId: 'base',
}

const pathValue = (name: string): string => pathValues[name] ?? exampleId

export const addressOf = ({ path, operation }: Pick<Documented, 'path' | 'operation'>): string =>
  `${operation.servers?.[0]?.url ?? '/api/v1'}${path}`

const bodyOf = ({ operation }: Documented) => operation.requestBody?.content?.['application/json']

/** The text in single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curlOf(documented: Documented): string {
  const { method, declared } = documented
  const url = addressOf(documented).replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValue(name))
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${exampleOrigin}${url}`]
  if (declared.access === 'secret') lines.push('-H "X-API-Key: $API_KEY" -H "X-API-Secret: $API_SECRET"')
  if (['key', 'lenientKey', 'clientSecret'].includes(declared.access)) lines.push('-H "X-Public-Key: $PUBLIC_KEY"')
  if (declared.access === 'session') lines.push('-H "Cookie: $SESSION"')
  const body = bodyOf(documented)
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.example, null, 2))}`)
  return lines.join(' \\\n  ')
}

/** The call with the client for Node; null for operations of the dashboard's page, which the client leaves out. */
function clientCallOf(documented: Documented): string | null {
  const { method, path, declared } = documented
  if (declared.access === 'session' || declared.access === 'page') return null
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const options: string[] = []
  const values = names.map((name) => `${name}: ${literal(name === 'chainId' ? 8453 : pathValue(name))}`)
  if (names.length > 0) options.push(`params: { path: { ${values.join(', ')} } },`)
  const body = bodyOf(documented)
  if (body) options.push(`body: ${literal(body.example)},`)
  const call = `await checkout.${method.toUpperCase()}('${path}'`
  return options.length === 0 ? `${call})` : `${call}, {\n  ${options.join('\n  ')}\n})`
}

/** The longest object that is written on one line. */
const lineMax = 48

/** The value as JavaScript source. @param indent - The indentation of the line on which it begins. */
function literal(value: unknown, indent = '  '): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const name = (text: string) => (/^[a-z_$][\w$]*$/i.test(text) ? text : `'${text}'`)
  const fields = Object.entries(value).map(([key, one]) => `${name(key)}: ${literal(one, inner)}`)
  if (fields.length === 0) return '{}'
  const line = `{ ${fields.join(', ')} }`
  return line.length <= lineMax ? line : `{\n${inner}${fields.join(`,\n${inner}`)},\n${indent}}`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** JSON with its names and values highlighted. */
function coloured(text: string): Html {
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?)\b/g
  let markup = ''
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const [whole, string, colon, other] = match
    markup += escaped(text.slice(end, match.index))
    const kind = colon !== undefined ? 'name' : other !== undefined ? 'value' : 'string'
    markup += `<span class="${kind}">${escaped(string ?? other ?? '')}</span>${colon ?? ''}`
    end = match.index + whole.length
  }
  return html`${raw(markup + escaped(text.slice(end)))}`
}

/** A block of code that can be scrolled by keyboard. */
export function renderCode(title: string, language: string, text: string): Html {
  const code = language === 'json' ? coloured(text) : text
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0" role="group" aria-label="${title}"><code data-language="${language}">${code}</code></pre></figure>`
}

export function renderOperation(schemas: Schemas, documented: Documented): Html {
  const { method, operation } = documented
  const { operationId = '', summary, description } = operation
  const call = clientCallOf(documented)
  const body = bodyOf(documented)
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="text"><h2 id="${operationId}-title"><a href="#${operationId}">${prose(summary ?? operationId)}</a></h2>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${addressOf(documented)}</code></p>
${description !== undefined && html`<p>${prose(description)}</p>`}
${renderCaller(documented.declared)}
${renderParameters(operation.parameters as readonly Parameter[] | undefined)}
${body?.schema && html`<h3>Body</h3>${renderFields(fieldsOf(schemas, body.schema), true) ?? html`<p>JSON</p>`}`}
${renderResponses(schemas, operation.responses ?? {})}</div>
<div class="samples">${renderCode('curl', 'sh', curlOf(documented))}
${call !== null && renderCode('Node', 'ts', call)}
${renderExamples(operation.responses ?? {})}</div></section>`
}

function renderCaller({ access, scope, idempotency, passkey }: Operation): Html {
  const also: string[] = []
  if (scope === 'agent') also.push("An agent's key may call it.")
  if (access === 'session' && passkey) also.push('The person confirms it with a passkey.')
  if (idempotency) also.push('A repeat with the same `Idempotency-Key` returns the first response.')
  return html`<p class="caller"><span>Called with ${prose([`${calledWith[access]}.`, ...also].join(' '))}</span></p>`
}

/** Leaves out `Idempotency-Key`, which is explained once, at the beginning. */
function renderParameters(parameters: readonly Parameter[] = []): Html | null {
  const fields = parameters
    .filter(({ name }) => name !== 'Idempotency-Key')
    .map(({ name, schema = {}, required = false, description }) => ({
      name,
      schema,
      isRequired: required,
      description: description ?? schema.description,
    }))
  return fields.length === 0 ? null : html`<h3>Parameters</h3>${renderFields(fields, true)}`
}

/** The operation's own responses. Refusals that all operations share are listed once, at the beginning. */
function renderResponses(schemas: Schemas, responses: Readonly<Record<string, Response>>): Html {
  const own = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [] : [{ status, response }],
  )
  return html`<h3>Responses</h3>${own.map(({ status, response: { description, content = {} } }) => {
    const [[type, { schema = {} }] = ['', {}]] = Object.entries(content) as [string, { schema?: Schema }][]
    const fields = type === 'application/json' ? renderFields(fieldsOf(schemas, schema), false) : null
    const line = html`<span class="status">${status}</span> ${prose(description ?? '')}`
    return fields
      ? html`<details class="response"><summary>${line}</summary>${fields}</details>`
      : html`<p class="response">${line}${type && html` (<code>${type}</code>)`}</p>`
  })}`
}

function renderExamples(responses: Readonly<Record<string, Response>>): Html[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if ('$ref' in response || !status.startsWith('2')) return []
    return Object.values(response.content ?? {}).flatMap(({ example }) =>
      example === undefined
        ? []
        : typeof example === 'string'
          ? [renderCode(`Response ${status}`, 'text', example)]
          : [renderCode(`Response ${status}`, 'json', JSON.stringify(example, null, 2))],
    )
  })
}
