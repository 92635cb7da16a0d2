/**
 * The script that shops load as `/modal/btcpay.js`: the functions of BTCPay's script of that name, which show an invoice in a
 * frame over the shop's page. It has no dependencies, because it runs in other people's pages.
 */
export const modalScript = `(() => {
  const source = document.currentScript ? document.currentScript.src : ''
  let prefix = source.replace(/\\/modal\\/btcpay\\.js.*$/, '')
  let frame = null
  let entering = null
  let leaving = null
  const listeners = []
  const originOf = (url) => { try { return new URL(url, location.href).origin } catch { return '' } }
  function hideFrame() {
    if (!frame || frame.style.display === 'none') return
    frame.style.display = 'none'
    if (leaving) leaving()
  }
  function showFrame() {
    if (!frame) return
    frame.style.display = 'block'
    if (entering) entering()
    frame.focus()
  }
  function appendInvoiceFrame(invoiceId, options) {
    const method = typeof options === 'string' ? options : options && options.paymentMethodId
    if (frame) frame.remove()
    frame = document.createElement('iframe')
    frame.name = 'btcpay'
    frame.title = 'Payment'
    frame.allow = 'clipboard-write; payment'
    frame.src = method
      ? prefix + '/i/' + encodeURIComponent(invoiceId) + '/' + encodeURIComponent(method) + '?view=modal'
      : prefix + '/invoice?id=' + encodeURIComponent(invoiceId) + '&view=modal'
    const style = { display: 'none', border: '0', position: 'fixed', inset: '0', width: '100%', height: '100%', zIndex: '2147483000', colorScheme: 'normal', background: 'transparent' }
    Object.assign(frame.style, style)
    document.body.appendChild(frame)
    return frame
  }
  function appendAndShowInvoiceFrame(invoiceId, options) {
    appendInvoiceFrame(invoiceId, options)
    showFrame()
  }
  addEventListener('message', (event) => {
    if (!frame || event.source !== frame.contentWindow || event.origin !== originOf(prefix)) return
    if (event.data === 'close') hideFrame()
    for (const listener of listeners) listener(event)
  })
  window.btcpay = {
    setApiUrlPrefix(url) { prefix = String(url).replace(/\\/+$/, '') },
    showInvoice: appendAndShowInvoiceFrame,
    appendInvoiceFrame,
    appendAndShowInvoiceFrame,
    showFrame,
    hideFrame,
    onModalWillEnter(listener) { entering = listener },
    onModalWillLeave(listener) { leaving = listener },
    onModalReceiveMessage(listener) { listeners.push(listener) },
  }
})()
`

/**
 * Runs in the framed payment page, and posts the invoice's status to the shop's page and to no other. The shop's page takes
 * `Processing` and `Settled` as paid; the shop itself relies on its webhooks.
 */
export const frameScript = `(() => {
  const { invoice: invoiceId, shop, expires } = document.currentScript.dataset
  if (!shop || parent === window) return
  const post = (message) => parent.postMessage(message, shop)
  const statuses = { confirming: 'Processing', paid: 'Settled' }
  addEventListener('sc-status-change', ({ detail }) => {
    const isOver = detail.stage === 'expired' && expires !== '' && Date.now() >= Number(expires)
    const status = isOver ? 'Expired' : statuses[detail.stage]
    if (status) post({ invoiceId, status })
  })
  addEventListener('keydown', ({ key }) => { if (key === 'Escape') post('close') })
  addEventListener('DOMContentLoaded', () => {
    const close = document.createElement('button')
    close.type = 'button'
    close.textContent = '\\u00d7'
    close.setAttribute('aria-label', 'Close')
    Object.assign(close.style, { position: 'fixed', insetBlockStart: '8px', insetInlineEnd: '8px', width: '44px', height: '44px', border: '0', borderRadius: '22px', font: '28px/1 system-ui, sans-serif', color: 'inherit', background: 'light-dark(#fff, #1b1f27)', cursor: 'pointer', zIndex: '1' })
    close.addEventListener('click', () => post('close'))
    document.querySelector('main').prepend(close)
    post('loaded')
  })
})()
`
