import { randomUUID } from 'node:crypto'
import { type Exhibit, exhibits } from './fixtures.ts'

/** The element's languages, each by its own name. */
export const languages: Readonly<Record<string, string>> = {
  en: 'English',
  es: 'Español',
  pt: 'Português',
  fr: 'Français',
  de: 'Deutsch',
  tr: 'Türkçe',
  ar: 'العربية',
  sw: 'Kiswahili',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  vi: 'Tiếng Việt',
  zh: '简体中文',
}

type Look = { name: string; theme: 'light' | 'dark'; width: 'wide' | 'narrow'; lang?: string }

/** The appearances shown side by side for each state. */
export const looks: readonly Look[] = [
  { name: 'light', theme: 'light', width: 'wide' },
  { name: 'dark', theme: 'dark', width: 'wide' },
  { name: '320 px', theme: 'light', width: 'narrow' },
  { name: 'right to left', theme: 'light', width: 'narrow', lang: 'ar' },
]

export const slug = (name: string): string => name.replace(/\W+/g, '-')

/** A part of the gallery: all of it, one state, one language, one appearance. Unknown values are ignored. */
export type Choice = { state?: string | undefined; look?: string | undefined; lang?: string | undefined }

/** Every state of the element, or the chosen one, followed by one state in every language. */
export function renderGallery(origin: string, { state, look, lang: asked = '' }: Choice): string {
  const lang = asked in languages ? asked : 'en'
  const shown = exhibits.filter(({ name }) => slug(name) === state)
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
  return page(lang, state ? `/gallery/${slug(state)}` : '/gallery', sections)
}

const page = (lang: string, path: string, sections: string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Every state of the checkout</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/gallery/gallery.css">
    <script type="module" src="/stablecoin-checkout.js" async></script>
    <script type="module" src="/gallery/wallet.client.js"></script>
  </head>
  <body>
    <header>
      <h1><a href="/gallery?lang=${lang}">Every state of the checkout</a></h1>
      <nav aria-label="Language">${links(languages, (code) => `${path}?lang=${code}`, lang)}</nav>
      <nav aria-label="State">${links(states, (name) => `/gallery/${name}?lang=${lang}`, path.split('/').at(-1) ?? '')}</nav>
    </header>
    <main>${sections.join('')}</main>
  </body>
</html>`

const states = Object.fromEntries(exhibits.map(({ name }) => [slug(name), name]))

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
