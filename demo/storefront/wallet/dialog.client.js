// The test wallet's own window: shows a page's request, and lets the customer decide.

let last = Promise.resolve()

/**
 * Shows one request at a time.
 * @param request - `{ title, facts: [name, value][], account, network }`, all text.
 * @returns whether it was approved. Escape rejects, like closing a wallet's window.
 */
export function askCustomer(request) {
  const turn = last.then(() => show(request))
  last = turn
  return turn
}

function show({ title, facts, account, network }) {
  const dialog = document.createElement('dialog')
  dialog.className = 'wallet'
  dialog.setAttribute('aria-labelledby', 'wallet-title')
  const heading = element('h2', title)
  heading.id = 'wallet-title'
  const list = document.createElement('dl')
  for (const [name, value] of [['Asked by', location.origin], ['Account', account], ['Network', network], ...facts]) {
    list.append(element('dt', name), element('dd', value))
  }
  const buttons = element('form', '')
  buttons.method = 'dialog'
  buttons.className = 'buttons'
  const reject = button('Reject', 'reject')
  const approve = button('Approve', 'approve')
  approve.className = 'primary'
  approve.autofocus = true
  buttons.append(reject, approve)
  dialog.append(element('p', 'Test wallet · devnet money only'), heading, list, buttons)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'approve')
    })
  })
}

function button(words, value) {
  const made = element('button', words)
  made.value = value
  return made
}

function element(name, words) {
  const made = document.createElement(name)
  made.textContent = words
  return made
}
