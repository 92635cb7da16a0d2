// The page's own script: the devnet's buttons, and the list of webhooks that the server received. A real shop needs
// neither.

const pollEveryMs = 1_000
const orderId = document.body.dataset.orderId
const checkout = document.querySelector('stablecoin-checkout')
const buttons = [...document.querySelectorAll('[data-pay]')]
const payResult = document.querySelector('[data-pay-result]')

// A reload shows the same order.
const address = new URL(location.href)
address.searchParams.set('order', orderId)
history.replaceState(null, '', address)

let paymentId = null

// The element emits the payment on screen: created just now, or continued after a reload.
function takePayment(payment) {
  paymentId = payment.id
  for (const button of buttons) button.disabled = false
}
checkout.addEventListener('sc-ready', ({ detail }) => takePayment(detail.payment))
// Its script loads in parallel, and may have run first.
if (checkout.payment) takePayment(checkout.payment)

for (const button of buttons) {
  button.addEventListener('click', () =>
    send('/demo/pay', { paymentId, amount: button.dataset.pay || undefined }, buttons, sent),
  )
}

// The shop's server creates the payment; the bridge's progress is shown on the right.
const elsewhere = document.querySelector('[data-pay-elsewhere]')
elsewhere.addEventListener('click', () => send('/demo/pay-from-elsewhere', { orderId }, [elsewhere], sentElsewhere))

const sent = ({ amount, currency, hash }) => `Sent ${amount} ${currency} in ${shorten(hash)}.`
const sentElsewhere = ({ amount, currency, network, destination, hash }) =>
  `Sent ${amount} ${currency} on ${network} in ${shorten(hash)}; the bridge pays it out on ${destination}.`

/** Buttons are disabled while the server works. */
async function send(path, order, pressed, tell) {
  for (const each of pressed) each.disabled = true
  say('Sending…')
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(order),
    })
    const body = await response.json()
    if (response.ok) say(tell(body))
    else say(body.error, true)
  } catch {
    say('The shop’s server does not respond. Try again.', true)
  }
  for (const each of pressed) each.disabled = false
}

function say(text, isError = false) {
  payResult.textContent = text
  payResult.classList.toggle('error', isError)
}

const titles = {
  awaiting: 'Waiting for the payment',
  paid: 'Paid — ship it',
  'taken-back': 'Hold the parcel: a reorg undid the payment',
}

let shown = ''

async function refresh() {
  const [order, events] = await Promise.all([read(`/orders/${orderId}`), read('/webhooks')])
  document.querySelector('[data-offline]').hidden = events !== null
  if (order !== null) {
    const box = document.querySelector('[data-order-state]')
    const title = document.querySelector('[data-order-title]')
    box.dataset.orderState = order.state
    if (title.textContent !== titles[order.state]) title.textContent = titles[order.state]
  }
  if (events === null) return
  const text = JSON.stringify(events)
  if (text === shown) return
  shown = text
  document.querySelector('[data-events]').replaceChildren(...events.map(eventLine))
  document.querySelector('[data-no-events]').hidden = events.length > 0
}

function eventLine(event) {
  const line = element('li', event.verified ? 'event' : 'event refused')
  if (event.orderId === orderId) line.classList.add('mine')
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
  known.push(event.orderId === orderId ? 'this order' : (event.orderId ?? 'no order'))
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
  if (document.visibilityState === 'visible') await refresh()
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

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh())
void poll()
