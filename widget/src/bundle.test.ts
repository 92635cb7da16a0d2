import { expect, waitUntil } from '@open-wc/testing'
import { EmulatedService, paid, seen } from './test/service.ts'

const dist = new URL('../dist/', import.meta.url)

function load(attributes: Partial<HTMLScriptElement>): Promise<Event> {
  const script = Object.assign(document.createElement('script'), attributes)
  return new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })
}

async function integrity(): Promise<Record<string, string>> {
  return (await fetch(new URL('integrity.json', dist))).json()
}

suite('the built script', () => {
  const faults: string[] = []
  const note = (event: ErrorEvent) => faults.push(event.message)
  setup(() => window.addEventListener('error', note))
  teardown(() => window.removeEventListener('error', note))

  test('loads twice without harm, as its hash says, and talks to where it came from', async () => {
    const { 'stablecoin-checkout.js': hash = '' } = await integrity()
    const src = new URL('stablecoin-checkout.js', dist).href
    await load({ src, integrity: hash, crossOrigin: 'anonymous' })
    const first = customElements.get('stablecoin-checkout')
    await load({ src: `${src}?again` })
    expect(first).not.to.equal(undefined)
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

  test('and all that it loads later have the hashes that the build tells', async () => {
    const hashes = await integrity()
    expect(Object.keys(hashes).length).to.be.greaterThan(4)
    for (const [name, hash] of Object.entries(hashes)) {
      const bytes = await (await fetch(new URL(name, dist))).arrayBuffer()
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
      expect(`sha384-${btoa(String.fromCharCode(...digest))}`, name).to.equal(hash)
    }
  })

  test('is an ES module too, which joins a page that has the script already', async () => {
    const module = await import(new URL('stablecoin-checkout.mjs', dist).href)
    expect(module.StablecoinCheckout).to.equal(customElements.get('stablecoin-checkout'))
  })

  test('can be imported where there is no document, as on a server', async () => {
    const source = `import(${JSON.stringify(new URL('stablecoin-checkout.mjs', dist).href)})
      .then((module) => postMessage(String(module.StablecoinCheckout)), (error) => postMessage(String(error)))`
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' })
    const answer = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data)
    })
    worker.terminate()
    expect(answer).to.equal('undefined')
  })

  test('says so when the code for wallets cannot be loaded, and the address stays', async () => {
    const lost = document.createElement('div')
    document.body.append(lost)
    const copy = await fetch(new URL('stablecoin-checkout.js', dist)).then((answer) => answer.text())
    const renamed = copy
      .replaceAll('stablecoin-checkout-wallet.mjs', 'nowhere.mjs')
      .replaceAll('`stablecoin-checkout`', '`stablecoin-lost`')
      .replaceAll('"stablecoin-checkout"', '"stablecoin-lost"')
    const src = URL.createObjectURL(new Blob([renamed], { type: 'text/javascript' }))
    await load({ src })
    const service = new EmulatedService()
    lost.innerHTML = `<stablecoin-lost api-base="${location.origin}" public-key="pk_live_a" amount="25.00" currency="USDC" network="devnet" order-id="lost"></stablecoin-lost>`
    const root = () => lost.firstElementChild?.shadowRoot
    await waitUntil(() => root()?.querySelector('[part=address]'))
    root()?.querySelector<HTMLElement>('.main')?.click()
    await waitUntil(() => root()?.querySelector('[role=alert]'))
    expect(root()?.querySelector('[part=address]')).not.to.equal(null)
    lost.remove()
    service.restore()
  })

  test('says how the payment stands also when the other screens cannot be loaded', async () => {
    const box = document.createElement('div')
    document.body.append(box)
    const copy = await fetch(new URL('stablecoin-checkout.js', dist)).then((answer) => answer.text())
    const renamed = copy
      .replaceAll('stablecoin-checkout-screens.mjs', 'nowhere.mjs')
      .replaceAll('`stablecoin-checkout`', '`stablecoin-alone`')
      .replaceAll('"stablecoin-checkout"', '"stablecoin-alone"')
    await load({ src: URL.createObjectURL(new Blob([renamed], { type: 'text/javascript' })) })
    const service = new EmulatedService()
    box.innerHTML = `<stablecoin-alone api-base="${location.origin}" public-key="pk_live_a" amount="25.00" currency="USDC" network="devnet" order-id="alone"></stablecoin-alone>`
    const words = () => box.firstElementChild?.shadowRoot?.querySelector('[part=status]')?.textContent
    await waitUntil(() => words() === 'Waiting for your payment')
    service.payment = seen
    window.dispatchEvent(new Event('focus'))
    await waitUntil(() => words() === 'Payment seen')
    service.payment = paid
    window.dispatchEvent(new Event('focus'))
    await waitUntil(() => words() === 'Paid')
    box.remove()
    service.restore()
  })

  test('is ASCII, because a page may be in any encoding', async () => {
    const parts = ['screens', 'offer', 'wallet'].map((part) => `stablecoin-checkout-${part}.mjs`)
    const names = ['stablecoin-checkout.js', ...parts]
    for (const name of names) {
      const code = await (await fetch(new URL(name, dist))).text()
      expect(/^[\x20-\x7e\n]*$/.test(code), name).to.equal(true)
    }
  })
})
