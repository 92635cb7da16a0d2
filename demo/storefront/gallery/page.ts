import { randomUUID } from 'node:crypto'
import { pageTexts } from '@stablecoin-checkout/bff/testing/texts'
import { type Exhibit, exhibits } from './fixtures.ts'

/** The element's languages, each by its own name. */
export const languages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pageTexts).map(([code, { language }]) => [code, language]),
)

type Look = { name: string; theme: 'light' | 'dark'; width: 'wide' | 'narrow'; lang?: string }

/** The appearances shown side by side for each state. */
export const looks: readonly Look[] = [
  { name: 'light', theme: 'light', width: 'wide' },
  { name: 'dark', theme: 'dark', width: 'wide' },
  { name: '320 px', theme: 'light', width: 'narrow' },
  { name: 'right to left', theme: 'light', width: 'narrow', lang: 'ar' },
]

export const slug = (name: string): string => name.replace(/\W+/g, '-')

/** Groups of states by topic. The first match counts; other states are in `More`. */
const groups: readonly { title: string; names: RegExp }[] = [
  { title: 'Choosing', names: /^(choose|button|payment link)/ },
  { title: 'Waiting for the payment', names: /^(waiting|short|test|a price|pay with a wallet)/ },
  { title: 'Detected and paid', names: /^(seen|confirming|paid|too much)/ },
  { title: 'Refunds', names: /^(refund|wrong token)/ },
  { title: 'Ended', names: /^(expired|late|cancelled)/ },
  { title: 'Tempo, Tron, the shop’s own wallet, and euros', names: /^(on Tempo|on Tron|to the shop|in EURC)/ },
  { title: 'From another chain', names: /^another chain/ },
  { title: 'Wallets that pay no gas', names: /^pay without gas/ },
  { title: 'Faults', names: /^(network down|refused|service unreachable|isn’t set up)/ },
  { title: 'More', names: /(?:)/ },
]

/** The group of a state. */
export const groupOf = (name: string): string => groups.find(({ names }) => names.test(name))?.title ?? ''

/** A part of the gallery: one state, or `all` of them side by side; one language, one appearance. Unknown values are ignored. */
export type Choice = {
  state?: string | undefined
  look?: string | undefined
  lang?: string | undefined
  theme?: string | undefined
  width?: string | undefined
}

/** Small pictures of every state by group, or the chosen state in each appearance. */
export function renderGallery(origin: string, choice: Choice): string {
  const { state, look, lang: asked = '' } = choice
  const lang = asked in languages ? asked : 'en'
  const shown = exhibits.filter(({ name }) => slug(name) === state)
  if (shown.length === 0 && state !== 'all') return overview(origin, lang, choice)
  const shownLooks = looks.filter(({ name }) => slug(name) === look)
  const sections = (shown.length > 0 ? shown : exhibits).map((exhibit) =>
    section(
      exhibit.name,
      (shownLooks.length > 0 ? shownLooks : looks).map((one) => show(origin, exhibit, one, lang)),
    ),
  )
  const spoken = Object.entries(languages).map(([code, name]) =>
    show(origin, waiting, { name, theme: 'light', width: 'wide', lang: code }, code),
  )
  if (shown.length === 0) sections.push(section('In every language', spoken))
  const path = `/gallery/${slug(state ?? '')}`
  const nav = `<nav aria-label="Language">${links(languages, (code) => `${path}?lang=${code}`, lang)}</nav>`
  return page(
    shown[0]?.name ?? 'All states side by side',
    `<a href="/gallery?lang=${lang}">All states</a>${nav}`,
    sections,
  )
}

/** The miniatures are in templates, which the page's script shows when they come near. */
function overview(origin: string, lang: string, { theme, width }: Choice): string {
  const look: Look = {
    name: 'miniature',
    theme: theme === 'dark' ? 'dark' : 'light',
    width: width === 'narrow' ? 'narrow' : 'wide',
  }
  const alone = look.width === 'narrow' ? '320-px' : look.theme
  const card = (exhibit: Exhibit) =>
    `<li><h3><a href="/gallery/${slug(exhibit.name)}?lang=${lang}&amp;look=${alone}">${exhibit.name}</a></h3><div class="miniature ${look.theme}" inert><template>${show(origin, exhibit, look, lang)}</template></div></li>`
  const sections = groups.flatMap(({ title }) => {
    const members = exhibits.filter(({ name }) => groupOf(name) === title)
    if (members.length === 0) return []
    return [
      `<section id="${slug(title)}"><h2>${title}</h2><ul class="cards">${members.map(card).join('')}</ul></section>`,
    ]
  })
  const titles = groups.filter(({ title }) => exhibits.some(({ name }) => groupOf(name) === title))
  const jumps = Object.fromEntries(titles.map(({ title }) => [`#${slug(title)}`, title]))
  const head = `<form action="/gallery">
        <label>Language<select name="lang">${options(languages, lang)}</select></label>
        <label>Theme<select name="theme">${options({ light: 'Light', dark: 'Dark' }, look.theme)}</select></label>
        <label>Width<select name="width">${options({ wide: '416 px', narrow: '320 px' }, look.width)}</select></label>
        <button type="submit">Show</button>
      </form>
      <nav aria-label="Groups">${links(jumps, (hash) => hash, '')} <a href="/gallery/all?lang=${lang}">All side by side</a></nav>`
  return page('Every state of the checkout', head, sections)
}

const options = (names: Readonly<Record<string, string>>, current: string): string =>
  Object.entries(names)
    .map(([value, name]) => `<option value="${value}"${value === current ? ' selected' : ''}>${name}</option>`)
    .join('')

const page = (title: string, head: string, sections: string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/gallery/gallery.css">
    <script type="module" src="/stablecoin-checkout.js" async></script>
    <script type="module" src="/gallery/gallery.client.js"></script>
  </head>
  <body>
    <header>
      <h1>${title}</h1>
      ${head}
    </header>
    <main>${sections.join('')}</main>
  </body>
</html>`

function links(names: Readonly<Record<string, string>>, href: (key: string) => string, current: string): string {
  return Object.entries(names)
    .map(([key, name]) => `<a href="${href(key)}"${key === current ? ' aria-current="page"' : ''}>${name}</a>`)
    .join(' ')
}

const waiting: Exhibit = exhibits.find(({ name }) => name === 'waiting') ?? { name: 'waiting', attributes: {} }

const section = (name: string, figures: string[]): string =>
  `<section id="${slug(name)}"><h2>${name}</h2><div class="row">${figures.join('')}</div></section>`

/** The texts are constants without HTML characters. */
function show(origin: string, exhibit: Exhibit, look: Look, lang: string): string {
  const attributes = {
    'api-base': `${origin}/gallery/${encodeURIComponent(exhibit.name)}`,
    'public-key': 'pk_test_gallery',
    ...(exhibit.wallet && { 'payment-id': randomUUID(), 'client-secret': 'cs_gallery' }),
    ...exhibit.attributes,
    lang: look.lang ?? lang,
    theme: look.theme,
  }
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  const { behaviour = '', family = '' } = exhibit.wallet ?? {}
  const wallet = exhibit.wallet ? ` data-wallet="${behaviour}" data-family="${family}"` : ''
  return `<figure class="${look.width} ${look.theme}"${wallet} id="${slug(exhibit.name)}.${slug(look.name)}"><figcaption>${look.name}</figcaption><stablecoin-checkout ${text.join(' ')}></stablecoin-checkout></figure>`
}
