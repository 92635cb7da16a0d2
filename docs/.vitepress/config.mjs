// The site of the documents: `npm run docs` builds it into docs/.vitepress/dist, without network. The pages stay readable as files.
import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const groups = [
  ['Start', ['README.md', 'docs/go-live.md', 'docs/moving-over.md']],
  ['Embed', ['widget/README.md', 'docs/element.md', 'docs/stores.md', 'demo/examples/medusa/README.md']],
  ['Sell by link', ['docs/dashboard.md']],
  [
    'Build',
    [
      'docs/api.md',
      'docs/access.md',
      'docs/errors.md',
      'docs/webhooks.md',
      'docs/agents.md',
      'bff/clients/node/README.md',
    ],
  ],
  [
    'Operate',
    [
      'docs/configuration.md',
      'docs/settings.md',
      'docs/tokens.md',
      'docs/deposit-addresses.md',
      'docs/tempo.md',
      'docs/tron.md',
      'docs/commands.md',
      'docs/operations.md',
      'docs/troubleshooting.md',
    ],
  ],
  ['Security', ['SECURITY.md', 'docs/security-model.md', 'docs/threats.md']],
  [
    'Contribute',
    [
      'CONTRIBUTING.md',
      'docs/architecture.md',
      'bff/README.md',
      'bff/dashboard/README.md',
      'demo/README.md',
      'test/README.md',
      'docs/benchmarks.md',
      'docs/mutation.md',
      'CHANGELOG.md',
    ],
  ],
]
const sources = groups.flatMap(([, files]) => files)

/** The page of a file: `docs/api.md` is `api.md`, `widget/README.md` is `widget.md`. */
const pageOf = (file) =>
  file === 'README.md'
    ? 'index.md'
    : file
        .replace(/^docs\//, '')
        .replace(/\/README\.md$/, '.md')
        .toLowerCase()

const linkOf = (file) => `/${pageOf(file).replace(/(^|\/)index\.md$|\.md$/, '$1')}`

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Links between files of the repository become links between pages, which stand in other folders. */
function linkPages(md) {
  const render = md.renderer.rules.link_open
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const [path = '', hash] = (tokens[index].attrGet('href') ?? '').split('#')
    const file = relative(root, join(dirname(env.realPath ?? env.path), path))
    if (sources.includes(file)) tokens[index].attrSet('href', `/${pageOf(file)}${hash ? `#${hash}` : ''}`)
    return render(tokens, index, options, env, self)
  }
}

/** The heading of a page is its title. */
const titles = new Map()

export default defineConfig({
  srcDir: '..',
  title: 'stablecoin-checkout',
  description: 'Accept USDC and USDT in your shop without a payment processor.',
  cleanUrls: true,
  srcExclude: [
    '**/node_modules/**',
    '**/dist/**',
    '**/.*/**',
    'bff/contracts/**',
    'bff/src/**',
    'widget/src/**',
    'docs/glossary/**',
  ],
  rewrites: Object.fromEntries(sources.map((file) => [file, pageOf(file)])),
  // Files of the repository that are no pages.
  ignoreDeadLinks: [/\/LICENSE$/, /demo\/examples/, /\/deploy\//, /^https?:\/\/localhost/],
  markdown: { html: false, config: linkPages },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: groups.map(([text, files]) => ({
      text,
      items: files.map((file) => ({ text: nameOf(file), link: linkOf(file) })),
    })),
  },
  transformPageData(data) {
    titles.set(`/${data.relativePath}`, data.title)
  },
  /** What a language model reads first (llmstxt.org). */
  buildEnd({ outDir }) {
    const lines = groups.flatMap(([heading, files]) => [
      `\n## ${heading}\n`,
      ...files.map((file) => `- [${titles.get(`/${pageOf(file)}`)}](${linkOf(file)})`),
    ])
    const summary = '> A checkout element and a self-hosted service that take payments in USDC and USDT.'
    writeFileSync(join(outDir, 'llms.txt'), `# stablecoin-checkout\n\n${summary}\n${lines.join('\n')}\n`)
  },
})

function nameOf(file) {
  const names = {
    'README.md': 'Overview',
    'bff/clients/node/README.md': 'Client for Node',
    'bff/README.md': 'Service',
    'test/README.md': 'Stories and benchmarks',
  }
  const [name = ''] = pageOf(file).split('/').at(-1)?.split('.') ?? []
  return names[file] ?? `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`
}
