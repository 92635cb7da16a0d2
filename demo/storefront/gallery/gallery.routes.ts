import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { answerFor } from './fixtures.ts'
import { renderGallery } from './page.ts'

const logos = new URL('../../../bff/src/logos/', import.meta.url)
const style = readFileSync(new URL('./gallery.css', import.meta.url), 'utf8')
const scripts = ['gallery.client.js', 'wallet.client.js'].map((name) => ({
  name,
  text: readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'),
}))

/**
 * The element's development page: small pictures of every state by group, in the chosen language, theme and width.
 * `/gallery/paid` is one state in each appearance, `?look=dark` one appearance, `?lang=de` another language,
 * `/gallery/all` everything side by side. Its data is made up, and no service is called.
 */
export function galleryRoutes(app: Hono, policy: string): void {
  app.get('/gallery/gallery.css', (c) => c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }))

  for (const { name, text } of scripts) {
    app.get(`/gallery/${name}`, (c) => c.body(text, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }))
  }

  // Served like the service's.
  app.get('/gallery/logos/:kind{tokens|networks}/:file{[a-z]+\\.svg}', async (c) => {
    const { kind, file } = c.req.param()
    const picture = await readFile(new URL(`${kind}/${file}`, logos)).catch(() => null)
    if (picture === null) return c.text('No such logo.', 404)
    return c.body(new Uint8Array(picture), 200, { 'Content-Type': 'image/svg+xml' })
  })

  app.get('/gallery/:state?', (c) => {
    const { look, lang, theme, width } = c.req.query()
    c.header('Content-Security-Policy', policy)
    return c.html(renderGallery(new URL(c.req.url).origin, { state: c.req.param('state'), look, lang, theme, width }))
  })

  app.all('/gallery/:name/api/v1/*', async (c) => {
    // A stream without content is not requested again.
    if (c.req.path.endsWith('/events')) return c.body(null, 204)
    const posted = (await c.req.json().catch(() => ({}))) as Record<string, unknown>
    const answer = answerFor(c.req.param('name'), c.req.path, new URL(c.req.url).origin, posted)
    c.header('Cache-Control', 'no-store')
    return answer ? c.json(answer.body, answer.status) : c.json({ error: 'No such state.' }, 404)
  })
}
