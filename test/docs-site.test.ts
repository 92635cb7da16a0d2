import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Eight seconds of processor time. */
const buildWithinMs = 240_000

test(
  'the site has every document, none of its links is dead, and llms.txt and the search find each page',
  async () => {
    const site = await mkdtemp(join(tmpdir(), 'docs-site-'))
    onTestFinished(() => rm(site, { recursive: true }))
    const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js')
    // A dead link fails the build.
    const built = spawnSync(process.execPath, [vitepress, 'build', 'docs', '--outDir', site], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(built.status, built.stdout + built.stderr).toBe(0)

    const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
    const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    expect(documents.map((name) => name.replace(/md$/, 'html')).filter((name) => !pages.includes(name))).toEqual([])
    const links = [...readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/^- \[.+\]\(\/(.*)\)$/gm)].map(
      ([, link = '']) => `${link || 'index'}.html`,
    )
    expect(links.toSorted()).toEqual(pages.filter((name) => name !== '404.html').toSorted())

    const index = readdirSync(join(site, 'assets/chunks')).filter((name) => name.startsWith('@localSearchIndex'))
    const [searched = ''] = index.map((name) => readFileSync(join(site, 'assets/chunks', name), 'utf8'))
    expect(documents.filter((name) => !searched.includes(`/${name.replace(/\.md$/, '')}`))).toEqual([])
  },
  buildWithinMs,
)
