import { type Exhibit, exhibits } from './fixtures.ts'

/** Those the element speaks, each by its own name. */
const languages: Readonly<Record<string, string>> = {
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

const looks = [
  { name: 'light', theme: 'light', width: 'wide' },
  { name: 'dark', theme: 'dark', width: 'wide' },
  { name: '320 px', theme: 'light', width: 'narrow' },
] as const

/** All of it in one language; one screen in all of them at the end. */
export function renderGallery(origin: string, asked: string): string {
  const lang = asked in languages ? asked : 'en'
  const links = Object.entries(languages).map(
    ([code, name]) =>
      `<a href="?lang=${code}" lang="${code}"${code === lang ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  const rows = exhibits.map(
    (exhibit) =>
      `<section><h2 id="${slug(exhibit)}">${exhibit.name}</h2><div class="row">${looks
        .map(({ name, theme, width }) => show(origin, exhibit, name, { lang, theme }, width))
        .join('')}</div></section>`,
  )
  const spoken = Object.entries(languages).map(([code, name]) =>
    show(origin, { name: 'waiting', attributes: waiting }, name, { lang: code, theme: 'light' }, 'wide'),
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Every screen of the checkout</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/gallery/gallery.css">
    <script src="/stablecoin-checkout.js" async></script>
  </head>
  <body>
    <header><h1>Every screen of the checkout</h1><nav aria-label="Language">${links.join(' ')}</nav></header>
    <main>${rows.join('')}<section><h2>In every language</h2><div class="row">${spoken.join('')}</div></section></main>
  </body>
</html>`
}

const waiting = exhibits.find(({ name }) => name === 'waiting')?.attributes ?? {}

const slug = ({ name }: Exhibit): string => name.replace(/\W+/g, '-')

/** Texts are our own, without marks that HTML would read. */
function show(origin: string, exhibit: Exhibit, caption: string, over: Record<string, string>, width: string): string {
  const attributes = {
    'api-base': `${origin}/gallery/${encodeURIComponent(exhibit.name)}`,
    'public-key': 'pk_test_gallery',
    ...exhibit.attributes,
    ...over,
  }
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  return `<figure class="${width} ${over['theme']}"><figcaption>${caption}</figcaption><stablecoin-checkout ${text.join(' ')}></stablecoin-checkout></figure>`
}
