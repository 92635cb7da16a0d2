#!/usr/bin/env node
// Writes custom-elements.json from the source's docstrings, and docs/element.md from that; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cli } from '@custom-elements-manifest/analyzer/cli.js'

const folder = fileURLToPath(new URL('.', import.meta.url))
const manifest = await cli({ argv: ['analyze', '--quiet'], cwd: folder, noWrite: true })
const [element] = manifest.modules[0].declarations

const cell = (text = '') => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
const code = (text) => (text ? `\`${cell(text)}\`` : '')
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const methods = element.members.filter(({ kind }) => kind === 'method')
const readonly = element.members.filter((member) => !member.attribute && !methods.includes(member))

const page = `# \`<${element.tagName}>\`

<!-- Made by \`npm run describe -w widget\` from the docstrings of \`widget/src\`; change it there. -->

${element.summary} Embedding, styling and frameworks: [widget/README.md](../widget/README.md).

## Attributes

Each is also a property in camelCase (\`api-base\`: \`apiBase\`), which its attribute reflects (not \`metadata\`).

${table(
  ['attribute', 'type', ''],
  element.attributes.map(({ name, type, default: value, description }) => [
    code(name),
    code(value ? `${type.text} = ${value}` : type.text),
    cell(description),
  ]),
)}

## Properties that are only read

${table(
  ['property', 'type', ''],
  readonly.map(({ name, type, description }) => [code(name), code(type?.text), cell(description)]),
)}

## Methods

${table(
  ['method', ''],
  methods.map(({ name, description }) => [code(`${name}()`), cell(description)]),
)}

## Events

All bubble and cross shadow roots. \`Payment\` holds exact decimal text: \`widget/src/payment.ts\`.

${table(
  ['event', 'type', ''],
  element.events.map(({ name, type, description }) => [code(name), code(type.text), cell(description)]),
)}

## Slots

${table(
  ['slot', ''],
  element.slots.map(({ name, description }) => [code(name), cell(description)]),
)}

## Parts

${table(
  ['part', ''],
  element.cssParts.map(({ name, description }) => [code(name), cell(description)]),
)}

## Custom properties

\`light-dark(…, …)\` gives one value for each theme.

${table(
  ['property', 'default', ''],
  element.cssProperties.map(({ name, default: value, description }) => [code(name), code(value), cell(description)]),
)}
`

/** A type as the source writes it, with its words. */
function typeIn(file, name) {
  const source = readFileSync(`${folder}src/${file}`, 'utf8')
  const [, found] =
    new RegExp(`((?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export type ${name} =[\\s\\S]*?\\n)(?=\\n|$)`).exec(source) ??
    []
  if (!found) throw new Error(`There is no type ${name} in ${file}.`)
  return found
}

const settings = element.members
  .filter(({ attribute }) => attribute)
  .map(({ name, type, description }) => `  /** ${description} */\n  ${name}: ${type.text}\n`)
const types = `// Made by \`npm run describe -w widget\`: what a page's scripts may use of the element, in one file that can be copied.

${typeIn('payment.ts', 'QrModules')}
${typeIn('payment.ts', 'Payment')}
${typeIn('payment.ts', 'Stage')}
${typeIn('terms.ts', 'Metadata')}
${typeIn('events.ts', 'CheckoutEvents')}
/** The attributes, as a template writes them. */
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
    process.stderr.write(`${path} is not what the source says: npm run describe -w widget\n`)
    process.exitCode = 1
  }
}
