#!/usr/bin/env node
// Writes custom-elements.json from the source's docstrings, and docs/element.md from that; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cli } from '@custom-elements-manifest/analyzer/cli.js'

const folder = fileURLToPath(new URL('.', import.meta.url))
const manifest = await cli({ argv: ['analyze', '--quiet'], cwd: folder, noWrite: true })
const [element] = manifest.modules[0].declarations

const cell = (text = '') => text.replace(/\s*\n\s*/g, ' ')
const code = (text) => (text ? `\`${cell(text)}\`` : '')
const list = (rows) => rows.map((row) => `- ${row}`).join('\n')

/** A list entry. Names the type unless it is text. */
const line = (name, type, description) =>
  `${code(name)}${type && type !== 'string' ? ` (${code(type)})` : ''}: ${cell(description)}`

const methods = element.members.filter(({ kind }) => kind === 'method')
const readonly = element.members.filter((member) => !member.attribute && !methods.includes(member))

const page = `# \`<${element.tagName}>\`

<!-- Made by \`npm run describe -w widget\` from the docstrings of \`widget/src\`; change it there. -->

${element.summary} Embedding, styling and frameworks: [widget/README.md](../widget/README.md).

## Attributes

Each is also a property in camelCase (\`api-base\`: \`apiBase\`), which its attribute reflects (not \`metadata\`). The type is text unless named.

${list(
  element.attributes.map(({ name, type, default: value, description }) =>
    line(name, value ? `${type.text} = ${value}` : type.text, description),
  ),
)}

## Read-only properties

${list(readonly.map(({ name, type, description }) => line(name, type?.text, description)))}

## Methods

${list(methods.map(({ name, description }) => line(`${name}()`, undefined, description)))}

## Events

Each is a \`CustomEvent\` with this \`detail\`; all bubble and cross shadow roots. \`Payment\` holds exact decimal text: \`widget/src/payment.ts\`.

${list(
  element.events.map(({ name, type, description }) =>
    line(name, type.text.replace(/^CustomEvent<(.*)>$/, '$1'), description),
  ),
)}

## Slots

${list(element.slots.map(({ name, description }) => line(name, undefined, description)))}

## Parts

${list(element.cssParts.map(({ name, description }) => line(name, undefined, description)))}

## Custom properties

Listed with defaults; \`light-dark(…, …)\` gives one value for each theme.

${list(element.cssProperties.map(({ name, default: value, description }) => line(name, value, description)))}
`

/** A type as written in the source, with its docstring. */
function typeIn(file, name) {
  const source = readFileSync(`${folder}src/${file}`, 'utf8')
  const [, found] =
    new RegExp(`((?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export type ${name} =[\\s\\S]*?\\n)(?=\\n|$)`).exec(source) ??
    []
  if (!found) throw new Error(`No type ${name} in ${file}.`)
  return found
}

const settings = element.members
  .filter(({ attribute }) => attribute)
  .map(({ name, type, description }) => `  /** ${description} */\n  ${name}: ${type.text}\n`)
const types = `// Made by \`npm run describe -w widget\`: the element's API for a page's scripts, in one file that can be copied.

${typeIn('payment.ts', 'QrModules')}
${typeIn('payment.ts', 'Payment')}
${typeIn('payment.ts', 'Stage')}
${typeIn('terms.ts', 'Metadata')}
${typeIn('events.ts', 'CheckoutEvents')}
/** The attributes, as written in a template. */
export type CheckoutAttributes = {
${element.attributes
  .map(
    ({ name, fieldName, type }) =>
      `  ${/-/.test(name) ? `'${name}'` : name}?: ${fieldName === 'metadata' ? 'string' : type.text}\n`,
  )
  .join('')}}

/** ${element.summary} */
export interface StablecoinCheckout extends HTMLElement {
${settings.join('')}${readonly.map(({ name, type, description }) => `  /** ${description} */\n  readonly ${name}: ${type.text}\n`).join('')}${methods
  .map(({ name, description }) => `  /** ${description} */\n  ${name}(): void\n`)
  .join('')}}

declare global {
  interface HTMLElementTagNameMap {
    'stablecoin-checkout': StablecoinCheckout
  }
  interface GlobalEventHandlersEventMap {
${element.events.map(({ name }) => `    '${name}': CustomEvent<CheckoutEvents['${name}']>\n`).join('')}  }
}
`

const files = [
  [`${folder}types/stablecoin-checkout.d.ts`, types],
  [`${folder}custom-elements.json`, `${JSON.stringify(manifest, null, 2)}\n`],
  [`${folder}../docs/element.md`, page],
]
const isCheck = process.argv.includes('--check')
for (const [path, text] of files) {
  if (!isCheck) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${path} is out of date: npm run describe -w widget\n`)
    process.exitCode = 1
  }
}
