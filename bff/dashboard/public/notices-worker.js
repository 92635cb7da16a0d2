// Shows notices while no page of the dashboard is open. It answers no request, so pages always come from the service.

const isOwn = (url) => URL.canParse(url) && new URL(url).origin === self.location.origin

self.addEventListener('push', (event) => {
  const { title, body, tag, lang, url, stopUrl, stopLabel } = event.data.json()
  const actions = isOwn(stopUrl) ? [{ action: 'stop', title: stopLabel }] : []
  const dir = lang === 'ar' ? 'rtl' : 'ltr'
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, dir, actions, data: { url, stopUrl } }))
})

self.addEventListener('notificationclick', (event) => {
  const { url, stopUrl } = event.notification.data
  event.notification.close()
  if (event.action === 'stop' && isOwn(stopUrl)) event.waitUntil(fetch(stopUrl, { method: 'POST' }))
  else if (isOwn(url)) event.waitUntil(self.clients.openWindow(url))
})
