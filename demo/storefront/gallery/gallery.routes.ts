import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { answerFor } from './fixtures.ts'
import { renderGallery } from './page.ts'

const style = readFileSync(new URL('./gallery.css', import.meta.url), 'utf8')

/** The element in every state, theme, language and size, side by side; what it shows is made up, and no service is asked. */
export function galleryRoutes(app: Hono, policy: string): void {
  app.get('/gallery', (c) => {
    c.header('Content-Security-Policy', policy)
    return c.html(renderGallery(new URL(c.req.url).origin, c.req.query('lang') ?? 'en'))
  })

  app.get('/gallery/gallery.css', (c) => c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }))

  app.all('/gallery/:name/api/v1/*', (c) => {
    // Nothing ever happens here: a stream that has no content is not asked for again.
    if (c.req.path.endsWith('/events')) return c.body(null, 204)
    const answer = answerFor(c.req.param('name'), c.req.path)
    c.header('Cache-Control', 'no-store')
    return answer ? c.json(answer.body, answer.status) : c.json({ error: 'No such screen.' }, 404)
  })
}
