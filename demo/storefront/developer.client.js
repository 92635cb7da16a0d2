// The developer's drawer and the demo's buttons: a real shop has neither.

const pollEveryMs = 1_000
const { orderId } = document.body.dataset
const drawer = document.querySelector('#developer')
const toggle = document.querySelector('[data-developer-toggle]')

const isOpen = () => document.body.dataset.developer === 'open'

/** Kept for the next page, which the server sends with the drawer open. */
function setOpen(open) {
  document.body.dataset.developer = open ? 'open' : 'closed'
  toggle.setAttribute('aria-expanded', String(open))
  void globalThis.cookieStore?.set('developer', document.body.dataset.developer)
  if (open) {
    drawer.querySelector('#developer-title').focus()
    void refresh()
  } else toggle.focus()
}

toggle.addEventListener('click', () => setOpen(!isOpen()))
drawer.querySelector('[data-developer-close]').addEventListener('click', () => setOpen(false))
drawer.addEventListener('keydown', (event) => event.key === 'Escape' && setOpen(false))

const checkout = document.querySelector('stablecoin-checkout')
if (checkout) openCheckoutTools(checkout)

/** The test customer's buttons, the bridge, and the order's state. */
function openCheckoutTools(element) {
  const buttons = [...document.querySelectorAll('[data-pay]')]
  const results = document.querySelectorAll('[data-pay-result]')
  let paymentId = null

  // The element emits the payment on screen: created just now, or continued after a reload.
  function takePayment(payment) {
    paymentId = payment.id
    for (const button of buttons) button.disabled = false
  }
  element.addEventListener('sc-ready', ({ detail }) => takePayment(detail.payment))
  // Its script loads in parallel, and may have run first.
  if (element.payment) takePayment(element.payment)

  for (const button of buttons) {
    button.addEventListener('click', () =>
      send('/demo/pay', { paymentId, amount: button.dataset.pay || undefined }, buttons, sent),
    )
  }

  // The shop's server creates the payment; the webhooks show the bridge's progress.
  const elsewhere = document.querySelector('[data-pay-elsewhere]')
  elsewhere.addEventListener('click', () => send('/demo/pay-from-elsewhere', { orderId }, [elsewhere], sentElsewhere))

  const bridge = document.querySelector('[data-bridge]')
  bridge?.addEventListener('change', () =>
    send('/demo/bridge', { outcome: bridge.value }, [bridge], () => 'The bridge treats later payments so.'),
  )

  const sent = ({ amount, currency, hash }) => `Sent ${amount} ${currency} in ${shorten(hash)}.`
  const sentElsewhere = ({ amount, currency, network, destination, hash }) =>
    `Sent ${amount} ${currency} on ${network} in ${shorten(hash)}; the bridge pays it out on ${destination}.`

  /** Buttons are disabled while the server works. */
  async function send(path, order, pressed, describe) {
    for (const each of pressed) each.disabled = true
    say('Sending…')
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(order),
      })
      const body = await response.json()
      if (response.ok) say(describe(body))
      else say(body.error, true)
    } catch {
      say('The shop’s server does not respond. Try again.', true)
    }
    for (const each of pressed) each.disabled = false
  }

  function say(text, isError = false) {
    for (const result of results) {
      result.textContent = text
      result.classList.toggle('error', isError)
    }
  }
}

const titles = {
  awaiting: 'Waiting for the payment',
  paid: 'Paid — ship it',
  'taken-back': 'Hold the parcel: a reorg undid the payment',
}

window.addEventListener('shop-order', ({ detail: state }) => {
  const title = document.querySelector('[data-order-title]')
  document.querySelector('[data-order-state]').dataset.orderState = state
  if (title.textContent !== titles[state]) title.textContent = titles[state]
})

let shown = ''

async function refresh() {
  const events = await read('/webhooks')
  document.querySelector('[data-offline]').hidden = events !== null
  if (events === null) return
  const text = JSON.stringify(events)
  if (text === shown) return
  shown = text
  document.querySelector('[data-events]').replaceChildren(...events.map(eventLine))
  document.querySelector('[data-no-events]').hidden = events.length > 0
}

function eventLine(event) {
  const line = element('li', event.verified ? 'event' : 'event refused')
  if (event.orderId && event.orderId === orderId) line.classList.add('mine')
  const head = element('p', 'event-head')
  head.append(element('code', 'event-type', event.type ?? 'refused'))
  head.append(element('span', 'event-verified', event.verified ? '✓ signature verified' : '✕ not verified'))
  const time = element('time', '', new Date(event.receivedAt).toLocaleTimeString())
  time.dateTime = event.receivedAt
  head.append(time)
  line.append(head, element('p', 'event-note', event.note))
  if (event.verified) line.append(element('p', 'event-facts', facts(event).join(' · ')))
  return line
}

function facts(event) {
  const known = [`${event.amount} ${event.currency}`, `outcome ${event.outcome}`, `no. ${event.sequence}`]
  known.push(event.orderId && event.orderId === orderId ? 'this order' : (event.orderId ?? 'no order'))
  if (event.stale) known.push('came late')
  if (event.deliveries > 1) known.push(`received ${event.deliveries} times`)
  return known
}

function element(name, className, text = '') {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

const shorten = (hash) => `${hash.slice(0, 8)}…${hash.slice(-4)}`

async function read(path) {
  try {
    const response = await fetch(path)
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

async function poll() {
  if (document.visibilityState === 'visible' && isOpen()) await refresh()
  setTimeout(poll, pollEveryMs)
}

// With several replicas, the demo's balancer names the one that gave each response.
const replicaLine = document.querySelector('[data-replica]')
new PerformanceObserver((list) => {
  for (const { name, serverTiming } of list.getEntries()) {
    const replica = serverTiming?.find((timing) => timing.name === 'replica')
    if (replica === undefined) continue
    replicaLine.textContent = `Replica ${replica.description} answered ${new URL(name).pathname}`
  }
}).observe({ type: 'resource', buffered: true })

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && isOpen() && refresh())
void poll()
