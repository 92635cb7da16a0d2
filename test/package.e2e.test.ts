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
  ...{ amount: '25.00', currency: 'USDC', network: 'devnet', 'order-id': orderId },
})

const textOf = (orderId: string) =>
  Object.entries(attributes(orderId))
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')

/** The source of an empty project with the element in it, by the tool that it is written with. */
const projects: Record<string, Record<string, string>> = {
  vanilla: {
    'main.ts': `import '@stablecoin-checkout/widget'
import type { Payment } from '@stablecoin-checkout/widget'
const paid = (payment: Payment | null): boolean => payment?.outcome === 'paid'
const element = document.querySelector('stablecoin-checkout')
element?.addEventListener('sc-paid', () => { document.title = String(paid(element.payment)) })
`,
    'index.html': `<!doctype html><link rel="icon" href="data:,"><div id="app"><stablecoin-checkout ${textOf('vanilla')}></stablecoin-checkout></div><script type="module" src="/main.ts"></script>`,
  },
  react: {
    'main.tsx': `import '@stablecoin-checkout/widget'
import type {} from '@stablecoin-checkout/widget/react'
import { createRoot } from 'react-dom/client'
const app = document.querySelector('#app')
if (app) {
  createRoot(app).render(
    <stablecoin-checkout {...${JSON.stringify(attributes('react'))}} onsc-paid={(event) => { document.title = String(event.type === 'sc-paid') }} />,
  )
}
`,
    'index.html':
      '<!doctype html><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.tsx"></script>',
  },
  vue: {
    'main.ts': `import '@stablecoin-checkout/widget'
import type {} from '@stablecoin-checkout/widget/vue'
import { createApp, h } from 'vue'
const onScPaid = (): void => { document.title = 'true' }
createApp({ render: () => h('stablecoin-checkout', { ...${JSON.stringify(attributes('vue'))}, onScPaid }) }).mount('#app')
`,
    'index.html':
      '<!doctype html><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.ts"></script>',
  },
}

const tsconfig = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', jsx: 'react-jsx', types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
  },
  include: ['main.*'],
}

/** An empty project that has the packed element and its framework installed. */
function openProject(name: string): string {
  const project = join(folder, name)
  mkdirSync(join(project, 'node_modules/@stablecoin-checkout'), { recursive: true })
  // A copy: by a link TypeScript would look for the framework beside the link's target.
  cpSync(unpacked, join(project, 'node_modules/@stablecoin-checkout/widget'), { recursive: true })
  mkdirSync(join(project, 'node_modules/@types'))
  for (const one of ['react', 'react-dom', 'vue', '@types/react', '@types/react-dom']) {
    symlinkSync(join(root, 'node_modules', one), join(project, 'node_modules', one))
  }
  const files = { ...projects[name], 'tsconfig.json': JSON.stringify(tsconfig), 'package.json': '{"type":"module"}' }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text)
  return project
}

test('the packed element has its licence, and those of what is bundled', () => {
  const text = (path: string) => readFileSync(join(unpacked, path), 'utf8')
  expect(text('LICENSE')).toMatch(/^MIT License/)
  const ofOthers = text('dist/THIRD-PARTY-LICENSES.md')
  for (const name of ['lit', '@reown/appkit']) expect(ofOthers).toContain(`## ${name} - `)
})

test.each(['vanilla', 'react', 'vue'])(
  'the packed element type-checks, builds and is paid in a %s project',
  async (name) => {
    const project = openProject(name)
    run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], project)
    run(join(root, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], project)
    const dist = join(project, 'dist')
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(html|js)$/.test(path))
    const url = await openPages(
      new Map(
        names.map((path) => [path === 'index.html' ? '/' : `/${path}`, { body: readFileSync(join(dist, path)) }]),
      ),
    )
    await browser.visit({ url, origins: [url, bff.url()] }, async ({ page }) => {
      const element = page.locator('stablecoin-checkout')
      await element.locator('[part=address]:not([inert] *)').waitFor({ timeout: 30_000 })
      const address = await element.evaluate(
        (one) => (one as unknown as { payment: { depositAddress: string } }).payment.depositAddress,
      )
      await chain.pay(address as `0x${string}`, '25.00')
      await chain.mine(2)
      await element.getByText('Paid').first().waitFor()
      await expect.poll(() => page.title()).toBe('true')
    })
  },
)
