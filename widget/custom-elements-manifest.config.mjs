/** The `order-id` attribute sets `orderId`: the rule of `setting('order-id')` in `src/checkout-settings.ts`. */
const attributeOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const wordsOf = (ts, node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment : ts.getTextOfJSDocComment(comment)) ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Takes events and descriptions from `CheckoutEvents`. */
function eventsOfType() {
  const events = []
  return {
    name: 'events-of-type',
    analyzePhase({ ts, node }) {
      if (!ts.isTypeAliasDeclaration(node) || node.name.text !== 'CheckoutEvents') return
      let description = ''
      for (const member of node.type.members) {
        // One comment may describe several members.
        description = wordsOf(ts, member) || description
        const type = { text: `CustomEvent<${member.type.getText().replace(/\s+/g, ' ')}>` }
        events.push({ name: member.name.text, type, description })
      }
    },
    packageLinkPhase({ customElementsManifest }) {
      for (const element of elementsOf(customElementsManifest)) element.events = events
    },
  }
}

const elementsOf = (manifest) =>
  manifest.modules.flatMap(({ declarations = [] }) => declarations).filter(({ name }) => name === 'StablecoinCheckout')

/** Merges everything a page may use into one declaration, without implementation details. */
function whatAPageMayUse() {
  return {
    name: 'what-a-page-may-use',
    packageLinkPhase({ customElementsManifest: manifest }) {
      const [element] = elementsOf(manifest)
      const [settings] = manifest.modules
        .flatMap(({ declarations = [] }) => declarations)
        .filter(({ name }) => name === 'CheckoutSettings')
      const isPublic = ({ privacy, static: isStatic, inheritedFrom }) =>
        !isStatic && privacy === undefined && (!inheritedFrom || inheritedFrom.name === 'CheckoutSettings')
      const fields = settings.members.filter((member) => isPublic(member) && member.kind === 'field')
      for (const field of fields) if (field.type?.text === 'Theme') field.type.text = "'light' | 'dark' | 'auto'"
      const attributes = fields.map(({ name, type, default: value, description }) => {
        // Adds descriptions to members that the analyzer adds itself.
        const known = /^'.+'$/.test(value ?? '') ? { default: value } : {}
        return { name: attributeOf(name), type, ...known, description, fieldName: name }
      })
      const own = element.members.filter(isPublic).map(({ inheritedFrom, attribute, ...member }) => member)
      const settingNames = new Set(fields.map(({ name }) => name))
      const members = [
        ...attributes.map(({ name, fieldName, ...field }) => ({
          ...{ kind: 'field', name: fieldName, privacy: 'public', ...field },
          ...{ attribute: name, reflects: fieldName !== 'metadata' },
        })),
        ...own.filter(({ name }) => !settingNames.has(name)),
      ]
      const { kind, summary, description, name, events } = element
      const { slots, cssParts, cssProperties } = settings
      const declaration = { kind, name, summary, description, tagName: 'stablecoin-checkout', customElement: true }
      const superclass = { name: 'HTMLElement' }
      const path = 'dist/stablecoin-checkout.mjs'
      manifest.modules = [
        {
          kind: 'javascript-module',
          path,
          declarations: [{ ...declaration, superclass, attributes, members, events, slots, cssParts, cssProperties }],
          exports: [
            { kind: 'js', name, declaration: { name, module: path } },
            { kind: 'custom-element-definition', name: 'stablecoin-checkout', declaration: { name, module: path } },
          ],
        },
      ]
    },
  }
}

export default {
  // The default would write into the nearest package.json.
  packagejson: false,
  globs: ['src/stablecoin-checkout.ts', 'src/checkout-settings.ts', 'src/events.ts'],
  plugins: [eventsOfType(), whatAPageMayUse()],
}
