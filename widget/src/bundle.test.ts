import { expect } from '@open-wc/testing'
import { distUrl, elementName, integrity, loadScript } from './test/dist.ts'
import { EmulatedService, paid, seen } from './test/service.ts'
import { waitUntil } from './test/wait-until.ts'

/** Uses its own tag name, so that elements of two builds can share a page. */
async function loadElementWithout(part: string, tag: string): Promise<void> {
  const code = await (await fetch(distUrl(await elementName()))).text()
  const renamed = code
    .replaceAll(`./stablecoin-checkout-${part}-`, './nowhere-')
    .replaceAll('./stablecoin-checkout-', distUrl('stablecoin-checkout-').href)
    .replaceAll('`stablecoin-checkout`', `\`${tag}\``)
  await import(URL.createObjectURL(new Blob([renamed], { type: 'text/javascript' })))
}

suite('the built element', () => {
  const faults: string[] = []
  const note = (event: ErrorEvent) => faults.push(event.message)
  setup(() => window.addEventListener('error', note))
  teardown(() => window.removeEventListener('error', note))

  test('loads by a module script and by a classic script, twice without error, and calls the service that it was loaded from', async () => {
    const { 'stablecoin-checkout.js': hash = '' } = await integrity()
    const src = distUrl('stablecoin-checkout.js').href
    await loadScript({ src, type: 'module', integrity: hash, crossOrigin: 'anonymous' })
    const first = await customElements.whenDefined('stablecoin-checkout')
    await loadScript({ src, integrity: hash, crossOrigin: 'anonymous' })
    await loadScript({ src: `${src}?again` })
    expect(customElements.get('stablecoin-checkout')).to.equal(first)
    expect(faults).to.deep.equal([])

    const service = new EmulatedService()
    const box = document.createElement('div')
    box.innerHTML =
      '<stablecoin-checkout public-key="pk_live_a" amount="25" currency="USDC" network="devnet"></stablecoin-checkout>'
    document.body.append(box)
    await waitUntil(() => box.querySelector('stablecoin-checkout')?.shadowRoot?.querySelector('[part=address]'))
    expect(service.creates[0]?.url).to.equal(`${location.origin}/api/v1/deposits/create?include=qr`)
    box.remove()
    service.restore()
  })

  test("has the build's hashes for each of its files", async () => {
    const hashes = await integrity()
    expect(Object.keys(hashes).length).to.be.greaterThan(20)
    for (const [name, hash] of Object.entries(hashes)) {
      const bytes = await (await fetch(distUrl(name))).arrayBuffer()
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
      expect(`sha384-${btoa(String.fromCharCode(...digest))}`, name).to.equal(hash)
    }
  })

  test('can be imported as a module on a page that already has the script', async () => {
    const module = await import(distUrl('stablecoin-checkout.mjs').href)
    expect(module.StablecoinCheckout).to.equal(customElements.get('stablecoin-checkout'))
  })

  test('can be imported without a document, as on a server', async () => {
    const source = `import(${JSON.stringify(distUrl('stablecoin-checkout.mjs').href)})
      .then((module) => postMessage(String(module.StablecoinCheckout)), (error) => postMessage(String(error)))`
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' })
    const answer = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data)
    })
    worker.terminate()
    expect(answer).to.equal('undefined')
  })

  test('is one file without imports until the first screen is shown', async () => {
    const code = await (await fetch(distUrl(await elementName()))).text()
    expect(/(^|[;}])import[{*"'`]/.test(code)).to.equal(false)
  })

  test('offers a reload once for each tag when it cannot be loaded', async () => {
    const code = await (await fetch(distUrl('stablecoin-checkout.js'))).text()
    const broken = code
      .replaceAll('./stablecoin-checkout-', distUrl('nowhere-').href)
      .replaceAll('stablecoin-checkout:not', 'stablecoin-unloaded:not')
    const tag = document.createElement('stablecoin-unloaded')
    document.body.append(tag)
    await import(URL.createObjectURL(new Blob([broken], { type: 'text/javascript' })))
    await waitUntil(() => tag.querySelector('button'))
    expect(tag.textContent).to.equal('The payment could not be loaded. Reload')
    expect(tag.children.length).to.equal(1)
    tag.remove()
  })

  test('reports that the wallet code cannot be loaded, and keeps the address', async () => {
    await loadElementWithout('wallet-payments', 'stablecoin-lost')
    const box = document.createElement('div')
    document.body.append(box)
    const service = new EmulatedService()
    box.innerHTML = `<stablecoin-lost api-base="${location.origin}" public-key="pk_live_a" amount="25.00" currency="USDC" network="devnet" order-id="lost"></stablecoin-lost>`
    const root = () => box.firstElementChild?.shadowRoot
    await waitUntil(() => root()?.querySelector('[part=address]'))
    root()?.querySelector<HTMLElement>('.main')?.click()
    await waitUntil(() => root()?.querySelector('[role=alert]'))
    expect(root()?.querySelector('[part=address]')).not.to.equal(null)
    box.remove()
    service.restore()
  })

  for (const part of ['screens', 'en'])
    test(`shows the payment's state even when the chunk "${part}" cannot be loaded`, async () => {
      await loadElementWithout(part, `stablecoin-without-${part}`)
      const box = document.createElement('div')
      document.body.append(box)
      const service = new EmulatedService()
      box.innerHTML = `<stablecoin-without-${part} api-base="${location.origin}" public-key="pk_live_a" amount="25.00" currency="USDC" network="devnet" order-id="${part}"></stablecoin-without-${part}>`
      const status = () => box.firstElementChild?.shadowRoot?.querySelector('[part=status]')?.textContent
      await waitUntil(() => status() === 'Waiting for your payment')
      service.payment = seen
      window.dispatchEvent(new Event('focus'))
      await waitUntil(() => status() === 'Payment detected')
      service.payment = paid
      window.dispatchEvent(new Event('focus'))
      await waitUntil(() => status() === 'Paid')
      box.remove()
      service.restore()
    })

  test('its script is ASCII, because pages may use any encoding', async () => {
    const code = await (await fetch(distUrl('stablecoin-checkout.js'))).text()
    expect(/^[\x20-\x7e\n]*$/.test(code)).to.equal(true)
  })
})
