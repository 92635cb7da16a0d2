// The checkout's own script: shows what the shop's server knows about the order. That empties the cart when it is paid.

const pollEveryMs = 1_000
const { orderId } = document.body.dataset
const note = document.querySelector('[data-order-note]')

// A reload shows the same order.
const address = new URL(location.href)
address.searchParams.set('order', orderId)
history.replaceState(null, '', address)

const notes = {
  awaiting: note.textContent,
  paid: 'Thank you! Your order ships today.',
  'taken-back': 'The chain undid the payment. We hold your parcel until it arrives again.',
}

function show({ state }) {
  if (note.textContent !== notes[state]) note.textContent = notes[state]
  note.dataset.state = state
  if (state === 'paid') document.querySelector('[data-cart-count]').textContent = '0'
  // The developer's drawer shows it, too.
  window.dispatchEvent(new CustomEvent('shop-order', { detail: state }))
}

async function refresh() {
  const response = await fetch(`/orders/${orderId}`).catch(() => null)
  if (response?.ok) show(await response.json())
}

async function poll() {
  if (document.visibilityState === 'visible') await refresh()
  setTimeout(poll, pollEveryMs)
}

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh())
void poll()
