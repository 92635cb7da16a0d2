import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openPages } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const story = await openStory('package')
const { bff, chain } = story
const browser = await openBrowser()
const folder = mkdtempSync(join(tmpdir(), 'package-'))

const run = (command: string, args: string[], cwd: string) => {
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  expect({ status, output: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, output: '' })
  return stdout
}

/** What npm would publish, unpacked. */
let unpacked: string

beforeAll(() => {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const name = run('npm', args, join(root, 'widget')).trim().split('\n').at(-1) ?? ''
  run('tar', ['-xzf', name], folder)
  unpacked = join(folder, 'package')
})

afterAll(() => rmSync(folder, { recursive: true }))

const attributes = (orderId: string) => ({
  'api-base': bff.url(),
  'public-key': bff.merchant.publicKey,
  amount: '25.00',
  currency: 'USDC',
  network: 'devnet',
  'order-id': orderId,
})

const textOf = (orderId: string) =>
  Object.entries(attributes(orderId))
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')

/** The source of a page with the element in it, by the tool that it is written with. */
const pages: Record<string, { script: string; source: string; body: string }> = {
  vanilla: {
    script: 'vanilla.ts',
    source: `import '@stablecoin-checkout/widget'
import type { Payment } from '@stablecoin-checkout/widget'
const paid = (payment: Payment | null): boolean => payment?.outcome === 'paid'
const element = document.querySelector('stablecoin-checkout')
element?.addEventListener('sc-paid', () => { document.title = String(paid(element.payment)) })
`,
    body: `<div id="app"><stablecoin-checkout ${textOf('vanilla')}></stablecoin-checkout></div>`,
  },
  react: {
    script: 'react.tsx',
    source: `import '@stablecoin-checkout/widget'
import type {} from '@stablecoin-checkout/widget/react'
import { createRoot } from 'react-dom/client'
const app = document.querySelector('#app')
if (app) {
  createRoot(app).render(
    <stablecoin-checkout {...${JSON.stringify(attributes('react'))}} onsc-paid={(event) => { document.title = String(event.type === 'sc-paid') }} />,
  )
}
`,
    body: '<div id="app"></div>',
  },
  vue: {
    script: 'vue.ts',
    source: `import '@stablecoin-checkout/widget'
import type {} from '@stablecoin-checkout/widget/vue'
import { createApp, h } from 'vue'
const onScPaid = (): void => { document.title = 'true' }
createApp({ render: () => h('stablecoin-checkout', { ...${JSON.stringify(attributes('vue'))}, onScPaid }) }).mount('#app')
`,
    body: '<div id="app"></div>',
  },
}

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    jsx: 'react-jsx',
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
  },
  include: Object.values(pages).map(({ script }) => script),
}

/** A project that has nothing but the pages, and the packed element and the frameworks installed. */
function openProject(): string {
  const project = join(folder, 'project')
  mkdirSync(join(project, 'node_modules/@stablecoin-checkout'), { recursive: true })
  // A copy: by a link TypeScript would look for the framework beside the link's target.
  cpSync(unpacked, join(project, 'node_modules/@stablecoin-checkout/widget'), { recursive: true })
  mkdirSync(join(project, 'node_modules/@types'))
  for (const one of ['react', 'react-dom', 'vue', '@types/react', '@types/react-dom']) {
    symlinkSync(join(root, 'node_modules', one), join(project, 'node_modules', one))
  }
  const input = Object.keys(pages).map((name) => `${name}.html`)
  const files = {
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify(tsconfig),
    'vite.config.js': `export default ${JSON.stringify({ build: { rolldownOptions: { input } } })}`,
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text)
  for (const [name, { script, source, body }] of Object.entries(pages)) {
    writeFileSync(join(project, script), source)
    const link = `<script type="module" src="/${script}"></script>`
    writeFileSync(join(project, `${name}.html`), `<!doctype html><link rel="icon" href="data:,">${body}${link}`)
  }
  return project
}

test('the packed element has its licence, and those of what is bundled', () => {
  const text = (path: string) => readFileSync(join(unpacked, path), 'utf8')
  expect(text('LICENSE')).toMatch(/^MIT License/)
  const ofOthers = text('dist/THIRD-PARTY-LICENSES.md')
  for (const name of ['lit', '@reown/appkit']) expect(ofOthers).toContain(`## ${name} - `)
})

test('pages with the packed element type-check and build, and in each it is paid: plain, React and Vue', async () => {
  const project = openProject()
  run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], project)
  run(join(root, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], project)
  const dist = join(project, 'dist')
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(html|js)$/.test(path))
  const url = await openPages(new Map(built.map((path) => [`/${path}`, { body: readFileSync(join(dist, path)) }])))
  for (const name of Object.keys(pages))
    await browser.visit({ url: `${url}/${name}.html`, origins: [url, bff.url()] }, async (customer) => {
      const element = customer.page.locator('stablecoin-checkout')
      await customer.reads('Waiting for your payment')
      const address = await element.evaluate(
        (one) => (one as unknown as { payment: { depositAddress: string } }).payment.depositAddress,
      )
      await chain.pay(address as `0x${string}`, '25.00')
      await customer.reads('Payment detected')
      await chain.mine(2)
      await expect.poll(customer.title).toBe('Paid')
      await expect.poll(async () => [name, await customer.page.title()]).toEqual([name, 'true'])
    })
})
