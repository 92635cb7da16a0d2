import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openPages, pageOf } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('frameworks')
const { bff, chain } = story
const browser = await openBrowser()

type Order = { publicKey: string; amount: string; orderId: string }

/** A file of an example with all that it imports; the development builds, because those tell what hydration finds wrong. */
async function bundle(framework: string, file: 'client' | 'server'): Promise<string> {
  const flags = { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' }
  const { output } = await build({
    input: fileURLToPath(new URL(`../demo/examples/${framework}/${file}.tsx`, import.meta.url)),
    platform: file === 'client' ? 'browser' : 'node',
    tsconfig: false,
    transform: {
      define: { 'process.env.NODE_ENV': '"development"', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true', ...flags },
      jsx: { runtime: 'automatic' },
    },
    output: { format: 'esm', codeSplitting: false },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code
}

/** What the framework's server makes of the page, and the script that takes it over. */
async function buildExample(framework: string) {
  const file = join(story.folder, `${framework}.mjs`)
  writeFileSync(file, await bundle(framework, 'server'))
  const server = (await import(pathToFileURL(file).href)) as { draw(order: Order): Promise<string> | string }
  return { draw: server.draw, client: await bundle(framework, 'client') }
}
const frameworks = { react: await buildExample('react'), vue: await buildExample('vue') }

const script = (url: string) => `<script src="${url}"></script>`
const hydrate = '<script type="module" src="/client.js"></script>'

/** The framework takes over what is an element by then. */
const before = (url: string) => `${script(url)}<script type="module">
  await customElements.whenDefined('stablecoin-checkout')
  await import('/client.js')
</script>`
/** The framework has taken over what is not an element yet once it listens to it: then comes the script. */
const after = (url: string) => `<script>
  const tag = document.querySelector('stablecoin-checkout')
  tag.addEventListener = (...listener) => {
    delete tag.addEventListener
    tag.addEventListener(...listener)
    document.head.append(Object.assign(document.createElement('script'), { src: '${url}' }))
  }
</script>${hydrate}`

test.each([
  ['react', 'before', before],
  ['react', 'after', after],
  ['vue', 'before', before],
  ['vue', 'after', after],
] as const)(
  'in %s, upgraded %s hydration, the element is what the server drew, and the component gets its events',
  async (framework, when, scripts) => {
    const order = { publicKey: bff.merchant.publicKey, amount: '25.00', orderId: `${framework}-${when}` }
    const data = `data-public-key="${order.publicKey}" data-amount="${order.amount}" data-order-id="${order.orderId}"`
    const { draw, client } = frameworks[framework]
    const drawn = await draw(order)
    expect(drawn).toContain('<stablecoin-checkout')
    const body = `<div id="app" ${data}>${drawn}</div>${scripts(`${bff.url()}/stablecoin-checkout.js`)}`
    const url = await openPages(
      new Map([
        ['/', { body: pageOf('', body) }],
        ['/client.js', { body: client }],
      ]),
    )
    await browser.visit({ url, origins: [url, bff.url()] }, async (customer) => {
      await customer.reads('Waiting for your payment')
      await customer.reads('The payment is pending')
      expect(await bff.query('select id from payments where order_id = ?', order.orderId)).toHaveLength(1)
      await chain.pay((await customer.address()) as `0x${string}`, '25.00')
      await customer.reads('Payment detected')
      await chain.mine(2)
      await customer.reads('The payment is paid')
      expect(await customer.page.locator('stablecoin-checkout').count()).toBe(1)
    })
  },
)
