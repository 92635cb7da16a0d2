import { expect } from '@open-wc/testing'
import { distUrl, elementName, integrity, loadScript } from './test/dist.ts'
import { EmulatedService, paid, seen } from './test/service.ts'
import { waitUntil } from './test/wait-until.ts'

/** A tag of its own, so that the element of another build can stand on the same page. */
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

  test('comes by a module script and by a classic one, twice without harm, and talks to where it came from', async () => {
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

  test('has the hashes of the build, each of its files', async () => {
    const hashes = await integrity()
    expect(Object.keys(hashes).length).to.be.greaterThan(20)
    for (const [name, hash] of Object.entries(hashes)) {
      const bytes = await (await fetch(distUrl(name))).arrayBuffer()
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
      expect(`sha384-${btoa(String.fromCharCode(...digest))}`, name).to.equal(hash)
    }
  })

  test('is a module to import, too, which joins a page that has the script already', async () => {
    const module = await import(distUrl('stablecoin-checkout.mjs').href)
    expect(module.StablecoinCheckout).to.equal(customElements.get('stablecoin-checkout'))
  })

  test('can be imported where there is no document, as on a server', async () => {
    const source = `import(${JSON.stringify(distUrl('stablecoin-checkout.mjs').href)})
      .then((module) => postMessage(String(module.StablecoinCheckout)), (error) => postMessage(String(error)))`
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' })
    const answer = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data)
    })
    worker.terminate()
    expect(answer).to.equal('undefined')
  })

  test('is one file until the first screen is shown, without an import of its own', async () => {
    const code = await (await fetch(distUrl(await elementName()))).text()
    expect(/(^|[;}])import[{*"'`]/.test(code)).to.equal(false)
  })

  test('is offered by a reload of the page where it cannot be loaded, once for each tag', async () => {
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

  test('says so when the code for wallets cannot be loaded, and the address stays', async () => {
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
    test(`says how the payment stands also when the chunk "${part}" cannot be loaded`, async () => {
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

  test('its script is ASCII, because a page may be in any encoding', async () => {
    const code = await (await fetch(distUrl('stablecoin-checkout.js'))).text()
    expect(/^[\x20-\x7e\n]*$/.test(code)).to.equal(true)
  })
})
